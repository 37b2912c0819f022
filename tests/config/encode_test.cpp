#include "experiments/config/encode.hpp"

#include <gtest/gtest.h>

#include <string>

#include "tests/config/toy.hpp"

namespace ropewalk::config {
namespace {

std::string yaml_of(toy::Settings& settings) {
  Fields fields;
  settings.describe(fields);
  return to_yaml(encode(fields));
}

TEST(Encode, WritesEverySettingInOrder) {
  toy::Settings settings;
  ASSERT_EQ(toy::errors_of("model: {position: {kind: rope, scaling: {kind: linear}}}", settings), "");
  settings.train.protocols.clear();
  EXPECT_EQ(yaml_of(settings),
            "name: toy\n"
            "seed: 0\n"
            "model:\n"
            "  kind: decoder\n"
            "  heads: 4\n"
            "  dropout: 0.0\n"
            "  tied: false\n"
            "  position:\n"
            "    kind: rope\n"
            "    base: 10000.0\n"
            "    layout: interleaved\n"
            "    scaling:\n"
            "      kind: linear\n"
            "      factor: 2.0\n"
            "      from: 0\n"
            "train:\n"
            "  rate: 0.001\n"
            "  betas: [0.9, 0.98]\n"
            "  lengths: [64, 128]\n"
            "  protocols: []\n");
}

TEST(Encode, RoundTripsThroughItsOwnText) {
  toy::Settings settings;
  ASSERT_EQ(toy::errors_of("seed: 9007199254740993\n"
                           "model: {tied: true, position: {kind: rope, base: 1.0000000000000002e+17}}\n"
                           "train: {rate: 3.3333333333333335e-05, betas: [0.1, 0.30000000000000004]}",
                           settings),
            "");
  const std::string yaml = yaml_of(settings);
  toy::Settings again;
  ASSERT_EQ(toy::errors_of(yaml, again), "");
  EXPECT_EQ(yaml_of(again), yaml);
  EXPECT_EQ(again.seed, 9007199254740993);
  EXPECT_EQ(again.train.rate, settings.train.rate);
  EXPECT_EQ(again.train.betas, settings.train.betas);
}

TEST(Encode, RoundTripsNestedKindsAndListsOfThem) {
  toy::Settings settings;
  ASSERT_EQ(toy::errors_of("model: {position: {kind: sum, parts: [{kind: sum, parts: [{kind: none}, {kind: alibi}]}, "
                           "{kind: rope, base: 7, scaling: {kind: linear, factor: 4}}]}}",
                           settings),
            "");
  const std::string yaml = yaml_of(settings);
  EXPECT_NE(yaml.find("  position:\n"
                      "    kind: sum\n"
                      "    parts: [{kind: sum, parts: [{kind: none}, {kind: alibi, slopes: fixed}]}, "
                      "{kind: rope, base: 7.0, layout: interleaved, scaling: {kind: linear, factor: 4.0, from: 0}}]\n"),
            std::string::npos)
      << yaml;
  toy::Settings again;
  ASSERT_EQ(toy::errors_of(yaml, again), "");
  EXPECT_EQ(yaml_of(again), yaml);
}

TEST(Encode, QuotesTextThatWouldReadAsSomethingElse) {
  for (const std::string name :
       {"",     " ",    "true",  "NO",       "y",    "n",   "Null",         "~",  "12", "1e3", "010", ".inf", "a: b",
        "a #b", "[x]",  "{",     "- a",      "-",    "---", "*a",           "&a", "!t", "@",   "`",   "'",    "\"",
        "\\",   "a\nb", "tab\t", "\x01\x7f", "über", "a,b", "data/kjv.txt", "<<", "?",  "%x",  "|",   ">"}) {
    toy::Settings settings, again;
    settings.name = name;
    ASSERT_EQ(toy::errors_of(yaml_of(settings), again), "") << yaml_of(settings);
    EXPECT_EQ(again.name, name);
  }
}

TEST(Encode, LeavesPlainTextPlain) {
  std::string corpus = "data/kjv-2.txt";
  Fields fields;
  fields.add("corpus", corpus, "text");
  EXPECT_EQ(to_yaml(encode(fields)), "corpus: data/kjv-2.txt\n");
}

TEST(Encode, WritesEmptyAndFlowTrees) {
  EXPECT_EQ(to_yaml(Tree::map()), "{}\n");
  EXPECT_EQ(to_yaml(Tree()), "null\n");
  Complaints complaints;
  const Tree tree = parse("a: {}\nb: [{kind: rope, base: 5}, ~]\nc: {d: {}}\n", "c", Lines::shown, complaints).value();
  EXPECT_EQ(to_yaml(tree), "a: {}\nb: [{kind: rope, base: 5}, null]\nc:\n  d: {}\n");
}

}  // namespace
}  // namespace ropewalk::config
