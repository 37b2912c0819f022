#include "framework/positional/scheme.hpp"

namespace ropewalk::positional {

Traits& Traits::operator|=(const Traits& other) {
  absolute |= other.absolute;
  ignores_positions &= other.ignores_positions;
  causal_only |= other.causal_only;
  needs_digits |= other.needs_digits;
  needs_separators |= other.needs_separators;
  needs_grid |= other.needs_grid;
  depends_on_length |= other.depends_on_length;
  has_offset_vectors |= other.has_offset_vectors;
  rescales |= other.rescales;
  if (!other.inert_parameter.empty()) inert_parameter = other.inert_parameter;
  return *this;
}

std::vector<std::unique_ptr<Scheme>> Scheme::parts() const {
  std::vector<std::unique_ptr<Scheme>> itself;
  itself.push_back(clone());
  return itself;
}

std::vector<Complaint> complaints_about(const Scheme& scheme, const Context& context, const std::vector<Index>& lengths) {
  if (scheme.parts().size() > 1) return scheme.complaints(context, lengths);  // a hybrid asks each of its parts
  std::vector<Complaint> found;
  const Traits traits = scheme.traits();
  if (traits.causal_only && !context.causal) {
    found.push_back({"",
                     "has no bidirectional form: what it does to a pair of tokens comes from the tokens between them, in order; "
                     "use model.kind decoder, or another scheme"});
  }
  if (traits.needs_digits && context.marks.digits.empty()) {
    found.push_back({"", "numbers the digits of a number, and this task marks no digits"});
  }
  if (traits.needs_separators && context.marks.separators.empty()) {
    found.push_back({"", "tells the parts of a sequence apart, and this task marks no ends of parts"});
  }
  if (traits.needs_grid && context.trained_reach() > context.length) {
    found.push_back(
        {"", fmt::format("a sequence is a whole grid, row by row: positions that training draws below {} are not those "
                         "of {} patches; use model.positions contiguous",
                         context.trained_reach(), context.length)});
  }
  for (Complaint& complaint : scheme.complaints(context, lengths)) found.push_back(std::move(complaint));
  return found;
}

}  // namespace ropewalk::positional
