#include "tests/positional/probe.hpp"

namespace ropewalk {
namespace {

using toy::Heads;

constexpr double base = 50;

/// Which of the paper's terms are left: content and content, content and position, content bias, position bias (Dai et al. 2019,
/// §3.3, a to d).
struct Terms {
  const char* name;
  bool a, b, c, d;
};

class TransformerXl : public testing::TestWithParam<Terms> {};

/// Element of the sinusoid of an offset, sines and cosines in turn, as the scheme `sinusoidal` has them.
double sinusoid(double offset, Index element) {
  const double angle = offset * std::pow(base, -2.0 * static_cast<double>(element / 2) / 8);
  return element % 2 == 0 ? std::sin(angle) : std::cos(angle);
}

TEST_P(TransformerXl, TermsAreThoseOfThePaper) {
  const Terms on = GetParam();
  const Heads x{2, 7, 4};
  if (!on.a && !on.b) x.clear(0);
  if (!on.a && !on.c) x.clear(1);
  const auto scheme = toy::prepared("transformer_xl", {{"base", base}}, {.width = 8, .heads = 2, .length = 7});
  const auto values = [&](const char* name, bool present) {
    const Tensor drawn = toy::set_normal(*scheme, name);
    return (present ? drawn : toy::set(*scheme, name, std::vector<double>(static_cast<std::size_t>(drawn.size())))).values();
  };
  const std::vector<double> W = values("W_R", on.b || on.d), u = values("u", on.c), v = values("v", on.d);
  ASSERT_EQ(W.size(), 64u);
  for (const positional::Positions& at : {positional::contiguous(7, 3), positional::Positions{0, 1, 3, 4, 8, 30, 31}}) {
    toy::expect_scores(x, *scheme, at, [&](Index h, Index i, Index j) {
      double sum = 0;
      for (Index c = 0; c < 4; ++c) {
        const Index out = h * 4 + c;
        double projected = 0;
        for (Index e = 0; e < 8; ++e)
          projected += W[static_cast<std::size_t>(out * 8 + e)] * sinusoid(at.at(0, i) - at.at(0, j), e);
        if (on.a) sum += x.q(h, i, c) * x.k(h, j, c);
        if (on.b) sum += x.q(h, i, c) * projected;
        if (on.c) sum += u[static_cast<std::size_t>(out)] * x.k(h, j, c);
        if (on.d) sum += v[static_cast<std::size_t>(out)] * projected;
      }
      return sum / 2;
    });
  }
}

INSTANTIATE_TEST_SUITE_P(Terms, TransformerXl,
                         testing::Values(Terms{"content_content", true, false, false, false},
                                         Terms{"content_position", false, true, false, false},
                                         Terms{"content_bias", false, false, true, false},
                                         Terms{"position_bias", false, false, false, true}, Terms{"all", true, true, true, true}),
                         [](const auto& info) { return info.param.name; });

TEST(TransformerXlComplaints, AnOddModelWidthIsRefused) {
  EXPECT_EQ(toy::complaints(*toy::scheme("transformer_xl"), {.width = 9, .heads = 3, .length = 7}),
            std::vector<std::string>{": its sinusoid pairs a sine with a cosine and needs an even model.width, got 9"});
}

}  // namespace
}  // namespace ropewalk
