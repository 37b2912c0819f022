#pragma once

#include "framework/positional/scheme.hpp"

namespace ropewalk::positional {

/// Nothing: under a causal mask order can still be inferred (NoPE; Haviv et al. 2022, Kazemnejad et al. 2023).
class None final : public CloneableScheme<None> {
 public:
  Traits traits() const override { return {.ignores_positions = true}; }
};

}  // namespace ropewalk::positional
