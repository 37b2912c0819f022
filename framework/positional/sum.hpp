#pragma once

#include "framework/positional/scheme.hpp"

namespace ropewalk::positional {

/// Several schemes at once: what they add to embeddings and to scores adds up. A hybrid of absolute and relative positions is
/// sinusoidal with alibi, or learned with t5.
class Sum final : public Scheme {
 public:
  std::unique_ptr<Scheme> clone() const override { return std::make_unique<Sum>(*this); }
  void describe(Fields& fields) override;
  Traits traits() const override;
  std::vector<Complaint> complaints(const Context&, const std::vector<Index>& lengths) const override;
  void resolve(const Context&) override;
  bool per_layer() const override;
  bool reaches(Index length) const override;
  std::vector<std::unique_ptr<Scheme>> parts() const override;
  std::optional<Turning> turning(const Context&) const override;

 private:
  std::optional<std::size_t> rescaling_part() const;
  Index parts_with_offset_vectors() const;

  ChoiceList<Scheme> parts_{schemes(), {"sinusoidal", "alibi"}};
};

}  // namespace ropewalk::positional
