#include "experiments/config/run_id.hpp"

#include <algorithm>
#include <cctype>
#include <functional>
#include <vector>

#include "experiments/config/encode.hpp"
#include "experiments/config/merge.hpp"
#include "experiments/config/schema.hpp"
#include "experiments/config/stages.hpp"
#include "experiments/text/hash.hpp"

namespace ropewalk::config {
namespace {

constexpr std::size_t longest_slug = 80;

struct Part {
  int rank;  // in the slug: 0 the scheme, 1 the seed, 2 later stages, 3 the rest
  std::string text;
};

int rank_of(const std::string& path) {
  if (path == "seed") return 1;
  if (path.starts_with("train.stages")) return 2;
  return path == "model.position" || path.starts_with("model.position.") ? 0 : 3;
}

// A value as a file name may hold it: `1.0e-08` -> `1e-08`, `500.0` -> `500`.
std::string in_file_name(std::string text) {
  const std::size_t zero = text.find(".0");
  const bool whole = zero != std::string::npos && (zero + 2 == text.size() || text[zero + 2] == 'e');
  if (whole) text.erase(zero, 2);
  const auto is_safe = [](unsigned char letter) {
    return std::isalnum(letter) || letter == '.' || letter == '-' || letter == '_';
  };
  std::replace_if(text.begin(), text.end(), std::not_fn(is_safe), '_');
  return text;
}

bool is_free_text(const Field& field) { return std::holds_alternative<std::string*>(field.target) && field.choices.empty(); }

// The last name of a path; the section's for its kind, as in `model-encoder`.
std::string short_name(std::string path) {
  if (path.ends_with(".kind")) path.resize(path.size() - std::string_view(".kind").size());
  return path.substr(path.rfind('.') + 1);
}

class Slug {
 public:
  void collect(const Tree& settings, Fields& defaults, const std::string& prefix) {
    for (Field& field : defaults.all()) {
      const Tree& value = settings.find(field.name)->value;
      const std::string path = join(prefix, field.name);
      if (selection_of(&field)) add_kind(value, field, path);
      if (value.is(Tree::Form::scalar)) add_value(value, field, path);
      if (value.is(Tree::Form::map)) collect_inside(value, field, path);
      if (value.is(Tree::Form::list)) collect_elements(value, field, path);
    }
  }

  // What each later stage changes in the one before it.
  void collect_stages(const Tree& resolved, Fields& defaults) {
    const Tree* stages = value_at(resolved, split_path("train.stages"));
    if (!stages || stages->items.empty()) return;
    Tree before = stage_of(resolved);
    for (std::size_t i = 0; i < stages->items.size(); ++i) {
      const std::string path = fmt::format("train.stages[{}]", i);
      add(path + ".stage", fmt::format("{}", i + 2));
      for (const StageKey& key : stage_keys()) {
        collect_change(stages->items[i].find(key.key)->value, &before.find(key.key)->value, field_at(&defaults, key.path),
                       join(path, key.key));
      }
      before = stages->items[i];
    }
  }

  std::string text() {
    std::stable_sort(parts_.begin(), parts_.end(), [](const Part& a, const Part& b) { return a.rank < b.rank; });
    std::string slug;
    for (const Part& part : parts_) {
      if (slug.size() + 1 + part.text.size() > longest_slug) break;
      slug += (slug.empty() ? "" : "-") + part.text;
    }
    return slug;
  }

 private:
  static std::string kind_or_none(const Tree& section) {
    const Entry* kind = section.find("kind");
    return kind ? kind->value.text : "";
  }

  void collect_inside(const Tree& section, Field& field, const std::string& path) {
    with_inner_fields(&field, kind_or_none(section), [&](Fields* inner) { collect(section, *inner, path); });
  }

  // The kinds in a list follow each other without a name: `sum-sinusoidal-alibi`.
  void collect_elements(const Tree& list, Field& field, const std::string& path) {
    with_element(&field, [&](Field* element) {
      if (!element) return;
      for (const Tree& item : list.items) {
        parts_.push_back({rank_of(path), in_file_name(kind_or_none(item))});
        collect_inside(item, *element, path);
      }
    });
  }

  // `before`: the value it had, or null where it had none. `field`: the setting at its default, may be null.
  void collect_change(const Tree& value, const Tree* before, Field* field, const std::string& path) {
    if (value.is(Tree::Form::map)) {
      const bool same_kind = before && kind_or_none(value) == kind_or_none(*before);
      if (!same_kind && (before || kind_or_none(value) != selection_of(field)->kind())) add(path, kind_or_none(value));
      with_inner_fields(field, kind_or_none(value), [&](Fields* inner) {
        for (const Entry& entry : value.entries) {
          if (entry.key == "kind") continue;
          const Entry* had = same_kind ? before->find(entry.key) : nullptr;
          collect_change(entry.value, had ? &had->value : nullptr, find_field(inner, entry.key), join(path, entry.key));
        }
      });
    } else if (value.is(Tree::Form::scalar)) {
      const bool same = before ? same_content(value, *before) : field->implied || same_content(value, encode(*field));
      if (!same) add(path, value.text);
    }
  }

  void add_kind(const Tree& section, Field& field, const std::string& path) {
    const std::string kind = kind_or_none(section);
    const bool always = path == "model.position";
    if (always || kind != selection_of(&field)->kind()) add(path, kind);
  }

  void add_value(const Tree& value, const Field& field, const std::string& path) {
    const bool always = path == "seed";
    if (field.implied || is_free_text(field) || (!always && same_content(value, encode(field)))) return;
    add(path, value.text);
  }

  void add(const std::string& path, const std::string& value) {
    parts_.push_back({rank_of(path), fmt::format("{}-{}", short_name(path), in_file_name(value))});
  }

  std::vector<Part> parts_;
};

std::string slug_of(const Tree& resolved, Fields& defaults) {
  Slug slug;
  slug.collect(resolved, defaults, "");
  slug.collect_stages(resolved, defaults);
  return slug.text();
}

// 40 bits of the hash, the rest folded in.
std::uint64_t short_hash(Tree resolved) {
  constexpr std::uint64_t forty_bits = (std::uint64_t{1} << 40) - 1;
  resolved.erase("name");
  const std::uint64_t hash = fnv1a(to_yaml(resolved));
  return (hash >> 40) ^ (hash & forty_bits);
}

}  // namespace

std::string run_id(const Tree& resolved, Fields& defaults) {
  return fmt::format("{}-{:010x}", slug_of(resolved, defaults), short_hash(resolved));
}

}  // namespace ropewalk::config
