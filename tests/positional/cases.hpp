// Every scheme of the registry as it comes, and once more for every other value of every setting it declares, down to those of
// the kinds it selects; as decoder and as encoder. A scheme added to the registry is tested without a line here.
#pragma once

#include "tests/nn/toy.hpp"

namespace ropewalk::toy {

constexpr Index trained = 8;

/// The registry, and after it the scheme that its README adds by way of example.
const Registry<positional::Scheme>& schemes();

struct Case {
  std::string kind;
  Values values;  ///< settings that are not at their defaults, those that make others possible first
  bool causal = true;

  nn::TransformerSettings settings() const;
  /// True if the scheme can serve this model at all.
  bool legal() const;
  positional::Traits traits() const { return settings().position->traits(); }
  /// False if the scheme itself says that it has nothing to say at this length.
  bool serves(Index trained_length, Index length) const;
  /// The smallest length from this one on that it serves; 0 if there is none within four times as much.
  Index served_from(Index trained_length, Index length) const;
};

/// A setting of a scheme, with all values to try.
struct Setting {
  Case base;                ///< with its default
  std::vector<Case> other;  ///< legal ones with another value, as many as come to mind
  bool words = false;       ///< each of its values means something else: words, switches, kinds
};

/// For every scheme, with all settings at their defaults and with each one changed; those that are legal.
std::vector<Case> all_cases();
/// Every setting of every scheme that can be changed in that kind of model.
std::vector<Setting> all_settings();
/// Schemes as they come that have no form in this kind of model.
std::vector<Case> refused_cases();

/// A name for the test: "rope_layout_half_decoder".
std::string name_of(const Case& one);
std::string case_name(const testing::TestParamInfo<Case>& info);
std::string setting_name(const testing::TestParamInfo<Setting>& info);
void PrintTo(const Case& one, std::ostream* out);
void PrintTo(const Setting& one, std::ostream* out);

}  // namespace ropewalk::toy
