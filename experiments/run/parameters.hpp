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

/// Why a model cannot start from the parameters of another, in the words of `misfit`; empty if it can. `same_scheme`: the
/// positional scheme is the same, and its parameters are taken too; if it is not, they are left as they were drawn.
std::string obstacle(const nn::Transformer& model, const std::vector<NamedArray>& arrays, bool same_scheme);

/// Writes what is taken to `flat`. Throws `FileError` if there is an obstacle.
void take_over(const std::vector<NamedArray>& arrays, const nn::Transformer& model, const Tensor& flat, bool same_scheme);

/// Writes arrays back to where `named_arrays` read them. Throws `FileError` if one does not fit.
void copy_back(const std::vector<NamedArray>& arrays, const nn::Transformer& model, const Tensor& flat);

}  // namespace ropewalk
