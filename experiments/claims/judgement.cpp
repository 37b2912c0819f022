#include "experiments/claims/judgement.hpp"

#include <algorithm>
#include <set>

#include "experiments/claims/whole_run.hpp"

namespace ropewalk {
namespace {

/// Of a run's last stage: those before are runs of their own.
double own_seconds(const TrainSeries& train) {
  if (train.seconds.empty()) return 0;
  const auto own = std::ranges::find(train.stage, train.stage.back()) - train.stage.begin();
  return train.seconds.back() - (own == 0 ? 0 : train.seconds[static_cast<std::size_t>(own) - 1]);
}

class Judge {
 public:
  Judge(const Claim& claim, const Study& study, Evidence& evidence) : claim_(claim), study_(study), evidence_(evidence) {}

  Judgement judge() {
    Judgement judgement{&claim_, Verdict::undecided, judged(claim_.predicate), judged(claim_.tried), table(), 0, 0, 0};
    std::vector<Verdict> verdicts;
    for (const JudgedComparison& each : judgement.predicate) verdicts.push_back(each.finding.verdict);
    judgement.verdict = all_of(verdicts);
    count_runs(judgement);
    return judgement;
  }

 private:
  std::vector<JudgedComparison> judged(const std::vector<Comparison>& comparisons) {
    std::vector<JudgedComparison> result;
    for (const Comparison& comparison : comparisons) {
      for (const Case& one : cases_of(claim_)) {
        result.push_back({&comparison, one.name(), ropewalk::judge(comparison, pairs_of(comparison, one), bootstrap_)});
      }
    }
    return result;
  }

  std::vector<ObservedPair> pairs_of(const Comparison& comparison, const Case& one) {
    std::set<std::string> keys;
    for (const Term& term : comparison.terms()) {
      for (const auto& [key, run] : selection_of(term.series, one)) keys.insert(key);
    }
    std::vector<ObservedPair> pairs;
    for (const std::string& key : keys) pairs.push_back({side(comparison.left, one, key), side(comparison.right, one, key)});
    return pairs;
  }

  Observation side(const Side& side, const Case& one, const std::string& key) {
    Observation result = term(side.term, one, key);
    if (!result.value) return result;
    result.value->value *= side.factor;
    if (!side.divisor) return result;
    const Observation divisor = term(*side.divisor, one, key);
    if (!divisor.value) return divisor;
    if (divisor.value->at_least || result.value->at_least) return {{}, "a quotient of a number that is a bound", result.run};
    result.value->value /= divisor.value->value;
    return result;
  }

  Observation term(const Term& term, const Case& one, const std::string& key) {
    const PairedRuns& selection = selection_of(term.series, one);
    const auto run = selection.find(key);
    if (run == selection.end()) return {{}, fmt::format("{} has no run with {}", term.series, key), ""};
    return evidence_.observe(study_, *run->second, claim_, series(term.series), term.length);
  }

  const Series& series(const std::string& name) const { return *std::ranges::find(claim_.series, name, &Series::name); }

  const PairedRuns& selection_of(const std::string& name, const Case& one) {
    const auto [place, is_new] = selections_.try_emplace({name, one.name()});
    if (is_new) place->second = study_.select(series(name), one, claim_.pair);
    return place->second;
  }

  std::vector<TableRow> table() {
    std::vector<TableRow> rows;
    if (claim_.table.empty()) return rows;
    for (const Case& one : cases_of(claim_)) {
      for (const Series& each : claim_.series) {
        if (!is_whole_run_metric(each.metric)) rows.push_back(row_of(each, one));
      }
    }
    return rows;
  }

  TableRow row_of(const Series& series, const Case& one) {
    TableRow row{one.name(), series.name, {}};
    for (const LengthTerm& length : claim_.table) {
      TableRow::Cell cell;
      for (const auto& [key, run] : selection_of(series.name, one)) {
        const Observation seen = evidence_.observe(study_, *run, claim_, series, length);
        ++cell.runs;
        if (seen.value) cell.values.push_back(seen.value->value);
      }
      row.cells.push_back(std::move(cell));
    }
    return row;
  }

  void count_runs(Judgement& judgement) {
    for (const StudyRun* run : runs_of(claim_, study_)) {
      const ReportedRun* found = evidence_.find_run(study_, *run);
      ++judgement.runs;
      if (!found || !found->done()) continue;
      ++judgement.done;
      judgement.training_seconds += own_seconds(found->record.train);
    }
  }

  const Claim& claim_;
  const Study& study_;
  Evidence& evidence_;
  Bootstrap bootstrap_;
  std::map<std::pair<std::string, std::string>, PairedRuns> selections_;  ///< by series and case
};

}  // namespace

Judgement judge_claim(const Claim& claim, const Study& study, Evidence& evidence) {
  return Judge(claim, study, evidence).judge();
}

std::vector<const StudyRun*> runs_of(const Claim& claim, const Study& study) {
  std::set<const StudyRun*> wanted;
  for (const Case& one : cases_of(claim)) {
    for (const Series& series : claim.series) {
      for (const auto& [key, run] : study.select(series, one, claim.pair)) wanted.insert(run);
    }
  }
  return {wanted.begin(), wanted.end()};  // which are elements of one vector
}

}  // namespace ropewalk
