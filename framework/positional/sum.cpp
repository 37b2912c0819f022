#include "framework/positional/sum.hpp"

#include <algorithm>

namespace ropewalk::positional {
namespace {

std::string path(std::size_t part, const std::string& setting) {
  return fmt::format("parts[{}].{}", part, setting.empty() ? "kind" : setting);
}

}  // namespace

void Sum::describe(Fields& fields) { fields.selections("parts", parts_, "the schemes, each with its settings").elements(2); }

Traits Sum::traits() const {
  Traits traits{.ignores_positions = true};  // until a part does not
  for (const Choice<Scheme>& part : parts_) traits |= part->traits();
  return traits;
}

std::vector<Complaint> Sum::complaints(const Context& context, const std::vector<Index>& lengths) const {
  std::vector<Complaint> found;
  Index turning = 0;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const std::string kind = parts_[i].kind();
    if (kind == "sum") {
      found.push_back({path(i, "kind"), "a sum inside a sum adds nothing: list its parts here"});
      continue;
    }
    for (const Complaint& complaint : complaints_about(*parts_[i], context, lengths)) {
      found.push_back({path(i, complaint.setting), complaint.reason});
    }
    if (parts_[i]->turning(context) && turning++ > 0) {
      found.push_back({path(i, "kind"), "queries and keys can be rotated by one part alone"});
    }
  }
  if (const auto rescaling = rescaling_part(); rescaling && parts_with_offset_vectors() > 1) {
    found.push_back({path(*rescaling, "kind"),
                     "divides its scores by a root of its own: no other part that looks vectors up by "
                     "distance goes with it"});
  }
  return found;
}

std::optional<std::size_t> Sum::rescaling_part() const {
  const auto place =
      std::find_if(parts_.begin(), parts_.end(), [](const Choice<Scheme>& part) { return part->traits().rescales; });
  return place == parts_.end() ? std::nullopt : std::optional(static_cast<std::size_t>(place - parts_.begin()));
}

Index Sum::parts_with_offset_vectors() const {
  return std::count_if(parts_.begin(), parts_.end(),
                       [](const Choice<Scheme>& part) { return part->traits().has_offset_vectors; });
}

void Sum::resolve(const Context& context) {
  for (Choice<Scheme>& part : parts_) {
    if (part.kind() != "sum") part->resolve(context);
  }
}

bool Sum::per_layer() const {
  return std::any_of(parts_.begin(), parts_.end(), [](const Choice<Scheme>& part) { return part->per_layer(); });
}

bool Sum::reaches(Index length) const {
  return std::all_of(parts_.begin(), parts_.end(), [&](const Choice<Scheme>& part) { return part->reaches(length); });
}

std::vector<std::unique_ptr<Scheme>> Sum::parts() const {
  std::vector<std::unique_ptr<Scheme>> parts;
  for (const Choice<Scheme>& part : parts_) parts.push_back(part->clone());
  return parts;
}

std::optional<Turning> Sum::turning(const Context& context) const {
  for (const Choice<Scheme>& part : parts_) {
    if (const auto turning = part->turning(context)) return turning;
  }
  return {};
}

}  // namespace ropewalk::positional
