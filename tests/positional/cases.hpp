// Every scheme of the registry as it comes, and once more for every other value of every setting it declares; as decoder and as
// encoder. A scheme added to the registry is tested without a line here.
#pragma once

#include "tests/nn/toy.hpp"

namespace ropewalk::toy {

constexpr Index trained = 8;

struct Case {
  std::string kind;
  std::string setting;  ///< the one that is not at its default; empty: all are
  Value value;
  bool causal = true;

  nn::TransformerSettings settings() const;
  /// False if the scheme itself says that it has nothing to say at this length.
  bool serves(const nn::Transformer& model, Index trained_length, Index length) const;
};

/// For every scheme, with all settings at their defaults and with each one changed.
std::vector<Case> all_cases();
/// Only those in which a setting is changed.
std::vector<Case> changed_cases();

/// A name for the test: "rope_layout_half_decoder".
std::string name_of(const testing::TestParamInfo<Case>& info);
void PrintTo(const Case& case_, std::ostream* out);

}  // namespace ropewalk::toy
