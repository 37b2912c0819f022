// Which shares of a plan become elements of a job array.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace ropewalk {

struct Division {
  std::size_t count = 0;            ///< shares the plan is cut into
  std::vector<std::size_t> shares;  ///< those with something left to do, from 1, in order
};

/// One share a run, but at most `most` of them; `is_over`: for each run of the plan, in order.
Division divide(const std::vector<bool>& is_over, std::size_t most);

/// Indices as Slurm writes them: `1-3,7,9-10`.
std::string array_indices(const std::vector<std::size_t>& indices);

}  // namespace ropewalk
