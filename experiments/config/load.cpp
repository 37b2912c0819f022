#include "experiments/config/load.hpp"

#include <algorithm>
#include <fstream>
#include <optional>
#include <system_error>
#include <utility>

#include "experiments/config/merge.hpp"
#include "experiments/config/parse.hpp"
#include "experiments/config/sweep_edits.hpp"

namespace ropewalk::config {
namespace {

namespace fs = std::filesystem;
using Chain = std::vector<fs::path>;  // files being read, the first that was asked for in front

// Far beyond any config; what is larger was named by mistake.
constexpr std::size_t most_bytes = std::size_t{1} << 20;

// No more than that, and one byte to tell.
std::string read_text(const fs::path& file, const std::string& asked_by) {
  std::error_code error;
  const bool regular = !fs::is_directory(file, error);
  std::ifstream stream(file, std::ios::binary);
  if (!regular || !stream) {
    throw FileError(fmt::format("{}{}: expected a config file to read, got {}", asked_by, file.string(),
                                !fs::exists(file, error) ? "no such file"
                                : regular                ? "no permission"
                                                         : "a directory"));
  }
  std::string text(most_bytes + 1, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  return text;
}

Tree parse_file(const fs::path& file, const std::string& asked_by, Complaints& complaints) {
  const std::string text = read_text(file, asked_by);
  if (text.size() > most_bytes) {
    complaints.add({file.string(), 0, 0}, "", expected("a config of at most 1 MiB", "a larger file; is it the one you meant?"));
    complaints.raise();
  }
  std::optional<Tree> tree = parse(text, file.string(), Lines::shown, complaints);
  if (!tree) complaints.raise();
  if (tree->is(Tree::Form::null)) {
    complaints.add({file.string(), 1, 1}, "", expected("settings", "an empty file"));
    tree = Tree::map({file.string(), 1, 1});
  }
  return std::move(*tree);
}

bool same_file(const fs::path& a, const fs::path& b) { return fs::weakly_canonical(a) == fs::weakly_canonical(b); }

std::string arrows(const Chain& chain, const fs::path& last) {
  std::string text;
  for (const fs::path& file : chain) text += file.string() + " -> ";
  return text + last.string();
}

// The base a file names, or nothing if it names none that can be used.
std::optional<fs::path> base_of(const Tree& extends, const Chain& chain, Complaints& complaints) {
  if (!extends.is(Tree::Form::scalar) || extends.text.empty()) {
    complaints.add(extends.place, "extends", expected("the file to build on", describe(extends)));
    return std::nullopt;
  }
  const fs::path base = (chain.back().parent_path() / extends.text).lexically_normal();
  if (std::any_of(chain.begin(), chain.end(), [&](const fs::path& file) { return same_file(file, base); })) {
    complaints.add(extends.place, "extends", expected("a file that does not build on this one", arrows(chain, base)));
    return std::nullopt;
  }
  return base;
}

Tree load_chain(Chain chain, const std::string& asked_by, Fields* schema, Complaints& complaints) {
  Tree tree = parse_file(chain.back(), asked_by, complaints);
  const Entry* extends = tree.find("extends");
  if (!extends) return tree;
  const Tree reference = extends->value;
  tree.erase("extends");
  const std::optional<fs::path> base = base_of(reference, chain, complaints);
  if (!base) return tree;
  chain.push_back(*base);
  const Tree below = load_chain(chain, to_string(reference.place) + ": extends: ", schema, complaints);
  Tree merged = merge(below, tree, schema);
  settle_sweep(merged, below, tree);
  return merged;
}

}  // namespace

Tree read_tree(const fs::path& file, Complaints& complaints) { return parse_file(file, "", complaints); }

Tree load_file(const fs::path& file, Fields* schema, Complaints& complaints) {
  return load_chain({file}, "", schema, complaints);
}

void apply_set(Tree& tree, const std::string& argument, Fields* schema, Complaints& complaints) {
  const Place place{"--set " + argument, 0, 0};
  const std::size_t equals = argument.find('=');
  Assignment assignment{split_path(argument.substr(0, equals)), Tree(), place};
  if (equals == std::string::npos || assignment.steps.empty()) {
    complaints.add(place, "", expected("path=value, such as train.steps=100", argument.empty() ? "nothing" : argument));
    return;
  }
  std::optional<Tree> value = parse(argument.substr(equals + 1), place.origin, Lines::hidden, complaints);
  if (!value) return;
  assignment.value = std::move(*value);
  assignment.value.place = place;
  join_axis_names(tree, assignment.steps);
  if (!remove_from_sweep(tree, assignment)) assign(tree, assignment, schema, complaints);
}

}  // namespace ropewalk::config
