// Judgements as rows of cells, for a terminal, a page or a CSV file.
#pragma once

#include <string>
#include <vector>

#include "experiments/claims/judgement.hpp"
#include "experiments/report/table.hpp"

namespace ropewalk {

/// A header and a row a comparison: what was compared, in which case, both sides, their difference with its interval, pairs, and
/// verdict.
std::vector<Row> comparison_rows(const std::vector<JudgedComparison>& comparisons);

/// A header and a row a series: which runs, and what is measured of them.
std::vector<Row> series_rows(const Claim& claim);

/// How many comparisons of the predicate hold, over all cases: "8 of 9".
std::string held(const Judgement& judgement);

/// What was published; a header and rows, or nothing if it is no table.
std::vector<Row> published_rows(const Published& published);

/// Means over runs, with ranges or intervals, at the lengths of the claim's table; nothing if it has none.
std::vector<Row> measured_rows(const Judgement& judgement);

/// What the brackets are: "95 % bootstrap interval" and so on.
std::string meaning_of_brackets(const Judgement& judgement);

/// A line for each comparison of each claim, what was tried included, under a header.
std::string claims_csv(const std::vector<Judgement>& judgements);

/// "1 claim", "2 claims".
std::string counted(std::size_t number, const std::string& thing);

/// "3 reproduced, 1 not reproduced, 2 undecided, of which 1 for lack of runs".
std::string count_of_verdicts(const std::vector<Judgement>& judgements);

}  // namespace ropewalk
