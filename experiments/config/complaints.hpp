// Everything that is wrong with a config, collected before anything is refused.
#pragma once

#include <string>
#include <vector>

#include "experiments/config/tree.hpp"
#include "experiments/errors.hpp"

namespace ropewalk::config {

/// One mistake. Prints as `file:line:column: key.path: expected …, got …; did you mean …?`.
struct Complaint {
  Place place;
  std::string path;  ///< dotted path of the setting; empty where there is none
  std::string message;

  bool operator==(const Complaint&) const = default;
};

std::string to_string(const Complaint& complaint);

/// All mistakes of a config, sorted by place; `what()` has one a line.
class ConfigErrors : public UsageError {
 public:
  explicit ConfigErrors(std::vector<Complaint> complaints);
  const std::vector<Complaint>& complaints() const { return complaints_; }

 private:
  std::vector<Complaint> complaints_;
};

class Complaints {
 public:
  /// Adds a mistake; one that is already there, such as one seen at every point of a sweep, is not repeated.
  void add(const Place& place, const std::string& path, const std::string& message);
  void add(const Complaints& others);
  /// True if the setting at `path`, something inside it or a section around it is complained of.
  bool about(const std::string& path) const;
  /// True if a text has the name of a setting that is complained of.
  bool any_named_in(const std::string& text) const;
  bool empty() const { return complaints_.empty(); }
  const std::vector<Complaint>& all() const { return complaints_; }
  /// Throws `ConfigErrors` if there are any.
  void raise() const;

 private:
  std::vector<Complaint> complaints_;
};

/// `expected …, got …`, and `; did you mean …?` if there is something near.
std::string expected(const std::string& what, const std::string& got, const std::string& near = "");

}  // namespace ropewalk::config
