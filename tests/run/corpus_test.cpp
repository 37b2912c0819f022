#include "experiments/run/corpus.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/run/toy.hpp"

namespace ropewalk {
namespace {

using testing::IsSubstring;
using CorpusFiles = toy::InDirectory;

std::string text_of(const Corpus& corpus) { return {corpus.tokens.begin(), corpus.tokens.end()}; }

TEST_F(CorpusFiles, AFileIsItsBytes) {
  const std::string bytes("a\0\xff\r\nb", 6);
  EXPECT_EQ(text_of(read_corpus(write("text", bytes), 0.5)), bytes);
}

TEST_F(CorpusFiles, ADirectoryIsItsDocumentsByNameEachEndedByAZeroByte) {
  write("texts/b.txt", "second");
  write("texts/a.txt", "first");
  write("texts/c/d.txt", "third");
  write("texts/empty.txt", "");
  EXPECT_EQ(text_of(read_corpus(directory_ / "texts", 0.5)), std::string("first\0second\0third\0\0", 20));
}

TEST_F(CorpusFiles, TheLastFloorOfTheFractionIsHeldOut) {
  struct Case {
    std::size_t size;
    double validation;
    Index held_out;
  };
  for (const Case& c : {Case{1000, 0.1, 100}, Case{1009, 0.1, 100}, Case{9, 0.1, 0}, Case{7, 0.5, 3}, Case{1001, 0.25, 250}}) {
    const Corpus corpus = read_corpus(write("text", std::string(c.size, 'x')), c.validation);
    EXPECT_EQ(corpus.held_out(), c.held_out) << c.size << " · " << c.validation;
    EXPECT_EQ(corpus.training + corpus.held_out(), static_cast<Index>(c.size));
  }
}

TEST_F(CorpusFiles, AMissingOneNamesTheCommandThatFetchesIt) {
  for (const char* name : {"kjv.txt", "sotu", "sotu/"}) {
    const std::string message = message_of([&] { read_corpus(directory_ / name, 0.1); });
    EXPECT_PRED_FORMAT2(IsSubstring, (directory_ / name).string() + ": expected a text, found nothing", message);
    EXPECT_PRED_FORMAT2(IsSubstring, name[0] == 'k' ? "run scripts/fetch-data kjv" : "run scripts/fetch-data sotu", message);
  }
  const std::string own = message_of([&] { read_corpus(directory_ / "novel.txt", 0.1); });
  EXPECT_PRED_FORMAT2(IsSubstring, "task.corpus names a text file or a directory of them", own);
}

TEST_F(CorpusFiles, WhatHoldsNoBytesIsRefused) {
  std::filesystem::create_directory(directory_ / "texts");
  for (const std::filesystem::path& path : {write("empty.txt", ""), directory_ / "texts"}) {
    EXPECT_PRED_FORMAT2(IsSubstring, path.string() + ": expected a text, found no bytes",
                        message_of([&] { read_corpus(path, 0.1); }));
  }
}

TEST_F(CorpusFiles, WhatCannotBeReadIsNamed) {
  // Readable by nobody, not even by root: its first pages are not mapped.
  EXPECT_PRED_FORMAT2(IsSubstring, "/proc/self/mem: cannot read", message_of([] { read_corpus("/proc/self/mem", 0.1); }));
  if (::geteuid() == 0) return;
  const std::filesystem::path hidden = write("hidden/text", "x").parent_path();
  ::chmod(hidden.c_str(), 0);
  const std::string message = message_of([&] { read_corpus(hidden / "text", 0.1); });
  ::chmod(hidden.c_str(), 0700);
  EXPECT_PRED_FORMAT2(IsSubstring, (hidden / "text").string(), message);
}

TEST_F(CorpusFiles, IsReadOnceForAllWhoShareIt) {
  const std::filesystem::path file = write("text", "some text");
  const auto first = shared_corpus(file, 0.5);
  EXPECT_EQ(shared_corpus(file, 0.5), first);
  EXPECT_NE(shared_corpus(file, 0.25)->training, first->training);
}

}  // namespace
}  // namespace ropewalk
