// Attention in the table of operations, and the problems its own tests share with it.
#pragma once

#include "framework/ops/attention.hpp"
#include "tests/ops/op_table.hpp"

namespace ropewalk {

/// What a positional scheme may put into attention.
struct AttentionKind {
  const char* name;
  bool causal = true;
  Index pairs_per_mille = 0;  ///< of the head's d/2 pairs, how many rotate
  bool interleaved = true;
  bool biased = false;
};

/// Causal or not, rotation in both layouts, whole and partial, bias, and all at once.
const std::vector<AttentionKind>& attention_kinds();

/// Terms for a sequence of `length` and heads of `width`; `bias` [H, 2T - 1] is used if the kind is biased.
AttentionTerms terms_of(const AttentionKind& kind, Index length, Index width, const Tensor& bias, Type type);

/// Both forms of attention for every kind, small enough for difference quotients.
std::vector<OpRow> attention_rows();

}  // namespace ropewalk
