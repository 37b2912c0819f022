#include "experiments/config/encode.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "experiments/config/numbers.hpp"

namespace ropewalk::config {
namespace {

// Words YAML 1.1 readers take for null or a truth value, in any case.
constexpr std::array<std::string_view, 8> reserved = {"null", "true", "false", "yes", "no", "on", "off", "y"};

bool is_reserved(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char letter) { return std::tolower(letter); });
  return text == "n" || std::find(reserved.begin(), reserved.end(), text) != reserved.end();
}

bool is_word_letter(unsigned char letter) {
  return std::isalnum(letter) || letter == '_' || letter == '/' || letter == '.' || letter == '-';
}

// Text that stands for itself in YAML, inside a list as well: begins with a letter, no spaces, no punctuation that means
// anything.
bool is_word(const std::string& text) {
  return !text.empty() && std::isalpha(static_cast<unsigned char>(text[0])) &&
         std::all_of(text.begin(), text.end(), is_word_letter);
}

std::string escaped(unsigned char letter) {
  if (letter == '"' || letter == '\\') return fmt::format("\\{}", static_cast<char>(letter));
  if (letter < 0x20 || letter == 0x7f) return fmt::format("\\x{:02x}", letter);
  return std::string(1, static_cast<char>(letter));
}

std::string in_quotes(const std::string& text) {
  std::string quoted = "\"";
  for (const char letter : text) quoted += escaped(static_cast<unsigned char>(letter));
  return quoted + '"';
}

std::string scalar_yaml(const std::string& text, bool quoted) {
  const bool plain = !quoted && (is_word(text) || parse_number(text));
  return plain ? text : in_quotes(text);
}

Tree encode_value(bool value) { return Tree::scalar(value ? "true" : "false"); }
Tree encode_value(std::int64_t value) { return Tree::scalar(fmt::format("{}", value)); }
Tree encode_value(double value) { return Tree::scalar(format_number(value)); }
Tree encode_value(const std::string& value) { return Tree::scalar(value, {}, /*quoted=*/!is_word(value) || is_reserved(value)); }

template <class T>
Tree encode_value(const std::vector<T>& values) {
  Tree list = Tree::list();
  for (const T& value : values) list.items.push_back(encode_value(value));
  return list;
}

template <class T>
Tree encode_target(const T* value) {
  return encode_value(*value);
}
Tree encode_target(const Field::Section& section) { return encode(*section); }
Tree encode_target(Selection* selection) {
  Tree tree = encode(selection->fields());
  tree.entries.insert(tree.entries.begin(), {"kind", {}, encode_value(selection->kind())});
  return tree;
}
Tree encode_target(SelectionList* selections) {
  Tree list = Tree::list();
  for (std::size_t i = 0; i < selections->size(); ++i) list.items.push_back(encode_target(&(*selections)[i]));
  return list;
}

void write_block(std::string& out, const Tree& map, int indent) {
  for (const Entry& entry : map.entries) {
    out += fmt::format("{:{}}{}:", "", indent, scalar_yaml(entry.key, false));
    if (entry.value.is(Tree::Form::map) && !entry.value.entries.empty()) {
      out += '\n';
      write_block(out, entry.value, indent + 2);
    } else {
      out += " " + flow_yaml(entry.value) + "\n";
    }
  }
}

}  // namespace

Tree encode(const Field& field) {
  return std::visit([](const auto& target) { return encode_target(target); }, field.target);
}

Tree encode(const Fields& fields) {
  Tree map = Tree::map();
  for (const Field& field : fields.all()) map.entries.push_back({field.name, {}, encode(field)});
  return map;
}

std::string to_yaml(const Tree& tree) {
  if (!tree.is(Tree::Form::map) || tree.entries.empty()) return flow_yaml(tree) + "\n";
  std::string out;
  write_block(out, tree, 0);
  return out;
}

std::string flow_yaml(const Tree& tree) {
  std::string inside;
  for (const Tree& item : tree.items) inside += (inside.empty() ? "" : ", ") + flow_yaml(item);
  for (const Entry& entry : tree.entries) {
    inside += fmt::format("{}{}: {}", inside.empty() ? "" : ", ", scalar_yaml(entry.key, false), flow_yaml(entry.value));
  }
  switch (tree.form) {
    case Tree::Form::null: return "null";
    case Tree::Form::scalar: return scalar_yaml(tree.text, tree.quoted);
    case Tree::Form::list: return "[" + inside + "]";
    case Tree::Form::map: return "{" + inside + "}";
  }
  return inside;
}

}  // namespace ropewalk::config
