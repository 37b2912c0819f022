// The page of results: every claim with its numbers, in Markdown.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/claims/judgement.hpp"
#include "experiments/claims/loaded_claims.hpp"

namespace ropewalk {

/// Made of claim files and run.h5 files alone, so that the same ones give the same bytes. Figures are named relative to `page`,
/// the file that it will be.
std::string results_page(const std::vector<Judgement>& judgements, const std::vector<ClaimOfStudy>& claims, Evidence& evidence,
                         const std::filesystem::path& page);

}  // namespace ropewalk
