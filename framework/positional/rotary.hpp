// What rope and its kin share: a base, a scaling, and complaints about both.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "framework/positional/scaling/scaling.hpp"
#include "framework/positional/scheme.hpp"

namespace ropewalk::positional {

template <class Derived>
class Rotary : public CloneableScheme<Derived> {
 public:
  Traits traits() const override {
    return {.absolute = scaling_->absolute(), .depends_on_length = scaling_->depends_on_length()};
  }
  void resolve(const Context& context) override {
    Context before = context;
    before.length = context.length_before_scaling();
    if (const auto turning = this->turning(before)) scaling_->resolve(turning->trained, before.length);
  }
  std::vector<double> frequencies(Index length) const override { return scaling_->frequencies(turning_, length); }
  RotationTables rotation(const Positions& positions, Type type) const override {
    return scaling_->tables(positions, positions.length(), turning_, interleaved(), type);
  }

 protected:
  void describe_base(Fields& fields) {
    fields.add("base", base_, "base of the frequencies; a larger one turns more slowly").above(1);
  }
  void describe_layout(Fields& fields) {
    fields.add("layout", layout_, "pairs: interleaved (2j, 2j+1) or half (j, j + d/2)").one_of({"interleaved", "half"});
  }
  void describe_scaling(Fields& fields) { fields.selection("scaling", scaling_, "how it is carried beyond its trained length"); }

  /// What is wrong with the scaling for pairs that turn like this. `plain`: one rotation along one dimension, nothing else.
  std::vector<Complaint> scaling_complaints(const Turning& turning, bool causal, bool plain) const {
    std::vector<Complaint> found = scaling_->complaints(turning, causal);
    for (Complaint& complaint : found) complaint.setting = "scaling." + complaint.setting;
    if (scaling_->rotates_by_distance() && !plain) {
      found.push_back({"scaling.kind", "gives far pairs a rotation of their own, which only rope itself has a rule for"});
    }
    return found;
  }

  bool interleaved() const { return layout_ == "interleaved"; }

  double base_ = 10000;
  std::string layout_ = "interleaved";
  Choice<Scaling> scaling_{scalings(), "none"};
  Turning turning_;
};

}  // namespace ropewalk::positional
