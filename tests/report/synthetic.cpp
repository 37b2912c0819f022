#include "tests/report/synthetic.hpp"

#include <cmath>
#include <sstream>

#include "framework/core/error.hpp"

namespace ropewalk {

Settings settings_of_lines(const std::string& config) {
  Settings settings;
  std::istringstream lines(config);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find(": ");
    check(colon != std::string::npos, "expected 'path: value', got '{}'", line);
    settings[line.substr(0, colon)] = line.substr(colon + 2);
  }
  return settings;
}

RunRecord synthetic_record(const SyntheticRun& run) {
  RunRecord record;
  record.run_id = run.id;
  record.status = run.status;
  record.rotary = run.rotary;
  for (const auto& [path, value] : run.settings) record.config += path + ": " + value + "\n";
  EvaluateSeries& evaluate = record.evaluate;
  evaluate.step = {50, 100};
  evaluate.stage = {1, 1};
  evaluate.protocol = {"nonoverlapping", "sliding"};
  evaluate.length = run.lengths;
  evaluate.loss.assign(2 * run.loss.size(), 9.0);
  evaluate.loss.insert(evaluate.loss.end(), run.loss.begin(), run.loss.end());
  for (const double loss : run.loss) evaluate.loss.push_back(loss / 2);
  evaluate.bits_per_byte.emplace();
  for (const double loss : evaluate.loss) {
    evaluate.perplexity.push_back(std::exp(loss));
    evaluate.bits_per_byte->push_back(loss / std::log(2.0));
    evaluate.token_accuracy.push_back(0.5);
    evaluate.scored.push_back(640);
  }
  return record;
}

void write_synthetic(const std::filesystem::path& directory, const SyntheticRun& run) {
  std::filesystem::create_directories(directory / run.id);
  write_run(directory / run.id / "run.h5", synthetic_record(run));
}

}  // namespace ropewalk
