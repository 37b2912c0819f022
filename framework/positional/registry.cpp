// One line a scheme, one a scaling, one a sampler.
#include "framework/positional/abacus.hpp"
#include "framework/positional/alibi.hpp"
#include "framework/positional/axial_rope.hpp"
#include "framework/positional/cape.hpp"
#include "framework/positional/contiguous.hpp"
#include "framework/positional/cope.hpp"
#include "framework/positional/deberta.hpp"
#include "framework/positional/fire.hpp"
#include "framework/positional/forget.hpp"
#include "framework/positional/kerple.hpp"
#include "framework/positional/learned.hpp"
#include "framework/positional/learned_2d.hpp"
#include "framework/positional/none.hpp"
#include "framework/positional/offset.hpp"
#include "framework/positional/randomized.hpp"
#include "framework/positional/rope.hpp"
#include "framework/positional/sandwich.hpp"
#include "framework/positional/scaling/dynamic_ntk.hpp"
#include "framework/positional/scaling/linear.hpp"
#include "framework/positional/scaling/llama3.hpp"
#include "framework/positional/scaling/log_scale.hpp"
#include "framework/positional/scaling/longrope.hpp"
#include "framework/positional/scaling/ntk.hpp"
#include "framework/positional/scaling/rerope.hpp"
#include "framework/positional/scaling/self_extend.hpp"
#include "framework/positional/scaling/yarn.hpp"
#include "framework/positional/segment.hpp"
#include "framework/positional/shaw.hpp"
#include "framework/positional/sinusoidal.hpp"
#include "framework/positional/sum.hpp"
#include "framework/positional/t5.hpp"
#include "framework/positional/transformer_xl.hpp"
#include "framework/positional/xpos.hpp"

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
      {"shaw", "learned vectors for clipped offsets, added to keys and values",
       "q (k + aK[clip(n - m)])/sqrt(d); out = sum p (v + aV[clip(n - m)])", "Shaw, Uszkoreit, Vaswani 2018",
       make_kind<Scheme, Shaw>},
      {"transformer_xl", "scores with projected sinusoids of the offset and learned biases of content and position",
       "(q k + q W_R r + u k + v W_R r)/sqrt(d), r = sinusoid(m - n)", "Dai et al. 2019", make_kind<Scheme, TransformerXl>},
      {"t5", "a learned bias on scores for each bucket of distances", "table[h, bucket(m - n)]", "Raffel et al. 2020",
       make_kind<Scheme, T5>},
      {"rope", "queries and keys rotated pair by pair by an angle that grows with the position",
       "pair j of q turns by m theta_j, of k by n theta_j; theta_j = base^(-2j/d)", "Su et al. 2021", make_kind<Scheme, Rope>},
      {"xpos", "rope whose scores decay with the distance",
       "rope, times zeta_j^(m/S) on q and zeta_j^(-n/S) on k; zeta_j = (2j/d + gamma)/(1 + gamma)", "Sun et al. 2022",
       make_kind<Scheme, Xpos>},
      {"alibi", "a penalty on scores that grows linearly with the distance", "-slope_h |m - n|; slope_h = 2^(-8h/H)",
       "Press, Smith, Lewis 2021", make_kind<Scheme, Alibi>},
      {"kerple", "a learned kernel of the distance for each head", "log: -p ln(1 + a d); power: -a d^p; d = |m - n|",
       "Chi et al. 2022", make_kind<Scheme, Kerple>},
      {"sandwich", "the inner product of two sinusoids as a bias",
       "(sum_i cos(d base^(-2i/width)) - width/2) H/(8h), d = |m - n|", "Chi et al. 2023", make_kind<Scheme, Sandwich>},
      {"fire", "a small MLP of the distance relative to the query's position",
       "f(psi(d)/psi(max(m, threshold))), psi(x) = ln(c x + 1), d = |m - n|", "Li et al. 2023", make_kind<Scheme, Fire>},
      {"cope", "positions counted by gates that depend on query and key",
       "q e[p], p = sum_{l = n..m} sigmoid(q k_l), e between whole numbers", "Golovneva et al. 2024", make_kind<Scheme, Cope>},
      {"forget", "forget gates of the tokens in between as a bias", "sum_{l = n+1..m} ln sigmoid(w_h x_l + b_h)",
       "Lin et al. 2025", make_kind<Scheme, Forget>},
      {"deberta", "content looks at offsets, and offsets at content", "(q k + q_m K[delta(m, n)] + k_n Q[delta(n, m)])/sqrt(3d)",
       "He et al. 2020", make_kind<Scheme, Deberta>},
      {"abacus", "a learned vector for the place of a digit in its number, shifted at random in training",
       "x + table[place + offset]", "McLeish et al. 2024", make_kind<Scheme, Abacus>},
      {"segment", "a learned vector for the part of the sequence a token is in", "x + table[part]", "Devlin et al. 2019",
       make_kind<Scheme, Segment>},
      {"axial_rope", "rope over a grid: half of the head turns by the row, half by the column",
       "theta_j = base^(-2j/(d/2)) for both halves", "Heo et al. 2024", make_kind<Scheme, AxialRope>},
      {"learned_2d", "a learned vector for each patch of a grid, resampled when the grid changes", "x + table[row, column]",
       "Dosovitskiy et al. 2021", make_kind<Scheme, Learned2d>},
      {"sum", "several schemes at once", "what the parts add adds up", "", make_kind<Scheme, Sum>},
  };
  return registry;
}

