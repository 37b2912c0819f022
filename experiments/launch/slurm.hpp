// What there is to say to Slurm, through its own client programs.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace ropewalk::slurm {

/// The largest index an element of a job array can have on this cluster: MaxArraySize - 1. Throws `FileError` if Slurm is not
/// there or does not answer.
std::size_t largest_array_index();

/// Hands a batch script to sbatch and returns the number of the job. Throws `FileError` with what sbatch says if it refuses.
std::string submit(const std::filesystem::path& script);

}  // namespace ropewalk::slurm
