#include <array>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <sstream>

#include "framework/core/error.hpp"
#include "tests/kernels/support.hpp"

namespace ropewalk::kernels {
namespace {

/// Output of `nm` on an object file: one line a symbol that other files see, "address type name", names as the linker has them.
std::string external_symbols(const std::filesystem::path& object) {
  const std::string command = "nm --defined-only --extern-only '" + object.string() + "'";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string output;
  std::array<char, 4096> buffer;
  while (pipe && fgets(buffer.data(), buffer.size(), pipe.get())) output += buffer.data();
  return output;
}

// A symbol that two compilations share would be merged by the linker, perhaps into a body this processor cannot run.
TEST(InstructionSets, CompilationsShareNoSymbol) {
  for (const std::string name : {"generic", "avx2", "avx512"}) {
    const std::filesystem::path folder = std::filesystem::path(ROPEWALK_BINARY_DIR) / "CMakeFiles" / ("simd_" + name + ".dir");
    if (!std::filesystem::exists(folder)) continue;  // not a processor of this family
    int symbols = 0;
    for (const auto& file : std::filesystem::recursive_directory_iterator(folder)) {
      if (file.path().extension() != ".o") continue;
      std::istringstream lines(external_symbols(file.path()));
      for (std::string address, type, symbol; lines >> address >> type >> symbol; ++symbols) {
        if (type == "V") continue;  // a weak object, such as the type information sanitizers ask for, holds no instructions
        EXPECT_NE(symbol.find(std::to_string(name.size()) + name), std::string::npos) << file.path() << ": " << symbol;
      }
    }
    EXPECT_GT(symbols, 0) << folder;
  }
}

TEST(InstructionSets, GenericIsAlwaysThereAndTheWidestIsTheDefault) {
  EXPECT_EQ(instruction_sets().front(), "generic");
  EXPECT_EQ(&table<float>(), &table<float>(instruction_sets().back()));
}

TEST(InstructionSets, UnknownNameIsRefused) {
  try {
    table<float>("mmx");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("got 'mmx'"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace ropewalk::kernels
