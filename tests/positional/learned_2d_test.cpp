#include "framework/positional/learned_2d.hpp"

#include "tests/positional/probe.hpp"

namespace ropewalk {
namespace {

using positional::contiguous;
using positional::resampling_weights;
using Row = std::vector<double>;

void expect_near(const Row& found, const Row& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-14) << "entry " << i;
}

// Output i of n lies at (i + 1/2)·from/to − 1/2, as in PyTorch's interpolate without aligned corners.
TEST(Resampling, BilinearByHand) {
  expect_near(resampling_weights(2, 4, false), {1, 0, 0.75, 0.25, 0.25, 0.75, 0, 1});
  expect_near(resampling_weights(4, 2, false), {0.5, 0.5, 0, 0, 0, 0, 0.5, 0.5});
}

// The kernel (Keys 1981, a = −3/4) is 225/256 at 1/4, 67/256 at 3/4, −27/256 at 5/4, −9/256 at 7/4, and 19/32 and −3/32 at
// 1/2 and 3/2.
TEST(Resampling, BicubicByHand) {
  const double k1 = 225.0 / 256, k3 = 67.0 / 256, k5 = -27.0 / 256, k7 = -9.0 / 256, near = 19.0 / 32, far = -3.0 / 32;
  expect_near(resampling_weights(2, 4, true), {k3 + k1 + k7, k5, k5 + k1, k3 + k7, k7 + k3, k1 + k5, k5, k7 + k1 + k3});
  expect_near(resampling_weights(4, 2, true), {near + far, near, far, 0, 0, far, near, near + far});
  expect_near(resampling_weights(4, 8, true), {k7 + k3 + k1,
                                               k5,
                                               0,
                                               0,  // between samples −1 and 0
                                               k5 + k1,
                                               k3,
                                               k7,
                                               0,  //
                                               k7 + k3,
                                               k1,
                                               k5,
                                               0,  //
                                               k5,
                                               k1,
                                               k3,
                                               k7,  //
                                               k7,
                                               k3,
                                               k1,
                                               k5,  //
                                               0,
                                               k5,
                                               k1,
                                               k3 + k7,  //
                                               0,
                                               k7,
                                               k3,
                                               k1 + k5,  //
                                               0,
                                               0,
                                               k5,
                                               k1 + k3 + k7});
}

TEST(Resampling, ToTheSameSizeIsTheIdentityAndWeightsAddUpToOne) {
  for (bool cubic : {false, true}) {
    expect_near(resampling_weights(3, 3, cubic), {1, 0, 0, 0, 1, 0, 0, 0, 1});
    for (Index from : {1, 2, 3, 5, 8}) {
      for (Index to : {1, 2, 3, 7, 16}) {
        const Row weights = resampling_weights(from, to, cubic);
        for (Index i = 0; i < to; ++i) {
          double sum = 0;
          for (Index j = 0; j < from; ++j) sum += weights[static_cast<std::size_t>(i * from + j)];
          EXPECT_NEAR(sum, 1, 1e-14) << from << " to " << to;
        }
      }
    }
  }
}

constexpr Index width = 2;
const positional::Context context{.width = width, .heads = 1, .length = 4};

/// What is added at these positions, [T, 2].
Row added(const positional::Scheme& scheme, const positional::Positions& positions) {
  const Tensor tokens = Tensor::zeros({1, positions.length()}, Type::i32);
  return scheme.embed(Tensor::zeros({1, positions.length(), width}, Type::f64), {tokens, positions, nullptr}).values();
}

TEST(Learned2d, OnTheTrainedGridTheTableIsAddedRowByRow) {
  for (const char* resample : {"bicubic", "bilinear"}) {
    const auto scheme = toy::prepared("learned_2d", {{"resample", resample}}, context);
    const Tensor table = toy::set_normal(*scheme, "table");
    EXPECT_EQ(table.shape(), (Shape{2, 2, width}));
    EXPECT_EQ(added(*scheme, contiguous(4)), table.values());
  }
}

TEST(Learned2d, OnAnotherGridRowsAndColumnsAreResampled) {
  const double k1 = 225.0 / 256, k3 = 67.0 / 256, k5 = -27.0 / 256, k7 = -9.0 / 256;
  const double linear[4][2] = {{1, 0}, {0.75, 0.25}, {0.25, 0.75}, {0, 1}};
  const double cubic[4][2] = {{k3 + k1 + k7, k5}, {k5 + k1, k3 + k7}, {k7 + k3, k1 + k5}, {k5, k7 + k1 + k3}};
  for (const auto& [resample, line] : {std::pair{"bilinear", linear}, {"bicubic", cubic}}) {
    const auto scheme = toy::prepared("learned_2d", {{"resample", resample}}, context);
    const Row table = toy::set_normal(*scheme, "table").values();
    Row expected;
    for (std::size_t row = 0; row < 4; ++row) {
      for (std::size_t column = 0; column < 4; ++column) {
        for (std::size_t c = 0; c < width; ++c) {
          double sum = 0;
          for (std::size_t a = 0; a < 2; ++a) {
            for (std::size_t b = 0; b < 2; ++b) sum += line[row][a] * line[column][b] * table[(a * 2 + b) * width + c];
          }
          expected.push_back(sum);
        }
      }
    }
    expect_near(added(*scheme, contiguous(16)), expected);
  }
}

TEST(Learned2d, SaysWhatItCannotServe) {
  const auto about = [](const std::vector<Index>& grid, const std::vector<Index>& lengths, Index reach = 0) {
    return toy::complaints(*toy::scheme("learned_2d", {{"grid", grid}}),
                           {.width = width, .heads = 1, .length = 8, .reach = reach}, lengths);
  };
  using Found = std::vector<std::string>;
  EXPECT_EQ(about({}, {8, 2, 32}), Found{});
  EXPECT_EQ(about({8}, {8}), Found{"grid: expected rows and columns, got one number"});
  EXPECT_EQ(about({3, 3}, {8}), Found{"grid: 3 rows of 3 columns are 9 patches: expected as many as the trained length 8"});
  EXPECT_EQ(about({}, {16}),
            Found{"grid: length 16 is no grid with the proportions of 2 rows of 4 columns; lengths are 2 times a square"});
  EXPECT_EQ(
      about({}, {8}, 2048),
      Found{": a sequence is a whole grid, row by row: positions that training draws below 2048 are not those of 8 patches; "
            "use model.positions contiguous"});
  const auto scheme = toy::prepared("learned_2d", {}, context);
  EXPECT_TRUE(scheme->reaches(16));
  EXPECT_FALSE(scheme->reaches(8));
  EXPECT_THROW(added(*scheme, contiguous(4, 1)), Error);
  EXPECT_THROW(added(*scheme, contiguous(8)), Error);
}

}  // namespace
}  // namespace ropewalk
