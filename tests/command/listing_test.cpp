#include "experiments/command/listing.hpp"

#include <gtest/gtest.h>

#include "experiments/config/plan.hpp"
#include "experiments/config/task.hpp"
#include "experiments/report/metric.hpp"
#include "framework/positional/sampler.hpp"
#include "framework/positional/scheme.hpp"

namespace ropewalk {
namespace {

using testing::IsSubstring;

template <class Base>
void expect_every_kind(const Registry<Base>& registry, const std::string& text) {
  ASSERT_FALSE(registry.empty());
  for (const Kind<Base>& kind : registry) {
    EXPECT_PRED_FORMAT2(IsSubstring, "\n" + kind.name + ": " + kind.help + "\n", "\n" + text);
    EXPECT_PRED_FORMAT2(IsSubstring, kind.formula, text);
    EXPECT_PRED_FORMAT2(IsSubstring, kind.paper, text);
  }
}

TEST(Listing, ShowsEveryRegisteredKind) {
  expect_every_kind(positional::schemes(), listing("schemes"));
  expect_every_kind(positional::samplers(), listing("samplers"));
  expect_every_kind(config::tasks(), listing("tasks"));
}

TEST(Listing, ShowsTheSettingsOfAKindBelowIt) {
  const std::string text = listing("schemes");
  const std::size_t rope = text.find("\nrope: "), base = text.find("\n    base: ", rope);
  ASSERT_NE(base, std::string::npos);
  EXPECT_EQ(text.find("\nalibi: ", rope) < base, text.find("\nalibi: ") < text.find("\nrope: "))
      << "base is below rope, not alibi";
}

TEST(Listing, ShowsEveryMetricAndEverySetting) {
  const std::string all_metrics = listing("metrics"), settings = listing("settings");
  for (const Metric& metric : metrics()) EXPECT_PRED_FORMAT2(IsSubstring, metric.name + ": " + metric.help, all_metrics);
  for (const config::SettingInfo& setting : config::every_setting()) {
    EXPECT_PRED_FORMAT2(IsSubstring, "\n" + setting.path + ": " + setting.type, "\n" + settings);
  }
  EXPECT_PRED_FORMAT2(IsSubstring, "\ntrain.batch: integer, default 32, ", settings);
}

TEST(Listing, EverySubjectHasText) {
  for (const std::string& subject : listing_subjects()) EXPECT_FALSE(listing(subject).empty()) << subject;
}

}  // namespace
}  // namespace ropewalk
