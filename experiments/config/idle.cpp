#include "experiments/config/idle.hpp"

#include <fmt/core.h>

namespace ropewalk::config {

std::vector<std::string> idle_settings(const Settings& settings) {
  const auto& model = settings.model;
  const std::string sampler = model.positions.kind(), scheme = model.position.kind();
  if (model.positions->change() == positional::Change::nothing || positional::acts_on(*model.positions, *model.position))
    return {};
  const bool ignores = model.position->traits().ignores_positions;
  return {fmt::format(
      "model.positions: {} changes nothing with model.position {}, which {}", sampler, scheme,
      ignores ? "does not read positions" : "goes by distances, and a shift of all positions leaves those as they are")};
}

}  // namespace ropewalk::config
