# Writes build_facts.cpp, at every build: which commit is built can change without any other file doing so. The file is only
# touched when what is in it changes, so nothing else is built anew.
#
#   cmake -D SOURCE=… -D OUTPUT=… -D BUILD=… -D YAML_CPP=… -P build_facts.cmake

find_program(GIT git)

# Sets `result` to what git says, to nothing if it refuses.
function(ask_git result)
  set(answer "")
  if(GIT)
    execute_process(COMMAND ${GIT} ${ARGN} WORKING_DIRECTORY ${SOURCE} OUTPUT_VARIABLE answer ERROR_QUIET
                    OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE failed)
    if(failed)
      set(answer "")
    endif()
  endif()
  set(${result} "${answer}" PARENT_SCOPE)
endfunction()

ask_git(commit rev-parse --short=12 HEAD)
ask_git(prefix rev-parse --show-prefix)  # not empty in an unpacked archive inside of another repository
if(commit AND NOT prefix)
  set(source "git ${commit}")
  ask_git(changes status --porcelain -- CMakeLists.txt framework experiments)
  if(changes)
    string(APPEND source ", changed")
  endif()
else()
  set(source "unknown")
endif()

string(REGEX REPLACE " *[^ ]*/[^ ]*" "" BUILD "${BUILD}")  # no paths of this machine
string(REGEX REPLACE "[\"\\]" "" BUILD "${BUILD}")
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT [[#include "experiments/run/build_facts.hpp"

namespace ropewalk::build_facts {

const char* const source = "@source@";
const char* const build = "@BUILD@";
const char* const yaml_cpp = "@YAML_CPP@";

}  // namespace ropewalk::build_facts
]])
