// A study whose runs are made up, and claims about them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>

#include "experiments/claims/judgement.hpp"

namespace ropewalk {

/// A directory with study.yaml and results, removed in the end: `none` and `alibi`, trained on 16 and 32 tokens, three seeds
/// each, evaluated at one, two and four times that.
class ToyStudy {
 public:
  ToyStudy();
  ~ToyStudy();
  ToyStudy(const ToyStudy&) = delete;
  ToyStudy& operator=(const ToyStudy&) = delete;

  /// Of one run: losses by evaluated length. `status`: what became of it.
  using LossOf = std::function<double(const std::string& scheme, std::int64_t seed, std::int64_t trained, std::int64_t length)>;
  using StatusOf = std::function<std::string(const std::string& scheme, std::int64_t seed)>;

  /// Writes run.h5 of each run; one whose status is empty is left out.
  void write_runs(
      const LossOf& loss, const StatusOf& status = [](const auto&, auto) { return "done"; }) const;

  /// Writes a claim with these lines below what every claim has.
  std::filesystem::path write_claim(const std::string& lines) const;

  std::filesystem::path directory, results, file;
};

/// The claim of a file, held against the runs of the study. Throws `ConfigErrors` if it is not in order.
struct Judged {
  explicit Judged(const ToyStudy& toy, const std::string& lines);

  Claim claim;
  Study study;
  Evidence evidence;
  Judgement judgement;
};

/// What is wrong with a claim, one mistake a line, without the directory.
std::string complaints_of(const ToyStudy& toy, const std::string& lines);

}  // namespace ropewalk
