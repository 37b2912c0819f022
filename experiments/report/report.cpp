#include "experiments/report/report.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "experiments/errors.hpp"
#include "experiments/record/file.hpp"
#include "experiments/record/index.hpp"
#include "experiments/report/condition.hpp"
#include "experiments/report/csv.hpp"
#include "experiments/report/difference_table.hpp"
#include "experiments/report/extrapolation_table.hpp"
#include "experiments/report/length_table.hpp"
#include "experiments/report/rotary_table.hpp"
#include "experiments/report/sorting.hpp"
#include "experiments/text/join.hpp"
#include "experiments/text/printable.hpp"

namespace ropewalk {
namespace {

using Runs = std::vector<ReportedRun>;

void expect_protocol(const Runs& runs, const std::string& protocol) {
  std::set<std::string> known;
  for (const ReportedRun& run : runs) known.insert(run.record.evaluate.protocol.begin(), run.record.evaluate.protocol.end());
  if (known.empty() || known.contains(protocol)) return;
  throw UsageError(fmt::format("report: protocol: expected one of {}, which these runs have, got '{}'",
                               join({known.begin(), known.end()}, ", "), protocol));
}

void expect_step(const Runs& runs, std::optional<std::int64_t> step) {
  std::set<std::int64_t> known;
  for (const ReportedRun& run : runs) known.insert(run.record.evaluate.step.begin(), run.record.evaluate.step.end());
  if (!step || known.contains(*step)) return;
  std::vector<std::string> texts;
  for (const std::int64_t one : known) texts.push_back(fmt::format("{}", one));
  throw UsageError(
      fmt::format("report: step: expected one at which these runs were evaluated, {}, got {}; evaluate.every asks "
                  "for more of them",
                  texts.empty() ? "of which there is none yet" : join(texts, ", "), *step));
}

void expect_measured(const Runs& runs, const Metric& metric) {
  const auto is_measured = [&](const ReportedRun& run) { return metric.values(run.record.evaluate) != nullptr; };
  if (runs.empty() || std::ranges::any_of(runs, is_measured)) return;
  throw UsageError(fmt::format("report: metric: expected one that these runs measured, got '{}'", metric.name));
}

std::string list(const std::string& title, const std::vector<std::string>& items) {
  if (items.empty()) return "";
  std::string text = "\n" + title + "\n";
  for (const std::string& item : items) text += "  " + item + "\n";
  return text;
}

std::vector<std::string> not_done(const Runs& runs) {
  std::vector<std::string> items;
  for (const ReportedRun& run : runs) {
    if (run.done()) continue;
    const std::string why = run.record.message.empty() ? "" : ": " + printable(run.record.message);
    items.push_back(fmt::format("{}: {}, step {}{}", run.record.run_id, run.state, run.step(), why));
  }
  return items;
}

/// Each once, a line each.
std::string notes_of(const Runs& runs) {
  std::set<std::string> notes;
  for (const ReportedRun& run : runs) {
    if (!run.record.notes.empty()) notes.insert(run.record.notes);
  }
  std::string text;
  for (const std::string& note : notes) text += fmt::format("notes: {}\n", printable(note));
  return text;
}

/// Runs by the setting `name`; under "" those without.
std::map<std::string, Runs> by_experiment(const Runs& runs) {
  std::map<std::string, Runs> experiments;
  for (const ReportedRun& run : runs) {
    const auto name = run.settings.find("name");
    experiments[name == run.settings.end() ? "" : name->second].push_back(run);
  }
  return experiments;
}

std::set<std::filesystem::path> experiments_of(const Runs& runs) {
  std::set<std::filesystem::path> experiments;
  for (const ReportedRun& run : runs) experiments.insert(run.path.parent_path().parent_path());
  return experiments;
}

/// Whether there is something of that name, if only a link to nothing.
bool is_there(const std::filesystem::path& path) {
  std::error_code unknown;
  return std::filesystem::symlink_status(path, unknown).type() != std::filesystem::file_type::not_found;
}

/// What the index of an experiment lists; a message in `damaged` if it cannot be read.
std::vector<IndexEntry> rows_of(const std::filesystem::path& experiment, std::vector<std::string>& damaged) {
  if (!is_there(experiment / "index.h5")) return {};
  try {
    return read_index(experiment);
  } catch (const FileError& error) {
    damaged.push_back(error.what());
    return {};
  }
}

/// Runs of the same experiments that are planned and have not begun. Of these no tags and settings are known: where they are
/// asked for, none is counted.
std::size_t waiting(const Runs& runs, const ReportOptions& options, std::vector<std::string>& damaged) {
  std::size_t count = 0;
  for (const std::filesystem::path& experiment : experiments_of(runs)) {
    for (const IndexEntry& row : rows_of(experiment, damaged)) {
      count += options.filter.accepts(row.run_id) && !is_there(experiment / row.run_id / "run.h5") ? 1 : 0;
    }
  }
  return options.filter.tags.empty() && options.where.empty() ? count : 0;
}

/// Files that cannot be read beside these runs. They may be of runs that are not asked for: nobody can tell.
std::size_t damaged_beside(const Runs& runs, const std::vector<DamagedFile>& damaged) {
  const std::set<std::filesystem::path> experiments = experiments_of(runs);
  return static_cast<std::size_t>(std::ranges::count_if(
      damaged, [&](const DamagedFile& file) { return experiments.contains(file.path.parent_path().parent_path()); }));
}

/// `4 of 8 runs done, 1 damaged, 1 diverged, 2 waiting`
std::string format_counts(const Runs& runs, std::size_t waiting, std::size_t damaged) {
  std::map<std::string, std::size_t> counts;
  for (const ReportedRun& run : runs) ++counts[run.state];
  const std::size_t done = counts["done"];
  counts["waiting"] += waiting;
  counts["damaged"] += damaged;
  std::string text = fmt::format("{} of {} runs done", done, runs.size() + waiting + damaged);
  counts.erase("done");
  std::erase_if(counts, [](const auto& count) { return count.second == 0; });
  for (const auto& [state, count] : counts) text += fmt::format(", {} {}", count, state);
  return text;
}

/// The tables of one experiment.
std::string tables(const Runs& runs, const ReportOptions& options) {
  const Question question{
      find_metric(options.metric), {options.protocol, options.step}, options.group_by.empty() ? "seeds" : "runs"};
  std::vector<Group> groups = group_runs(runs, options.group_by);
  sort_groups(groups, options.sort, question);
  std::string text = format_length_tables(groups, question);
  const auto add = [&](const std::string& table) { text += table.empty() ? "" : "\n" + table; };
  add(format_extrapolation_table(groups, question));
  if (!options.baseline.empty()) {
    add(format_difference_table(groups, options.baseline, question, pairing_settings(runs, options.group_by)));
  }
  add(format_rotary_table(groups));
  return text;
}

/// `damaged` gets a message for an index that cannot be read.
std::string section(const std::string& name, const Runs& runs, const ReportOptions& options,
                    const std::vector<DamagedFile>& damaged_runs, std::vector<std::string>& damaged) {
  std::string text = name.empty() ? "" : name + ": ";
  text += format_counts(runs, waiting(runs, options, damaged), damaged_beside(runs, damaged_runs)) + "\n" + notes_of(runs) +
          "\n" + tables(runs, options);
  return text + list(options.step ? "Not done, in the tables if evaluated at this step:" : "Not done, not in the tables:",
                     not_done(runs));
}

std::string sections(const Runs& runs, const ReportOptions& options, const std::vector<DamagedFile>& damaged_runs,
                     std::vector<std::string>& damaged) {
  if (runs.empty()) return "0 runs that can be read\n";
  std::vector<std::string> texts;
  for (const auto& [name, its_runs] : by_experiment(runs))
    texts.push_back(section(name, its_runs, options, damaged_runs, damaged));
  return join(texts, "\n\n");
}

/// Throws `UsageError` if the filter fits none.
void apply(const RunFilter& filter, Runs& runs) {
  std::vector<std::string> ids;
  std::vector<std::vector<std::string>> tags;
  for (const ReportedRun& run : runs) {
    ids.push_back(run.record.run_id);
    tags.push_back(run.record.tags);
  }
  expect_matches(filter, ids);
  expect_tags(filter, tags);
  std::erase_if(runs, [&](const ReportedRun& run) { return !filter.accepts(run.record.run_id, run.record.tags); });
}

/// Throws `UsageError` if the conditions hold for none, or are about settings that none has.
void apply(const std::vector<std::string>& where, Runs& runs) {
  std::vector<Condition> conditions;
  for (const std::string& text : where) conditions.push_back(parse_condition(text));
  if (runs.empty()) return;
  expect_known_settings(conditions, runs);
  std::erase_if(runs, [&](const ReportedRun& run) {
    return !std::ranges::all_of(conditions, [&](const Condition& condition) { return condition.holds(run.settings); });
  });
  if (runs.empty()) throw UsageError(fmt::format("--where '{}': expected to hold for a run, got none", join(where, "' '")));
}

void set_states(Runs& runs, const RunReaders& readers) {
  for (ReportedRun& run : runs) {
    run.state = readers.state_of(run.path.parent_path().parent_path(), run.record.run_id, run.record.status);
  }
}

}  // namespace

Report report(const std::filesystem::path& directory, const ReportOptions& options, const RunReaders& readers) {
  const Metric& metric = find_metric(options.metric);
  Collection collection = collect_runs(directory, readers.settings_of);
  Runs& runs = collection.runs;
  apply(options.filter, runs);
  apply(options.where, runs);
  expect_known_settings("--group-by", options.group_by, runs);
  expect_measured(runs, metric);
  expect_protocol(runs, options.protocol);
  expect_step(runs, options.step);
  set_states(runs, readers);
  std::vector<std::string> damaged;
  for (const DamagedFile& file : collection.damaged) damaged.push_back(file.message);
  std::string text = sections(runs, options, collection.damaged, damaged);
  text += list("Copies, left out:", collection.copies);
  text += list("Damaged, left out:", damaged);
  if (!options.csv.empty()) replace_file(options.csv, format_csv(runs, metric));
  return {text, damaged};
}

}  // namespace ropewalk
