#include "experiments/report/table.hpp"

#include <gtest/gtest.h>

namespace ropewalk {
namespace {

TEST(Table, AlignsCodePointsAndLeavesNoSpacesBehind) {
  EXPECT_EQ(format_table({{"run", "64*"}, {"Länge β", "1"}, {"x", ""}}),
            "run      64*\n"
            "------------\n"
            "Länge β  1\n"
            "x\n");
}

TEST(Table, AHeaderAlone) { EXPECT_EQ(format_table({{"a", "b"}}), "a  b\n----\n"); }

}  // namespace
}  // namespace ropewalk
