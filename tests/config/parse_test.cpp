#include "experiments/config/parse.hpp"

#include <gtest/gtest.h>

#include <string>

#include "experiments/config/encode.hpp"
#include "experiments/config/text.hpp"

namespace ropewalk::config {
namespace {

struct Parsed {
  std::optional<Tree> tree;
  std::string errors;
};

Parsed parsed(const std::string& text, Lines lines = Lines::shown) {
  Complaints complaints;
  Parsed result{parse(text, "c.yaml", lines, complaints), ""};
  try {
    complaints.raise();
  } catch (const ConfigErrors& errors) {
    result.errors = errors.what();
  }
  return result;
}

std::string errors_of(const std::string& text) { return parsed(text).errors; }
std::string flow_of(const std::string& text) { return flow_yaml(parsed(text).tree.value()); }

TEST(Parse, KeepsTextQuotesAndPlaces) {
  const Tree tree = parsed("a: 010\nb:\n  - 'x'\n  - {c: 1e3}\n").tree.value();
  EXPECT_EQ(tree.find("a")->value.text, "010");
  EXPECT_FALSE(tree.find("a")->value.quoted);
  EXPECT_EQ(to_string(tree.find("a")->place), "c.yaml:1:1");
  EXPECT_EQ(to_string(tree.find("a")->value.place), "c.yaml:1:4");
  const Tree& list = tree.find("b")->value;
  EXPECT_TRUE(list.items[0].quoted);
  EXPECT_EQ(to_string(list.items[0].place), "c.yaml:3:5");
  EXPECT_EQ(to_string(list.items[1].find("c")->place), "c.yaml:4:6");
  EXPECT_EQ(to_string(list.items[1].find("c")->value.place), "c.yaml:4:9");
}

TEST(Parse, BlockTextIsText) {
  const Tree tree = parsed("a: |\n  12\n").tree.value();
  EXPECT_EQ(tree.find("a")->value.text, "12\n");
  EXPECT_TRUE(tree.find("a")->value.quoted);
}

TEST(Parse, ReadsWindowsLineEndsAndByteOrderMark) {
  EXPECT_EQ(flow_of("a: 'x'\r\nb: \"y z\"\r\n"), "{a: \"x\", b: \"y z\"}");
  EXPECT_EQ(flow_of("\xef\xbb\xbf"
                    "a: 1\r\nb: [2, 3]\r\n"),
            "{a: 1, b: [2, 3]}");
}

TEST(Parse, AliasesStandForWhatTheyName) {
  EXPECT_EQ(flow_of("a: &x {k: 1}\nb: *x\nc: &y 7\nd: [*y, *y]\n"), "{a: {k: 1}, b: {k: 1}, c: 7, d: [7, 7]}");
}

TEST(Parse, AbsentValuesAreNull) {
  EXPECT_EQ(flow_of("a:\nb: ~\nc: null\n"), "{a: null, b: null, c: null}");
  EXPECT_TRUE(parsed("").tree->is(Tree::Form::null));
  EXPECT_TRUE(parsed("# only a comment\n").tree->is(Tree::Form::null));
}

TEST(Parse, AnAbsentValueIsWhereItsKeyIs) {
  const Tree tree = parsed("a:\nb: ~\nc: {d: , e: null}\n").tree.value();
  EXPECT_EQ(to_string(tree.find("a")->value.place), "c.yaml:1:1");
  EXPECT_EQ(to_string(tree.find("b")->value.place), "c.yaml:2:4");
  EXPECT_EQ(to_string(tree.find("c")->value.find("d")->value.place), "c.yaml:3:5");
  EXPECT_EQ(to_string(tree.find("c")->value.find("e")->value.place), "c.yaml:3:13");
}

TEST(Parse, HidesLinesOfTheCommandLine) {
  EXPECT_EQ(parsed("{a: 1, a: 2}", Lines::hidden).errors, "c.yaml: expected each key once, got a again");
  EXPECT_EQ(parsed("[1,", Lines::hidden).errors, "c.yaml: expected valid YAML, got a list whose [ is never closed");
}

TEST(Parse, RefusesDuplicateKeysWithBothPlaces) {
  EXPECT_EQ(errors_of("a: 1\nb: {c: 1, c: 2}\na: 3\n"),
            "c.yaml:2:11: expected each key once, got c again, first given at c.yaml:2:5\n"
            "c.yaml:3:1: expected each key once, got a again, first given at c.yaml:1:1");
  EXPECT_EQ(flow_of("a: 1\na: {b: 2}\nc: 3\n"), "{a: 1, c: 3}");
}

TEST(Parse, RefusesMergeKeys) {
  EXPECT_EQ(errors_of("a: &x {k: 1}\nb:\n  <<: *x\n  k: 2\n"),
            "c.yaml:3:3: expected a name, got the merge key <<; use `extends: other.yaml` to build on a file");
}

TEST(Parse, RefusesKeysThatAreNotPlain) {
  EXPECT_EQ(errors_of("? [a, b]\n: 1\n"), "c.yaml:1:3: expected a name before the colon, got a list");
  EXPECT_EQ(errors_of("{~: 1}"), "c.yaml:1:2: expected a name before the colon, got nothing");
}

TEST(Parse, RefusesTags) {
  EXPECT_EQ(errors_of("a: !!int '3'\n"),
            "c.yaml:1:4: expected a value without a tag, got the tag <tag:yaml.org,2002:int>; remove it");
  EXPECT_EQ(errors_of("a: !mine [1]\n"), "c.yaml:1:4: expected a value without a tag, got the tag <!mine>; remove it");
}

TEST(Parse, RefusesASecondDocumentAndTrailingGarbage) {
  EXPECT_EQ(errors_of("a: 1\n---\nb: 2\n"), "c.yaml:2:1: expected valid YAML, got a second document; a config is one");
  EXPECT_EQ(errors_of("{a: 1} trailing\n"), "c.yaml:1:8: expected valid YAML, got a second document; a config is one");
  EXPECT_EQ(errors_of("a: 1\n]\n"),
            "c.yaml:2:1: expected valid YAML, got a closing bracket that does not match the one that is open");
  EXPECT_EQ(flow_of("---\na: 1\n...\n"), "{a: 1}");
}

TEST(Parse, ReportsSyntaxErrorsWithTheirPlace) {
  EXPECT_EQ(errors_of("a: [1, 2\nb: 3\n"), "c.yaml:2:2: expected valid YAML, got a list whose [ is never closed");
  EXPECT_EQ(errors_of("a: 1\n\tb: 2\n"), "c.yaml:2:1: expected valid YAML, got a tab in the indentation; use spaces");
  EXPECT_EQ(errors_of("a: *nowhere\n"),
            "c.yaml:1:4: expected valid YAML, got an alias of an anchor that does not come before it");
  EXPECT_EQ(errors_of("a:\n  b: 1\n \tc: 2\nd: 3\n"),
            "c.yaml:3:2: expected valid YAML, got a tab in the indentation; use spaces");
  EXPECT_EQ(errors_of("a: b: c\n"),
            "c.yaml:1:5: expected valid YAML, got a colon where no value can begin; text with a colon in it goes in quotes");
  EXPECT_EQ(errors_of("a: @b\n"),
            "c.yaml:1:4: expected valid YAML, got a character that can begin no text; put the text in quotes");
}

TEST(Parse, RefusesQuotesThatNeverClose) {
  const std::string unclosed = "expected valid YAML, got a quote that is never closed";
  EXPECT_EQ(errors_of("a: 1\nb: \"open\nc: 2\n"), "c.yaml:2:4: " + unclosed);
  EXPECT_EQ(errors_of("\xef\xbb\xbf"
                      "b: 'it''s\n"),
            "c.yaml:1:4: " + unclosed);
  EXPECT_EQ(errors_of("b: &x \"a\\\"\n"), "c.yaml:1:4: " + unclosed);
  EXPECT_EQ(flow_of("a: &x \"q\\\"\"\nb: 'it''s'\nc: \"\"\nd: >\n  \"\n"), R"({a: "q\"", b: "it's", c: "", d: "\"\x0a"})");
}

TEST(Parse, RefusesBinaryAndForeignEncodings) {
  EXPECT_EQ(errors_of("a: caf\xe9\n"), "c.yaml:1:7: expected UTF-8 text, got the byte 0xe9");
  EXPECT_EQ(errors_of("a: 1\nb: \x04\nc: 2\n"), "c.yaml:2:4: expected UTF-8 text, got the byte 0x04");
  EXPECT_EQ(errors_of(std::string("a: \0\n", 5)), "c.yaml:1:4: expected UTF-8 text, got the byte 0x00");
  EXPECT_EQ(errors_of("\xff\xfe"
                      "a"),
            "c.yaml:1:1: expected UTF-8 text, got the byte 0xff");
}

TEST(Parse, AcceptsExactlyValidUtf8) {
  for (const char* good : {"é", "ﬀ", "\xed\x9f\xbf", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf", "中文"})
    EXPECT_FALSE(find_bad_byte(good)) << good;
  for (const char* bad : {"\xc0\x80", "\xc1\xbf", "\xe0\x9f\xbf", "\xed\xa0\x80", "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5",
                          "\x80", "\xe4\xb8", "\xc3", "\xc3(", "\xe4\xb8("})
    EXPECT_TRUE(find_bad_byte(bad)) << bad;
}

TEST(Parse, RefusesNestingAndAliasesWithoutEnd) {
  const std::string brackets(100, '['), closing(100, ']');
  EXPECT_EQ(errors_of(brackets + closing), "");
  EXPECT_EQ(errors_of("[" + brackets + closing + "]"),
            "c.yaml:1:101: expected valid YAML, got more than 100 values inside each other");
  EXPECT_NE(errors_of(std::string(100'000, '[')).find("got more than 100 values inside each other"), std::string::npos);
  EXPECT_NE(errors_of("a: &x [*x]\n").find("an alias inside the value it stands for"), std::string::npos);
  std::string bomb = "l0: &l0 [1, 1]\n";
  for (int i = 1; i < 60; ++i) bomb += fmt::format("l{}: &l{} [*l{}, *l{}]\n", i, i, i - 1, i - 1);
  EXPECT_NE(errors_of(bomb).find("more than 100000 values"), std::string::npos);
  std::string anchors, ends;
  for (int i = 0; i < 90; ++i) {
    anchors += fmt::format("&a{} [", i);
    ends += "]";
  }
  std::string many = "1";
  for (int i = 0; i < 2000; ++i) many += ", 1";
  EXPECT_NE(errors_of(anchors + many + ends).find("more than 100000 values"), std::string::npos);
}

}  // namespace
}  // namespace ropewalk::config
