// The two kinds of error that carry an exit code of their own (DESIGN: 2 usage or config, 3 input or output).
#pragma once

#include "framework/core/error.hpp"

namespace ropewalk {

/// A command line or a config that cannot mean anything. Exit code 2.
class UsageError : public Error {
 public:
  using Error::Error;
};

/// A file that is missing, damaged, or cannot be written. Exit code 3.
class FileError : public Error {
 public:
  using Error::Error;
};

}  // namespace ropewalk