const Registry<Scaling>& scalings() {
  static const Registry<Scaling> registry{
      {"none", "frequencies as they are", "", "", make_kind<Scaling, Unscaled>},
      {"linear", "position interpolation: all pairs turn more slowly", "m -> m/s", "Chen et al. 2023",
       make_kind<Scaling, Linear>},
      {"ntk", "a larger base: slow pairs are stretched, fast ones hardly", "base s^(d/(d-2))", "bloc97 2023; Peng et al. 2023",
       make_kind<Scaling, Ntk>},
      {"dynamic_ntk", "ntk with the stretch of the sequence at hand", "s = max(1, l/L)", "emozilla 2023; Peng et al. 2023",
       make_kind<Scaling, DynamicNtk>},
      {"yarn", "slow pairs interpolated, fast ones left alone, sharper scores",
       "theta ((1 - g)/s + g), g = clamp((L/lambda - alpha)/(beta - alpha)); cos, sin times 0.1 ln s + 1", "Peng et al. 2023",
       make_kind<Scaling, Yarn>},
      {"llama3", "long wavelengths stretched, short ones left alone", "lambda < L/high: keep; > L/low: times the factor",
       "Dubey et al. 2024", make_kind<Scaling, Llama3>},
      {"longrope", "a factor for each pair, none for the first positions", "theta_j/factor_j", "Ding et al. 2024",
       make_kind<Scaling, LongRope>},
      {"self_extend", "far positions in groups", "d <= window: d; else floor(m/G) + window - floor(window/G) - floor(n/G)",
       "Jin et al. 2024", make_kind<Scaling, SelfExtend>},
      {"rerope", "far positions all at the window's end", "min(m - n, window)", "Su 2023", make_kind<Scaling, ReRope>},
      {"log_scale", "scores grow with the logarithm of the position", "q k max(1, ln m/ln L)", "Su 2021; Chiang and Cholak 2022",
       make_kind<Scaling, LogScale>},
  };
  return registry;
}

const Registry<Sampler>& samplers() {
  static const Registry<Sampler> registry{
      {"contiguous", "0, 1, 2, …", "", "", make_kind<Sampler, Contiguous>},
      {"offset", "one random shift for each training sequence", "k, k + 1, k + 2, …", "Kiyono et al. 2021",
       make_kind<Sampler, Offset>},
      {"randomized", "a sorted draw of positions for each training sequence", "sorted, without replacement, of 0 .. range - 1",
       "Ruoss et al. 2023", make_kind<Sampler, Randomized>},
      {"cape", "a shift and a scale for each training sequence, a jitter for each token", "lambda (n + shift + jitter_n)",
       "Likhomanenko et al. 2021", make_kind<Sampler, Cape>},
  };
  return registry;
}

}  // namespace ropewalk::positional
