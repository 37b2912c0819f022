#include "experiments/config/complaints.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

namespace ropewalk::config {
namespace {

std::vector<Complaint> sorted(std::vector<Complaint> complaints) {
  const auto earlier = [](const Complaint& a, const Complaint& b) { return a.place < b.place; };
  std::stable_sort(complaints.begin(), complaints.end(), earlier);
  return complaints;
}

bool is_inside(const std::string& path, const std::string& outer) {
  return path.starts_with(outer + ".") || path.starts_with(outer + "[");
}

std::string one_a_line(const std::vector<Complaint>& complaints) {
  std::string lines;
  for (const Complaint& complaint : complaints) lines += (lines.empty() ? "" : "\n") + to_string(complaint);
  return lines;
}

}  // namespace

std::string to_string(const Complaint& complaint) {
  if (complaint.path.empty()) return fmt::format("{}: {}", to_string(complaint.place), complaint.message);
  return fmt::format("{}: {}: {}", to_string(complaint.place), complaint.path, complaint.message);
}

ConfigErrors::ConfigErrors(std::vector<Complaint> complaints)
    : UsageError(one_a_line(sorted(complaints))), complaints_(sorted(std::move(complaints))) {}

void Complaints::add(const Place& place, const std::string& path, const std::string& message) {
  Complaint complaint{place, path, message};
  if (std::find(complaints_.begin(), complaints_.end(), complaint) == complaints_.end())
    complaints_.push_back(std::move(complaint));
}

void Complaints::add(const Complaints& others) {
  for (const Complaint& complaint : others.complaints_) add(complaint.place, complaint.path, complaint.message);
}

bool Complaints::about(const std::string& path) const {
  return std::any_of(complaints_.begin(), complaints_.end(), [&](const Complaint& complaint) {
    const std::string& other = complaint.path;
    return other == path || is_inside(other, path) || (!other.empty() && is_inside(path, other));
  });
}

bool Complaints::any_named_in(const std::string& text) const {
  return std::any_of(complaints_.begin(), complaints_.end(), [&](const Complaint& complaint) {
    const std::string setting = complaint.path.substr(0, complaint.path.find_last_not_of("[]0123456789") + 1);
    const std::string name = setting.substr(setting.rfind('.') + 1);
    return !name.empty() && text.find(name) != std::string::npos;
  });
}

void Complaints::raise() const {
  if (!complaints_.empty()) throw ConfigErrors(complaints_);
}

std::string expected(const std::string& what, const std::string& got, const std::string& near) {
  const std::string question = near.empty() ? "" : fmt::format("; did you mean {}?", near);
  return fmt::format("expected {}, got {}{}", what, got, question);
}

}  // namespace ropewalk::config
