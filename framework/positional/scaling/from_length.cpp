#include "framework/positional/scaling/from_length.hpp"

namespace ropewalk::positional {

void FromLength::describe_original(Fields& fields) {
  fields
      .add("original", original_,
           "trained length before it is scaled, tokens (of a grid, but for log_scale, those of its longer side); 0: that of the "
           "stage before, or of the training")
      .at_least(0)
      .limit_to(1 << 24)
      .implied_by_model();
}

}  // namespace ropewalk::positional
