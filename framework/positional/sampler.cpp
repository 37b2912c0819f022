#include "framework/positional/sampler.hpp"

#include "framework/positional/scheme.hpp"

namespace ropewalk::positional {

bool acts_on(const Sampler& sampler, const Scheme& scheme) {
  const Traits traits = scheme.traits();
  if (traits.ignores_positions || sampler.change() == Change::nothing) return false;
  return traits.absolute || sampler.change() != Change::shift;
}

}  // namespace ropewalk::positional
