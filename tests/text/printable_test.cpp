#include "experiments/text/printable.hpp"

#include <gtest/gtest.h>

namespace ropewalk {
namespace {

TEST(Printable, LeavesLinesAndLettersOfAllLanguages) { EXPECT_EQ(printable("why: 2 %\nça, 長さ"), "why: 2 %\nça, 長さ"); }

TEST(Printable, ShowsWhatWouldMoveACursor) { EXPECT_EQ(printable("a\x1b[2Jb\r\x7f\t"), "a\\x1b[2Jb\\x0d\\x7f\\x09"); }

}  // namespace
}  // namespace ropewalk
