#include "experiments/claims/carry_out.hpp"

#include <algorithm>
#include <map>
#include <thread>

#include "experiments/claims/judgement.hpp"
#include "experiments/run/interrupt.hpp"

namespace ropewalk {
namespace {

/// Runs of one study that go about it in the same way.
struct Share {
  const Study* study;
  bool alone;
  std::vector<std::string> ids;
};

void add_once(std::vector<std::string>& ids, const std::string& id) {
  if (std::ranges::count(ids, id) == 0) ids.push_back(id);
}

bool is_over(const ReportedRun* run) { return run && run->record.status != "running" && run->record.status != "interrupted"; }

/// What is left of the runs of the claims, with what those start from.
std::vector<Share> shares_of(const std::vector<ClaimOfStudy>& claims, Evidence& evidence) {
  std::vector<Share> shares;
  for (const auto& [claim, study] : claims) {
    auto share = std::ranges::find_if(shares, [&](const Share& one) { return one.study == study && one.alone == claim->alone; });
    if (share == shares.end()) share = shares.insert(shares.end(), {study, claim->alone, {}});
    for (const StudyRun* run : runs_of(*claim, *study)) {
      if (is_over(evidence.find_run(*study, *run))) continue;
      for (const config::RunConfig* each : study->with_starts(*run->run)) add_once(share->ids, each->id);
    }
  }
  std::erase_if(shares, [](const Share& share) { return share.ids.empty(); });
  return shares;
}

SweepOptions options_of(const Share& share, SweepOptions options) {
  options.filter.only = share.ids;
  if (share.alone) options.jobs = options.threads = 1;
  return options;
}

void add(SweepResult& sum, const SweepResult& more) {
  sum.done += more.done;
  sum.skipped += more.skipped;
  sum.elsewhere += more.elsewhere;
  sum.diverged += more.diverged;
  sum.failed += more.failed;
  sum.waiting += more.waiting;
  sum.unwritten += more.unwritten;
  sum.interrupted += more.interrupted;
}

/// Makes the evaluations of one claim that are not kept yet. False if interrupted.
bool evaluate_for(const ClaimOfStudy& one, const SweepOptions& options, Evidence& evidence, Crew& crew,
                  const EvaluationObserver& observer) {
  const auto& [claim, study] = one;
  for (const Series& series : claim->series) {
    if (series.evaluation.empty()) continue;
    const auto evaluation = std::ranges::find(claim->evaluations, series.evaluation, &ClaimEvaluation::name);
    for (const Case& each : cases_of(*claim)) {
      for (const auto& [key, run] : study->select(series, each, claim->pair)) {
        const ReportedRun* found = evidence.find_run(*study, *run);
        if (!found || !found->done()) continue;
        const AskedEvaluation asked = asked_evaluation(*run->run, *evaluation, options.out, study->plan().name);
        if (kept_evaluation(asked)) continue;
        observer.begun(run->run->id, evaluation->name);
        if (!evaluate_and_keep(asked, crew, [](double) { return !interrupted(); })) return false;
      }
    }
  }
  return true;
}

}  // namespace

SweepResult carry_out(const std::vector<ClaimOfStudy>& claims, const SweepOptions& options,
                      const std::function<SweepResult(const config::Plan&, const SweepOptions&)>& run,
                      const EvaluationObserver& observer) {
  SweepResult result;
  Evidence before(options.out);
  for (const Share& share : shares_of(claims, before)) {
    add(result, run(share.study->plan(), options_of(share, options)));
    if (result.interrupted > 0) return result;
  }
  Evidence after(options.out);
  const int threads = options.threads > 0 ? options.threads : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  Crew crew(threads - 1);
  for (const ClaimOfStudy& one : claims) {
    if (evaluate_for(one, options, after, crew, observer)) continue;
    ++result.interrupted;
    break;
  }
  return result;
}

}  // namespace ropewalk
