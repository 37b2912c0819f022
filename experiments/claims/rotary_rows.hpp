// What theory says of the bases of a study, beside how far its runs carried.
#pragma once

#include <vector>

#include "experiments/claims/evidence.hpp"
#include "experiments/report/table.hpp"

namespace ropewalk {

/// A header and a row for each base, head width and stage, over the runs that are done; nothing if the study has not several
/// bases.
std::vector<Row> rotary_rows(const Study& study, Evidence& evidence);

}  // namespace ropewalk
