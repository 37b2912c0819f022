// A published claim as its file states it: which runs of which study, and what has to hold of what they measured.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiments/claims/comparison.hpp"
#include "experiments/config/tree.hpp"

namespace ropewalk {

/// Settings and the values they have to have, as text, in the order written.
using Conditions = std::vector<std::pair<std::string, std::string>>;

/// Runs of the study that differ in what pairs them alone, and what is measured of them.
struct Series {
  std::string name;
  config::Place place;     ///< of the name
  std::int64_t stage = 1;  ///< how many stages the runs have
  Conditions where;        ///< on the settings of their last stage
  Conditions first;        ///< on those of their first
  std::string evaluation;  ///< one of the claim's own; empty: what the run recorded
  std::string protocol = "nonoverlapping";
  std::string metric = "perplexity";
};

/// Settings under which the trained runs of series are evaluated anew, as arguments of `--set`.
struct ClaimEvaluation {
  std::string name;
  config::Place place;
  std::vector<std::string> sets;
};

/// The same predicate for each of several values of a setting: "each: {train.length: [64, 128]}".
struct Cases {
  std::string path;     ///< empty: there is one case
  config::Place place;  ///< of the path
  std::vector<std::string> values;
};

/// A setting in which the runs of a pair agree.
struct PairedBy {
  std::string path;
  config::Place place;
};

/// What was published, as a table.
struct Published {
  std::string what;
  std::vector<std::string> columns;
  std::vector<std::pair<std::string, std::vector<std::string>>> rows;
};

struct Claim {
  std::string id;  ///< name of the file, without its ending
  std::filesystem::path file;
  std::string text;    ///< the claim in a sentence
  std::string source;  ///< paper, and table or figure
  Published published;
  std::filesystem::path study;  ///< the config whose sweep has the runs
  std::string toy;              ///< why a small model can show it
  std::string note;             ///< what to bear in mind, or why it was not reproduced, probably; empty: nothing
  std::string figure;           ///< command that draws it, with --output; empty: none
  bool alone = false;           ///< runs one at a time on one thread, for what is timed
  std::vector<PairedBy> pair;
  Cases each;
  std::vector<ClaimEvaluation> evaluations;
  std::vector<Series> series;
  std::vector<Comparison> predicate;  ///< all of which have to hold
  std::vector<Comparison> tried;      ///< what else was looked at; decides nothing
  std::vector<LengthTerm> table;      ///< lengths at which all series are shown; empty: nowhere
};

}  // namespace ropewalk
