// One line a scheme, one line a sampler.
#include "framework/positional/alibi.hpp"
#include "framework/positional/contiguous.hpp"
#include "framework/positional/learned.hpp"
#include "framework/positional/none.hpp"
#include "framework/positional/rope.hpp"
#include "framework/positional/sampler.hpp"
#include "framework/positional/scheme.hpp"
#include "framework/positional/sinusoidal.hpp"
#include "framework/positional/t5.hpp"

namespace ropewalk::positional {

const Registry<Scheme>& schemes() {
  static const Registry<Scheme> registry{
      {"none", "no positions; order comes from the causal mask alone", "", "Haviv et al. 2022; Kazemnejad et al. 2023",
       make_kind<Scheme, None>},
      {"sinusoidal", "fixed sines and cosines added to the token embedding",
       "PE(m, 2i) = sin(m base^(-2i/D)), PE(m, 2i+1) = cos(m base^(-2i/D))", "Vaswani et al. 2017",
       make_kind<Scheme, Sinusoidal>},
      {"learned", "a learned vector for each position, added to the token embedding", "x + table[m]", "Gehring et al. 2017",
       make_kind<Scheme, Learned>},
      {"rope", "queries and keys rotated pair by pair by an angle that grows with the position",
       "pair j of q turns by m theta_j, of k by n theta_j; theta_j = base^(-2j/d)", "Su et al. 2021", make_kind<Scheme, Rope>},
      {"alibi", "a penalty on scores that grows linearly with the distance", "-slope_h |m - n|; slope_h = 2^(-8h/H)",
       "Press, Smith, Lewis 2021", make_kind<Scheme, Alibi>},
      {"t5", "a learned bias on scores for each bucket of distances", "table[h, bucket(m - n)]", "Raffel et al. 2020",
       make_kind<Scheme, T5>},
  };
  return registry;
}

const Registry<Sampler>& samplers() {
  static const Registry<Sampler> registry{
      {"contiguous", "0, 1, 2, …", "", "", make_kind<Sampler, Contiguous>},
  };
  return registry;
}

}  // namespace ropewalk::positional
