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
  ByName left = by_name(arrays);
  for (const Parameter& parameter : model.parameters()) {
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

void copy_back(const std::vector<NamedArray>& arrays, const nn::Transformer& model, const Tensor& flat) {
  if (const std::string why = misfit(model, arrays); !why.empty()) throw FileError("checkpoint: " + why);
  const ByName named = by_name(arrays);
  dispatch(flat.type(), [&]<class T>(T) {
    T* to = flat.data<T>();
    for (const Parameter& parameter : model.parameters()) to = std::ranges::copy(named.at(parameter.name)->values, to).out;
  });
}

}  // namespace ropewalk
