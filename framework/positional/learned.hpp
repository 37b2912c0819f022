#pragma once

#include "framework/positional/scheme.hpp"

namespace ropewalk::positional {

/// A learned vector for each position, added to the token embedding (Gehring et al. 2017; GPT-2, ViT). Positions below 0, as a
/// sampler may draw them, get the first.
class Learned final : public CloneableScheme<Learned> {
 public:
  void describe(Fields& fields) override;
  std::vector<Complaint> complaints(const Context&, const std::vector<Index>&) const override;
  void resolve(const Context&) override;
  void prepare(const Context&, const Random&, Type) override;
  Parameters parameters() override { return {{"table", &table_, false}}; }
  Traits traits() const override { return {.absolute = true, .depends_on_length = beyond_ == "interpolate"}; }
  bool reaches(Index length) const override;
  Tensor embed(const Tensor& x, const Sequences&) const override;

 private:
  /// Rows of the table [S, T, D], between its rows for positions that are not whole, and past its ends by the setting `beyond`.
  Tensor rows(const Positions& positions) const;

  Index max_length_ = 0;
  std::string beyond_ = "error";
  Tensor table_;  ///< [max_length, D]
};

}  // namespace ropewalk::positional
