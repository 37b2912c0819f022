// What a failing call says.
#pragma once

#include <string>

#include "framework/core/error.hpp"

namespace ropewalk {

/// The message of the `Error` that `call` throws; says so if it throws none.
template <class Call>
std::string message(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

}  // namespace ropewalk
