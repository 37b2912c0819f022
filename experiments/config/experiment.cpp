#include "experiments/config/experiment.hpp"

#include "experiments/config/decode.hpp"

namespace ropewalk::config {
namespace {

constexpr std::size_t most_tags = 64;

}  // namespace

void Experiment::describe(Fields& fields) {
  fields.add("tags", tags, "words to choose runs by; changes no run").elements(0, most_tags);
  fields.add("notes", notes, "what the experiment is about, shown by status and report; changes no run");
  fields.section("launch", launch, "what --launcher slurm asks of the cluster; changes no run");
}

Experiment take_experiment(Tree& config, Complaints& complaints) {
  Experiment experiment;
  Fields fields;
  experiment.describe(fields);
  Tree own = Tree::map(config.place);
  for (const Field& field : fields.all()) {
    const Entry* entry = config.find(field.name);
    if (!entry) continue;
    own.entries.push_back(*entry);
    config.erase(field.name);
  }
  Complaints found;
  decode(own, fields, found);
  if (found.empty()) experiment.launch.check(own, found);
  complaints.add(found);
  return experiment;
}

std::vector<std::string> experiment_settings() {
  Experiment experiment;
  Fields fields;
  experiment.describe(fields);
  std::vector<std::string> names;
  for (const Field& field : fields.all()) names.push_back(field.name);
  return names;
}

}  // namespace ropewalk::config
