#include "experiments/claims/study.hpp"

#include <algorithm>

#include "experiments/config/flat_settings.hpp"
#include "experiments/config/resolved.hpp"
#include "experiments/errors.hpp"
#include "experiments/report/condition.hpp"
#include "experiments/text/join.hpp"
#include "experiments/text/nearest.hpp"

namespace ropewalk {
namespace {

FlatSettings flat(const config::RunConfig& run) { return config::flat_settings(config::text_of(run.settings)); }

bool fulfils(const FlatSettings& settings, const Conditions& conditions) {
  return std::ranges::all_of(conditions, [&](const auto& condition) {
    return Condition{"", condition.first, "=", condition.second}.holds(settings);
  });
}

std::vector<std::string> paths_of(const std::vector<StudyRun>& runs) {
  FlatSettings all;
  for (const StudyRun& run : runs) all.insert(run.last.begin(), run.last.end());
  std::vector<std::string> paths;
  for (const auto& [path, value] : all) paths.push_back(path);
  return paths;
}

/// The values that a setting has in the study, for whoever asked for another.
std::string values_in(const std::vector<StudyRun>& runs, const std::string& path) {
  std::vector<std::string> values;
  for (const StudyRun& run : runs) {
    const auto found = run.last.find(path);
    if (found != run.last.end() && std::ranges::count(values, found->second) == 0) values.push_back(found->second);
  }
  return join(values, ", ");
}

std::string in_words(const Conditions& conditions) {
  std::vector<std::string> words;
  for (const auto& [path, value] : conditions) words.push_back(path + "=" + value);
  return join(words, ", ");
}

std::string key_of(const StudyRun& run, const std::vector<std::string>& pair) {
  Conditions key;
  for (const std::string& path : pair) {
    const auto found = run.last.find(path);
    if (found == run.last.end()) throw UsageError(fmt::format("pair: {}: expected a setting of run {}", path, run.run->id));
    key.emplace_back(path, found->second);
  }
  return in_words(key);
}

Conditions all_conditions(const Series& series, const Case& one) {
  Conditions conditions = series.where;
  conditions.insert(conditions.end(), one.conditions.begin(), one.conditions.end());
  return conditions;
}

}  // namespace

std::string Case::name() const { return in_words(conditions); }

std::vector<Case> cases_of(const Claim& claim) {
  std::vector<Case> cases;
  for (const std::string& value : claim.each.values) cases.push_back({{{claim.each.path, value}}});
  if (cases.empty()) cases.emplace_back();
  return cases;
}

Study::Study(const std::filesystem::path& file) : file_(file), plan_(config::load_plan(file)) {
  for (const config::RunConfig& run : plan_.runs) {
    const config::RunConfig& first = *with_starts(run).front();
    runs_.push_back({&run, flat(first), flat(run), first.settings.train.length});
  }
}

PairedRuns Study::select(const Series& series, const Case& one, const std::vector<std::string>& pair) const {
  const Conditions conditions = all_conditions(series, one);
  const std::vector<std::string> known = paths_of(runs_);
  for (const Conditions* each : {&conditions, &series.first}) {
    for (const auto& [path, value] : *each) {
      if (std::ranges::count(known, path) > 0) continue;
      throw UsageError(fmt::format("expected a setting of the runs of {}, got {}{}", file_.string(), path,
                                   nearest(path, known).empty() ? "" : "; did you mean " + nearest(path, known) + "?"));
    }
  }
  PairedRuns selection;
  for (const StudyRun& run : runs_) {
    if (run.run->stage != series.stage || !fulfils(run.last, conditions) || !fulfils(run.first, series.first)) continue;
    const auto [place, is_new] = selection.emplace(key_of(run, pair), &run);
    if (is_new) continue;
    throw UsageError(fmt::format("expected one run of each {}, got {} and {} of {}; say more in where, first or stage",
                                 join(pair, ", "), place->second->run->id, run.run->id, place->first));
  }
  if (!selection.empty()) return selection;
  std::string there;
  for (const auto& [path, value] : conditions) there += fmt::format("; its {}: {}", path, values_in(runs_, path));
  const std::string wanted = conditions.empty() ? "" : in_words(conditions) + ", ";
  throw UsageError(fmt::format("expected runs of {} with {}trained in {} {}, got none{}", file_.string(), wanted, series.stage,
                               series.stage == 1 ? "stage" : "stages", there));
}

std::vector<const config::RunConfig*> Study::with_starts(const config::RunConfig& run) const {
  std::vector<const config::RunConfig*> chain{&run};
  while (!chain.back()->before.empty()) {
    chain.push_back(&*std::ranges::find(plan_.runs, chain.back()->before, &config::RunConfig::id));
  }
  std::ranges::reverse(chain);
  return chain;
}

}  // namespace ropewalk
