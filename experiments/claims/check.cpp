#include <algorithm>

#include "experiments/claims/judgement.hpp"
#include "experiments/claims/whole_run.hpp"
#include "experiments/config/expectation.hpp"
#include "experiments/text/nearest.hpp"

namespace ropewalk {
namespace {

using config::Complaints;
using config::expected;

/// Where a comparison, or the table, asks for a series at a length.
struct Request {
  config::Place place;
  std::string path;
  Term term;
};

std::vector<Request> requests_of(const Claim& claim) {
  std::vector<Request> requests;
  const auto add = [&](const std::vector<Comparison>& comparisons, const std::string& name) {
    for (std::size_t i = 0; i < comparisons.size(); ++i) {
      for (const Term& term : comparisons[i].terms()) {
        requests.push_back({comparisons[i].place, fmt::format("{}[{}]", name, i), term});
      }
    }
  };
  add(claim.predicate, "predicate");
  add(claim.tried, "tried");
  for (const Series& series : claim.series) {
    for (const LengthTerm& length : claim.table) {
      if (!is_whole_run_metric(series.metric)) requests.push_back({series.place, "table", {series.name, length}});
    }
  }
  return requests;
}

class Checker {
 public:
  Checker(const Claim& claim, const Study& study, Complaints& complaints)
      : claim_(claim), study_(study), complaints_(complaints) {}

  void check() {
    if (!settings_are_known()) return;  // or every series would be complained of
    for (const Series& series : claim_.series) {
      for (const Case& one : cases_of(claim_)) check_series(series, one);
    }
    for (const Request& request : requests_of(claim_)) check_length(request);
  }

 private:
  bool settings_are_known() {
    bool known = true;
    for (std::size_t i = 0; i < claim_.pair.size(); ++i) {
      known &= is_known(claim_.pair[i].path, claim_.pair[i].place, fmt::format("pair[{}]", i));
    }
    if (!claim_.each.path.empty()) known &= is_known(claim_.each.path, claim_.each.place, "each." + claim_.each.path);
    return known;
  }

  bool is_known(const std::string& setting, const config::Place& place, const std::string& path) try {
    study_.expect_setting(setting);
    return true;
  } catch (const UsageError& error) {
    complaints_.add(place, path, error.what());
    return false;
  }

  void check_series(const Series& series, const Case& one) {
    const std::string path = "series." + series.name;
    try {
      for (const auto& [key, run] : study_.select(series, one, claim_.pair)) {
        const auto settings = evaluated_under(series, *run);
        if (!settings) return;  // complained of
        if (is_of_lengths(series.metric)) check_protocol(series, settings->protocols);
        lengths_[{series.name, run->trained}] = settings->lengths;
      }
    } catch (const UsageError& error) {
      complaints_.add(series.place, path, error.what());
    }
  }

  void check_protocol(const Series& series, const std::vector<std::string>& protocols) {
    const std::string& protocol = series.protocol;
    if (std::ranges::count(protocols, protocol) > 0) return;
    complaints_.add(series.place, fmt::format("series.{}.protocol", series.name),
                    expected("one of " + config::comma_separated(protocols), protocol, nearest(protocol, protocols)));
  }

  /// What the series' numbers of a run come from.
  std::optional<config::EvaluateSettings> evaluated_under(const Series& series, const StudyRun& run) {
    if (series.evaluation.empty()) return run.run->settings.evaluate;
    const auto evaluation = std::ranges::find(claim_.evaluations, series.evaluation, &ClaimEvaluation::name);
    const std::string path = "evaluations." + evaluation->name;
    try {
      return asked_evaluation(*run.run, *evaluation, "", study_.plan().name).config.settings.evaluate;
    } catch (const config::ConfigErrors& errors) {
      for (const config::Complaint& each : errors.complaints()) {
        complaints_.add(evaluation->place, path, fmt::format("{}: {}", each.path, each.message));
      }
    } catch (const UsageError& error) {
      complaints_.add(evaluation->place, path, error.what());
    }
    return std::nullopt;
  }

  void check_length(const Request& request) {
    if (!request.term.length) return;
    for (const auto& [key, lengths] : lengths_) {
      const auto& [series, trained] = key;
      const Index length = request.term.length->of(trained);
      if (series != request.term.series || std::ranges::count(lengths, length) > 0) continue;
      std::vector<std::string> there;
      for (const Index each : lengths) there.push_back(std::to_string(each));
      complaints_.add(request.place, request.path,
                      fmt::format("{} at {}: expected one of the evaluated lengths {}, got {}", series, request.term.length->text,
                                  config::comma_separated(there), length));
    }
  }

  const Claim& claim_;
  const Study& study_;
  Complaints& complaints_;
  std::map<std::pair<std::string, std::int64_t>, std::vector<Index>> lengths_;  ///< by series and trained length
};

}  // namespace

void check_claim(const Claim& claim, const Study& study, Complaints& complaints) { Checker(claim, study, complaints).check(); }

}  // namespace ropewalk
