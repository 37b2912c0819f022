#include "tests/claims/toy_study.hpp"

#include <unistd.h>

#include <cmath>
#include <fstream>

#include "experiments/claims/claim_file.hpp"
#include "experiments/record/run_record.hpp"

namespace ropewalk {
namespace {

namespace fs = std::filesystem;

constexpr const char* kStudy = R"(
name: toy
task: {kind: text, corpus: text.txt}
model: {layers: 1, heads: 1, width: 8, hidden: 8}
evaluate: {protocols: [nonoverlapping, sliding]}
sweep:
  grid: {model.position: [{kind: none}, {kind: alibi}]}
  list:
    - {train.length: 16, evaluate.lengths: [16, 32, 64]}
    - {train.length: 32, evaluate.lengths: [32, 64, 128]}
  seeds: 3
)";

constexpr const char* kHead = R"(claim: Toys behave
source: Nobody 2020, Table 1
published: {what: a number, columns: [L, 2L], rows: {alibi: [1.5, 2.5]}}
study: study.yaml
toy: It is one.
)";

fs::path new_directory() {
  static int count = 0;
  const fs::path path = fs::temp_directory_path() / fmt::format("toy_study_{}_{}", getpid(), count++);
  fs::create_directories(path);
  return path;
}

RunRecord record_of(const StudyRun& run, const std::string& status, const std::function<double(std::int64_t)>& loss) {
  RunRecord record;
  record.run_id = run.run->id;
  record.status = status;
  record.config = run.run->yaml;
  record.peak_bytes = 1000 * (run.run->settings.seed + 1);
  record.started = "2026-01-01T00:00:00Z";
  record.finished = "2026-01-01T00:01:00Z";
  record.train.step = {10, 20};
  record.train.stage = {1, 1};
  record.train.tokens = {100, 300};
  record.train.loss = record.train.rate = record.train.gradient_norm = {1, 1};
  record.train.seconds = {1, 1.5};
  EvaluateSeries& evaluate = record.evaluate;
  evaluate.step = {20};
  evaluate.stage = {1};
  evaluate.protocol = {"nonoverlapping", "sliding"};
  evaluate.length = run.run->settings.evaluate.lengths;
  for (const double factor : {1.0, 0.5}) {
    for (const std::int64_t length : evaluate.length) evaluate.loss.push_back(factor * loss(length));
  }
  evaluate.bits_per_byte.emplace();
  for (const double each : evaluate.loss) {
    evaluate.perplexity.push_back(std::exp(each));
    evaluate.bits_per_byte->push_back(each / std::log(2.0));
    evaluate.token_accuracy.push_back(0.5);
    evaluate.scored.push_back(64);
  }
  return record;
}

Claim sound_claim(const ToyStudy& toy, const std::string& lines) {
  config::Complaints complaints;
  Claim claim = read_claim(toy.write_claim(lines), complaints);
  complaints.raise();
  return claim;
}

}  // namespace

ToyStudy::ToyStudy() : directory(new_directory()), results(directory / "results"), file(directory / "study.yaml") {
  std::ofstream(file) << kStudy;
}

ToyStudy::~ToyStudy() { fs::remove_all(directory); }

void ToyStudy::write_runs(const LossOf& loss, const StatusOf& status) const {
  const Study study(file);
  for (const StudyRun& run : study.runs()) {
    const std::string scheme = run.last.at("model.position.kind");
    const std::int64_t seed = run.run->settings.seed;
    const std::string became = status(scheme, seed);
    if (became.empty()) continue;
    const fs::path place = results / "toy" / run.run->id;
    fs::create_directories(place);
    write_run(place / "run.h5",
              record_of(run, became, [&](std::int64_t length) { return loss(scheme, seed, run.trained, length); }));
  }
}

fs::path ToyStudy::write_claim(const std::string& lines) const {
  const fs::path claim = directory / "claim.yaml";
  std::ofstream(claim) << kHead << lines;
  return claim;
}

Judged::Judged(const ToyStudy& toy, const std::string& lines)
    : claim(sound_claim(toy, lines)), study(toy.file), evidence(toy.results), judgement(judge_claim(claim, study, evidence)) {}

std::string complaints_of(const ToyStudy& toy, const std::string& lines) {
  config::Complaints complaints;
  const Claim claim = read_claim(toy.write_claim(lines), complaints);
  if (complaints.empty()) check_claim(claim, Study(toy.file), complaints);
  if (complaints.empty()) return "";
  std::string text = config::ConfigErrors(complaints.all()).what();
  const std::string prefix = toy.directory.string() + "/";
  for (std::size_t place; (place = text.find(prefix)) != std::string::npos;) text.erase(place, prefix.size());
  return text;
}

}  // namespace ropewalk
