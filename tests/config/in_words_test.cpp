#include "experiments/config/in_words.hpp"

#include <gtest/gtest.h>

#include "experiments/config/parse.hpp"

namespace ropewalk::config {
namespace {

std::string words_of(const std::string& yaml) {
  Complaints complaints;
  return in_words(parse(yaml, "c.yaml", Lines::shown, complaints).value());
}

TEST(InWords, ShortensKindsAndTheirSettings) {
  EXPECT_EQ(words_of("500"), "500");
  EXPECT_EQ(words_of("'two words'"), "two words");
  EXPECT_EQ(words_of("~"), "null");
  EXPECT_EQ(words_of("[0.9, 0.98]"), "[0.9, 0.98]");
  EXPECT_EQ(words_of("[]"), "[]");
  EXPECT_EQ(words_of("{base: 500, kind: rope}"), "rope base=500");
  EXPECT_EQ(words_of("{rate: 1e-3}"), "rate=1e-3");
}

TEST(InWords, SaysWhatBelongsToWhat) {
  EXPECT_EQ(words_of("{kind: rope, scaling: {kind: none}, base: 5}"), "rope scaling=none base=5");
  EXPECT_EQ(words_of("{kind: rope, scaling: {kind: yarn, factor: 4}, base: 5}"), "rope scaling=(yarn factor=4) base=5");
  EXPECT_EQ(words_of("{kind: sum, parts: [{kind: rope}, {kind: alibi, slopes: learned}]}"),
            "sum parts=[rope, alibi slopes=learned]");
}

}  // namespace
}  // namespace ropewalk::config
