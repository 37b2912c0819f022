#include "experiments/command/check.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <set>

#include "experiments/claims/claim_file.hpp"
#include "experiments/command/verify.hpp"
#include "experiments/config/plan.hpp"
#include "experiments/errors.hpp"
#include "experiments/run/start.hpp"

namespace ropewalk {
namespace {

/// The mistakes of one config, each said once however many runs share it.
class Check {
 public:
  explicit Check(const std::string& file) : file_(file) {}

  int of(const std::vector<std::string>& sets) {
    attempt("", [&] {
      if (is_claim_file(file_)) return print_claim(sets);
      const config::Plan plan = config::load_plan(file_, sets);
      for (const config::RunConfig& run : plan.runs) check_run(run, plan);
      if (code_ == 0) print(plan);
    });
    return code_;
  }

 private:
  void print_claim(const std::vector<std::string>& sets) const {
    if (!sets.empty()) throw UsageError(fmt::format("{}: expected no --set for a claim, got {}", file_, sets.front()));
    fmt::print("{}", claim_is_fine(file_));
  }

  void check_run(const config::RunConfig& run, const config::Plan& plan) {
    attempt(file_ + ": ", [&] { expect_ready(run, plan); });
  }

  void print(const config::Plan& plan) const {
    for (const std::string& warning : plan.warnings) fmt::print("{}: {}\n", file_, warning);
    fmt::print("{}: fine, {} {}\n", file_, plan.runs.size(), plan.runs.size() == 1 ? "run" : "runs");
  }

  void attempt(const std::string& prefix, const std::function<void()>& body) {
    try {
      body();
    } catch (const UsageError& error) {
      fail(2, prefix + error.what());
    } catch (const FileError& error) {
      fail(3, prefix + error.what());
    }
  }

  void fail(int code, const std::string& message) {
    if (said_.insert(message).second) fmt::print(stderr, "{}\n", message);
    code_ = std::max(code_, code);
  }

  std::string file_;
  std::set<std::string> said_;
  int code_ = 0;
};

}  // namespace

int check_configs(const std::vector<std::string>& files, const std::vector<std::string>& sets) {
  int code = 0;
  for (const std::string& file : files) code = std::max(code, Check(file).of(sets));
  return code;
}

}  // namespace ropewalk
