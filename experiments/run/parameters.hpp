// Parameters of a model as named arrays, the way a checkpoint keeps them, and back.
#pragma once

#include <string>
#include <vector>

#include "experiments/record/checkpoint.hpp"
#include "framework/nn/transformer.hpp"

namespace ropewalk {

/// `flat` [P] as arrays with the names and shapes of the model's parameters, copied.
std::vector<NamedArray> named_arrays(const nn::Transformer& model, const Tensor& flat);

/// The first array that is not as the model's parameters ask for, "expected head.weight [256, 8], got [256, 10]"; empty if all
/// are.
std::string misfit(const nn::Transformer& model, const std::vector<NamedArray>& arrays);

/// Writes arrays back to where `named_arrays` read them. Throws `FileError` if one does not fit.
void copy_back(const std::vector<NamedArray>& arrays, const nn::Transformer& model, const Tensor& flat);

}  // namespace ropewalk
