#include "experiments/report/report.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "experiments/errors.hpp"
#include "experiments/record/file.hpp"
#include "experiments/record/index.hpp"
#include "experiments/report/csv.hpp"
#include "experiments/report/join.hpp"
#include "experiments/report/length_table.hpp"
#include "experiments/report/metric.hpp"
#include "experiments/report/rotary_table.hpp"

namespace ropewalk {
namespace {

void expect_protocol(const std::vector<ReportedRun>& runs, const std::string& protocol) {
  std::set<std::string> known;
  for (const ReportedRun& run : runs) known.insert(run.record.evaluate.protocol.begin(), run.record.evaluate.protocol.end());
  if (known.empty() || known.contains(protocol)) return;
  throw UsageError(fmt::format("report: protocol: expected one of {}, which these runs have, got '{}'",
                               join({known.begin(), known.end()}, ", "), protocol));
}

std::string list(const std::string& title, const std::vector<std::string>& items) {
  if (items.empty()) return "";
  std::string text = "\n" + title + "\n";
  for (const std::string& item : items) text += "  " + item + "\n";
  return text;
}

std::vector<std::string> not_done(const std::vector<ReportedRun>& runs) {
  std::vector<std::string> items;
  for (const ReportedRun& run : runs) {
    if (!run.done()) items.push_back(fmt::format("{}: {}, step {}", run.record.run_id, run.record.status, run.step()));
  }
  return items;
}

/// Each once, a line each.
std::string notes_of(const std::vector<ReportedRun>& runs) {
  std::set<std::string> notes;
  for (const ReportedRun& run : runs) {
    if (!run.record.notes.empty()) notes.insert(run.record.notes);
  }
  std::string text;
  for (const std::string& note : notes) text += fmt::format("notes: {}\n", note);
  return text;
}

/// Runs by the setting `name`; under "" those without.
std::map<std::string, std::vector<ReportedRun>> by_experiment(const std::vector<ReportedRun>& runs) {
  std::map<std::string, std::vector<ReportedRun>> experiments;
  for (const ReportedRun& run : runs) {
    const auto name = run.settings.find("name");
    experiments[name == run.settings.end() ? "" : name->second].push_back(run);
  }
  return experiments;
}

/// How many rows of an index have no run yet.
std::size_t rows_without_run(const std::filesystem::path& experiment, const RunFilter& filter) try {
  const std::vector<IndexEntry> rows = read_index(experiment);
  return static_cast<std::size_t>(std::ranges::count_if(rows, [&](const IndexEntry& row) {
    return filter.accepts(row.run_id) && !std::filesystem::exists(experiment / row.run_id / "run.h5");
  }));
} catch (const FileError&) {
  return 0;  // an index is no more than a help
}

/// Runs of the same experiments that are planned and have not begun; tags are not asked for, since they have none yet.
std::size_t not_begun(const std::vector<ReportedRun>& runs, const RunFilter& filter) {
  std::set<std::filesystem::path> experiments;
  for (const ReportedRun& run : runs) experiments.insert(run.path.parent_path().parent_path());
  std::size_t count = 0;
  for (const std::filesystem::path& experiment : experiments) count += rows_without_run(experiment, filter);
  return filter.tags.empty() ? count : 0;
}

std::string section(const std::string& name, const std::vector<ReportedRun>& runs, const Metric& metric,
                    const std::string& protocol, const RunFilter& filter) {
  const std::vector<std::string> unfinished = not_done(runs);
  const std::size_t waiting = not_begun(runs, filter);
  std::string text = name.empty() ? "" : name + ": ";
  text += fmt::format("{} of {} runs done{}\n{}\n", runs.size() - unfinished.size(), runs.size() + waiting,
                      waiting > 0 ? fmt::format(", {} not begun", waiting) : "", notes_of(runs));
  text += format_length_tables(runs, metric, protocol);
  if (const std::string rotary = format_rotary_table(runs); !rotary.empty()) text += "\n" + rotary;
  return text + list("Not done, not in the tables:", unfinished);
}

std::string sections(const std::vector<ReportedRun>& runs, const Metric& metric, const std::string& protocol,
                     const RunFilter& filter) {
  if (runs.empty()) return "0 runs that can be read\n";
  std::vector<std::string> texts;
  for (const auto& [name, its_runs] : by_experiment(runs)) texts.push_back(section(name, its_runs, metric, protocol, filter));
  return join(texts, "\n\n");
}

/// Throws `UsageError` if the filter fits none.
void apply(const RunFilter& filter, std::vector<ReportedRun>& runs) {
  std::vector<std::string> ids;
  for (const ReportedRun& run : runs) ids.push_back(run.record.run_id);
  expect_matches(filter, ids);
  std::erase_if(runs, [&](const ReportedRun& run) { return !filter.accepts(run.record.run_id, run.record.tags); });
}

}  // namespace

Report report(const std::filesystem::path& directory, const ReportOptions& options, const SettingsOf& settings_of) {
  const Metric& metric = find_metric(options.metric);
  Collection collection = collect_runs(directory, settings_of);
  apply(options.filter, collection.runs);
  expect_protocol(collection.runs, options.protocol);
  std::string text = sections(collection.runs, metric, options.protocol, options.filter);
  text += list("Copies, left out:", collection.copies);
  text += list("Damaged, left out:", collection.damaged);
  if (!options.csv.empty()) replace_file(options.csv, format_csv(collection.runs));
  return {text, collection.damaged};
}

}  // namespace ropewalk
