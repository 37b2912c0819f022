// Why a scheme or a sampler cannot serve a model.
#pragma once

#include <string>

namespace ropewalk::positional {

struct Complaint {
  std::string setting;  ///< the one to blame, as a path below the scheme ("scaling.factor"); "" for the kind itself
  std::string reason;   ///< a sentence
};

}  // namespace ropewalk::positional
