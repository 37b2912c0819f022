// What the program was built from and how, as the build wrote it down (cmake/build_facts.cmake).
#pragma once

namespace ropewalk::build_facts {

extern const char* const source;    ///< "git 1a2b3c4d5e6f, changed"
extern const char* const build;     ///< "Release, -O3 -Wall"
extern const char* const yaml_cpp;  ///< version: the library does not say

}  // namespace ropewalk::build_facts
