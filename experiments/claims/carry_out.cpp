#include "experiments/claims/carry_out.hpp"

#include <algorithm>
#include <set>

#include "experiments/claims/judgement.hpp"
#include "experiments/run/interrupt.hpp"
#include "experiments/run/run.hpp"
#include "experiments/run/start.hpp"
#include "experiments/run/text_task.hpp"

namespace ropewalk {
namespace {

struct NamedEvaluation {
  const StudyRun* run;
  std::string name;
  AskedEvaluation asked;
};

/// What a claim looks at, or as much of it as is left to do.
struct Work {
  std::vector<const StudyRun*> runs;
  std::vector<NamedEvaluation> evaluations;
};

/// What a claim looks at. `out`: directory of results.
Work all_work(const ClaimOfStudy& one, const std::filesystem::path& out) {
  const auto& [claim, study] = one;
  Work work{runs_of(*claim, *study), {}};
  for (const Series& series : claim->series) {
    if (series.evaluation.empty()) continue;
    const auto evaluation = std::ranges::find(claim->evaluations, series.evaluation, &ClaimEvaluation::name);
    for (const Case& each : cases_of(*claim)) {
      for (const auto& [key, run] : study->select(series, each, claim->pair)) {
        AskedEvaluation asked = asked_evaluation(*run->run, *evaluation, out, study->plan().name);
        const auto is_same = [&](const NamedEvaluation& other) { return other.asked.file() == asked.file(); };
        if (std::ranges::any_of(work.evaluations, is_same)) continue;  // another series has it
        work.evaluations.push_back({run, evaluation->name, std::move(asked)});
      }
    }
  }
  return work;
}

bool is_over(const ReportedRun* run, bool retry_failed) { return run && !is_left({run->record.status}, retry_failed); }

/// What has not been done yet, and can still be.
Work work_left(const ClaimOfStudy& one, const SweepOptions& options, Evidence& evidence) {
  Work work = all_work(one, options.out);
  const auto over = [&](const StudyRun* run) { return is_over(evidence.find_run(*one.study, *run), options.retry_failed); };
  const auto is_done = [&](const StudyRun* run) {
    const ReportedRun* found = evidence.find_run(*one.study, *run);
    return found && found->done();
  };
  std::erase_if(work.runs, over);
  std::erase_if(work.evaluations, [&](const NamedEvaluation& evaluation) {
    return (over(evaluation.run) && !is_done(evaluation.run)) || kept_evaluation(evaluation.asked);
  });
  return work;
}

void expect_possible(const Work& work, const Study& study) {
  for (const StudyRun* run : work.runs) {
    for (const config::RunConfig* each : study.with_starts(*run->run)) expect_ready(*each, study.plan());
  }
  for (const NamedEvaluation& evaluation : work.evaluations) {
    const config::Settings& settings = evaluation.asked.config.settings;
    const config::Settings& trained = evaluation.run->run->settings;
    try {
      const auto corpus = corpus_of(settings);
      expect_unseen(settings, *corpus, trained, corpus_of(trained)->fingerprint);
      expect_enough_to_evaluate(settings, *corpus);
    } catch (const UsageError& error) {
      throw UsageError(fmt::format("evaluations.{}: {}", evaluation.name, error.what()));
    }
  }
}

/// Runs of one study that go about it in the same way.
struct Share {
  const Study* study;
  bool alone;
  std::set<std::string> ids;
};

/// What is left of the runs, with those they start from. What one claim wants to be alone is alone for all.
std::vector<Share> shares_of(const std::vector<ClaimOfStudy>& claims, const std::vector<Work>& left) {
  std::vector<Share> shares;
  for (const bool alone : {true, false}) {
    for (std::size_t i = 0; i < claims.size(); ++i) {
      const auto& [claim, study] = claims[i];
      if (claim->alone != alone) continue;
      const auto same = [&, wanted = study](const Share& share) { return share.study == wanted && share.alone == alone; };
      auto share = std::ranges::find_if(shares, same);
      if (share == shares.end()) share = shares.insert(shares.end(), {study, alone, {}});
      for (const StudyRun* run : left[i].runs) {
        for (const config::RunConfig* each : study->with_starts(*run->run)) share->ids.insert(each->id);
      }
    }
  }
  std::erase_if(shares, [](const Share& share) { return share.ids.empty(); });
  return shares;
}

SweepOptions options_of(const Share& share, SweepOptions options) {
  options.filter.only = {share.ids.begin(), share.ids.end()};
  if (share.alone) options.jobs = options.threads = 1;
  return options;
}

/// Makes those of runs that are done, unless another claim has asked for the same. False if interrupted.
bool evaluate(const Work& left, const Study& study, Evidence& evidence, Crew& crew, const ClaimWork& work) {
  for (const NamedEvaluation& evaluation : left.evaluations) {
    const ReportedRun* found = evidence.find_run(study, *evaluation.run);
    if (!found || !found->done() || kept_evaluation(evaluation.asked)) continue;
    work.evaluating(evaluation.run->run->id, evaluation.name);
    if (!evaluate_and_keep(evaluation.asked, crew, [](double) { return !interrupted(); })) return false;
  }
  return true;
}

}  // namespace

void expect_possible(const ClaimOfStudy& claim) { expect_possible(all_work(claim, ""), *claim.study); }

SweepResult carry_out(const std::vector<ClaimOfStudy>& claims, const SweepOptions& options, const ClaimWork& work) {
  Evidence before(options.out);
  std::vector<Work> left;
  for (const ClaimOfStudy& one : claims) {
    left.push_back(work_left(one, options, before));
    expect_possible(left.back(), *one.study);
  }
  SweepResult result;
  for (const Share& share : shares_of(claims, left)) {
    result.add(work.run(share.study->plan(), options_of(share, options)));
    if (result.interrupted > 0) return result;
  }
  Evidence after(options.out);
  Crew crew((options.threads > 0 ? options.threads : alone().cores()) - 1);
  for (std::size_t i = 0; i < claims.size(); ++i) {
    if (evaluate(left[i], *claims[i].study, after, crew, work)) continue;
    ++result.interrupted;
    break;
  }
  return result;
}

}  // namespace ropewalk
