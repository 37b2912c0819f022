#include "experiments/claims/study.hpp"

#include <algorithm>
#include <set>

#include "experiments/config/flat_settings.hpp"
#include "experiments/config/resolved.hpp"
#include "experiments/errors.hpp"
#include "experiments/report/condition.hpp"
#include "experiments/text/join.hpp"

namespace ropewalk {
namespace {

Settings flat(const config::RunConfig& run) { return config::flat_settings(config::text_of(run.settings)); }

bool fulfils(const Settings& settings, const Conditions& conditions) {
  return std::ranges::all_of(conditions, [&](const auto& condition) {
    return Condition{"", condition.first, "=", condition.second}.holds(settings);
  });
}

std::vector<std::string> settings_of(const std::vector<StudyRun>& runs) {
  std::set<std::string> paths;
  for (const StudyRun& run : runs) {
    for (const auto& [path, value] : run.last) paths.insert(path);
  }
  return {paths.begin(), paths.end()};
}

/// The values that a setting has in the study, for whoever asked for another.
std::string values_in(const std::vector<StudyRun>& runs, Settings StudyRun::*stage, const std::string& path) {
  std::vector<std::string> values;
  for (const StudyRun& run : runs) {
    const auto found = (run.*stage).find(path);
    if (found != (run.*stage).end() && std::ranges::count(values, found->second) == 0) values.push_back(found->second);
  }
  return join(values, ", ");
}

std::string stages_in(const std::vector<StudyRun>& runs) {
  std::set<int> stages;
  for (const StudyRun& run : runs) stages.insert(run.run->stage);
  std::vector<std::string> words;
  for (const int stage : stages) words.push_back(std::to_string(stage));
  return join(words, ", ");
}

std::string key_of(const StudyRun& run, const std::vector<PairedBy>& pair) {
  Conditions key;
  for (const PairedBy& setting : pair) {
    const auto found = run.last.find(setting.path);
    if (found == run.last.end()) {
      throw UsageError(fmt::format("expected {} of each run, as runs are paired by it; {} has none", setting.path, run.run->id));
    }
    key.emplace_back(setting.path, found->second);
  }
  return in_words(key);
}

std::string names_of(const std::vector<PairedBy>& pair) {
  std::vector<std::string> names;
  for (const PairedBy& setting : pair) names.push_back(setting.path);
  return join(names, ", ");
}

Conditions all_conditions(const Series& series, const Case& one) {
  Conditions conditions = series.where;
  conditions.insert(conditions.end(), one.conditions.begin(), one.conditions.end());
  return conditions;
}

/// Why nothing was selected: what was asked for, and what there is.
std::string nothing_like(const Study& study, const Series& series, const Conditions& last) {
  std::vector<std::string> wanted;
  for (const std::string& words : {in_words(last), in_words(series.first, "first ")}) {
    if (!words.empty()) wanted.push_back(words);
  }
  wanted.push_back(series.stage == 1 ? "1 stage" : fmt::format("{} stages", series.stage));
  std::string there;
  for (const auto& [path, value] : last)
    there += fmt::format("; its {}: {}", path, values_in(study.runs(), &StudyRun::last, path));
  for (const auto& [path, value] : series.first) {
    there += fmt::format("; its first {}: {}", path, values_in(study.runs(), &StudyRun::first, path));
  }
  return fmt::format("expected runs of {} with {}, got none{}; its stages: {}", study.file().string(), join(wanted, ", "), there,
                     stages_in(study.runs()));
}

}  // namespace

std::string in_words(const Conditions& conditions, const std::string& prefix) {
  std::vector<std::string> words;
  for (const auto& [path, value] : conditions) words.push_back(fmt::format("{}{}={}", prefix, path, value));
  return join(words, ", ");
}

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
    Settings last = flat(run);
    Settings at_first = &first == &run ? last : flat(first);
    runs_.push_back({&run, std::move(at_first), std::move(last), first.settings.train.length});
  }
  settings_ = settings_of(runs_);
}

PairedRuns Study::select(const Series& series, const Case& one, const std::vector<PairedBy>& pair) const {
  const Conditions conditions = all_conditions(series, one);
  for (const Conditions* each : {&conditions, &series.first}) {
    for (const auto& [path, value] : *each) expect_setting(path);
  }
  PairedRuns selection;
  for (const StudyRun& run : runs_) {
    if (run.run->stage != series.stage || !fulfils(run.last, conditions) || !fulfils(run.first, series.first)) continue;
    const auto [place, is_new] = selection.emplace(key_of(run, pair), &run);
    if (is_new) continue;
    throw UsageError(fmt::format("expected one run of each {}, got {} and {} of {}; say more in where, first or stage",
                                 names_of(pair), place->second->run->id, run.run->id, place->first));
  }
  if (selection.empty()) throw UsageError(nothing_like(*this, series, conditions));
  return selection;
}

void Study::expect_setting(const std::string& path) const {
  if (std::ranges::binary_search(settings_, path)) return;
  const std::string near = nearest_setting(path, settings_);
  throw UsageError(fmt::format("expected a setting of the runs of {}, got {}{}", file_.string(), path,
                               near.empty() ? "" : "; did you mean " + near + "?"));
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
