#include "experiments/run/parameters.hpp"

#include <algorithm>
#include <map>

#include "experiments/errors.hpp"

namespace ropewalk {
namespace {

using ByName = std::map<std::string, const NamedArray*>;

ByName by_name(const std::vector<NamedArray>& arrays) {
  ByName found;
  for (const NamedArray& array : arrays) found[array.name] = &array;
  return found;
}

/// `position.table`, `blocks.0.position.aK`.
bool is_positional(const std::string& name) {
  return name.starts_with("position.") || name.find(".position.") != std::string::npos;
}

/// Writes the arrays to `flat`, but for the positional ones if they are not asked for.
void write(const std::vector<NamedArray>& arrays, const nn::Transformer& model, const Tensor& flat, bool positional) {
  const ByName named = by_name(arrays);
  dispatch(flat.type(), [&]<class T>(T) {
    T* to = flat.data<T>();
    for (const Parameter& parameter : model.parameters()) {
      if (positional || !is_positional(parameter.name)) std::ranges::copy(named.at(parameter.name)->values, to);
      to += parameter.tensor->size();
    }
  });
}

}  // namespace

std::vector<NamedArray> named_arrays(const nn::Transformer& model, const Tensor& flat) {
  std::vector<NamedArray> arrays;
  const float* values = flat.data<float>();
  for (const Parameter& parameter : model.parameters()) {
    arrays.push_back({parameter.name, parameter.tensor->shape(), {values, values + parameter.tensor->size()}});
    values += parameter.tensor->size();
  }
  return arrays;
}

std::string misfit(const nn::Transformer& model, const std::vector<NamedArray>& arrays) {
  return obstacle(model, arrays, /*same_scheme=*/true);
}

std::string obstacle(const nn::Transformer& model, const std::vector<NamedArray>& arrays, bool same_scheme) {
  ByName left = by_name(arrays);
  if (!same_scheme) std::erase_if(left, [](const auto& entry) { return is_positional(entry.first); });
  for (const Parameter& parameter : model.parameters()) {
    if (!same_scheme && is_positional(parameter.name)) continue;
    const auto place = left.find(parameter.name);
    if (place == left.end() || place->second->shape != parameter.tensor->shape()) {
      return fmt::format("expected {} {}, got {}", parameter.name, to_string(parameter.tensor->shape()),
                         place == left.end() ? "nothing of that name" : to_string(place->second->shape));
    }
    left.erase(place);
  }
  if (left.empty()) return "";
  const NamedArray& other = *left.begin()->second;
  return fmt::format("expected nothing called {}, got {}", other.name, to_string(other.shape));
}

void take_over(const std::vector<NamedArray>& arrays, const nn::Transformer& model, const Tensor& flat, bool same_scheme) {
  if (const std::string why = obstacle(model, arrays, same_scheme); !why.empty()) throw FileError("checkpoint: " + why);
  write(arrays, model, flat, same_scheme);
}

void copy_back(const std::vector<NamedArray>& arrays, const nn::Transformer& model, const Tensor& flat) {
  if (const std::string why = misfit(model, arrays); !why.empty()) throw FileError("checkpoint: " + why);
  write(arrays, model, flat, true);
}

}  // namespace ropewalk
