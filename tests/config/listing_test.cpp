#include "experiments/config/listing.hpp"

#include <gtest/gtest.h>

#include <string>

#include "tests/config/toy.hpp"

namespace ropewalk::config {
namespace {

TEST(Listing, HoldsEverySettingOfEveryKind) {
  toy::Settings settings;
  Fields fields;
  settings.describe(fields);
  std::string lines;
  for (const SettingInfo& setting : list_settings(fields))
    lines += setting.path + " | " + setting.type + " | " + setting.value + " | " + setting.bounds + " | " + setting.help + "\n";
  EXPECT_EQ(lines,
            "name | text | toy |  | name of the experiment\n"
            "seed | integer | 0 | >= 0 | seed of everything random\n"
            "model.kind | text | decoder | one of decoder, encoder | which way tokens look\n"
            "model.heads | integer | 4 | in [1, 64] | attention heads\n"
            "model.dropout | number | 0.0 | in [0, 1) | probability\n"
            "model.tied | true or false | false |  | share the embedding with the head\n"
            "model.position.kind | kind | none | one of none, rope, alibi, sum | positional scheme\n"
            "model.position(rope).base | number | 10000.0 | > 1 | base of the angles\n"
            "model.position(rope).layout | text | interleaved | one of interleaved, half | which numbers form a pair\n"
            "model.position(rope).scaling.kind | kind | none | one of none, linear | beyond the trained length\n"
            "model.position(rope).scaling(linear).factor | number | 2.0 | >= 1 | stretch of the positions\n"
            "model.position(rope).scaling(linear).from | integer | 0 | >= 0 | tokens; 0: the trained length\n"
            "model.position(alibi).slopes | text | fixed | one of fixed, learned | slopes\n"
            "model.position(sum).parts | list of kinds | "
            "[{kind: rope, base: 10000.0, layout: interleaved, scaling: {kind: none}}, {kind: alibi, slopes: fixed}] | "
            "2 to 3 elements, each one of none, rope, alibi, sum | schemes that all apply\n"
            "train.rate | number | 0.001 | > 0 | peak learning rate\n"
            "train.betas | list of numbers | [0.9, 0.98] | 2 elements, in [0, 1) | decay of the moments\n"
            "train.lengths | list of integers | [64, 128] | at least 1 elements, >= 1 | tokens\n"
            "train.protocols | list of text | [sliding] | one of sliding, nonoverlapping | how windows lie\n");
  EXPECT_EQ(settings.model.position.kind(), "none");
}

TEST(Listing, PathsWithoutKindsAreAsWritten) {
  EXPECT_EQ(without_kinds("model.position(rope).scaling(linear).factor"), "model.position.scaling.factor");
  EXPECT_EQ(without_kinds("seed"), "seed");
}

}  // namespace
}  // namespace ropewalk::config
