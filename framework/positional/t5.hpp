#pragma once

#include "framework/positional/layered.hpp"

namespace ropewalk::positional {

/// A learned bias per head and bucket of distances (Raffel et al. 2020, §2.1): near distances have buckets of their own, far ones
/// share logarithmic buckets. T5 itself does not scale scores by 1/√d; here they are scaled, as everywhere else.
/// Positions are taken to the nearest whole number.
class T5 final : public LayeredScheme<T5> {
 public:
  void describe(Fields& fields) override;
  std::vector<Complaint> complaints(const Context&, const std::vector<Index>&) const override;
  void prepare(const Context&, const Random&, Type) override;
  Parameters parameters() override { return {{"table", &table_, false}}; }
  Effect effect(const Places&, Type) const override;

 private:
  Index buckets_ = 32;
  Index max_distance_ = 128;
  bool causal_ = true;
  Tensor table_;  ///< [H, buckets]
};

/// Bucket of the distance m − n (query less key). Causal: distances below buckets/2 are exact, negative ones fall in bucket 0.
/// Bidirectional: half of the buckets for each sign, those of keys to the right second.
Index t5_bucket(double distance, Index buckets, Index max_distance, bool causal);

}  // namespace ropewalk::positional
