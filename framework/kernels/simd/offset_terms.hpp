// The offset terms of a call, with their tables and positions for the head in hand.
#pragma once

#include <vector>

#include "framework/kernels/simd/offset_table.hpp"
#include "framework/kernels/simd/pack.hpp"

namespace ropewalk::kernels::ROPEWALK_INSTRUCTION_SET {

/// The rows of a block that tables meet, and where their gradients are added: [rows or columns of the block, padded], not
/// rotated, queries scaled.
template <class T>
struct OffsetVectors {
  const T* queries;
  const T* keys;
  const T* doutput;
  T* dqueries;
  T* dkeys;
};

// Compiled on its own: inlined, it would cost attention without such terms up to a tenth of its speed.

template <class T>
class OffsetTerms {
 public:
  /// Takes the room for some queries of some sequences. gradients: destinations as in AttentionGradient.
  OffsetTerms(Layout<T>& layout, const Attention<T>& a, Range sequences, Range queries, std::span<T* const> gradients);

  /// Where rows lie that tables of this side meet: in room of their own, if there are such tables and a rotation turns the rows.
  T* unturned(Layout<T>& layout, OffsetSide side, const Rotation<T>& rotation, Index elements, T* turned) const;

  /// Takes up the positions of a sequence and the tables of a head.
  void begin(Index batch, Index head);
  /// scores += q.row or k.row, scale included.
  void add_to_scores(const Block& block, const T* queries, const T* keys, T* scores) const;
  /// dweights += doutput.row
  void add_to_dweights(const Block& block, const T* doutput, T* dweights) const;
  /// output += weights * row
  void add_to_output(const Block& block, const T* weights, T* output) const;
  /// Adds to the gradients of the vectors and of the tables.
  void propagate(const Block& block, const T* weights, const T* dscores, const OffsetVectors<T>& vectors) const;
  /// Adds the gradients of a head's tables to their destinations.
  void finish(Index head) const;

 private:
  struct Term {
    OffsetSide side;
    const T* rows;  ///< of the first head, from the first row that the table holds
    T* gradient;    ///< likewise
    Index head_stride;
    T scale;  ///< of the table: its queries have theirs, its keys have none
    OffsetTable<T> table;
  };

  static Term packed_term(Layout<T>& layout, const Attention<T>& a, const OffsetTerm<T>& term, Extremes distances, T* gradient);
  static void pack(const Term& term, Index head);
  OffsetBlock<T, OffsetSide::query> of_queries(const Term& term, const Block& block) const;
  template <class Body>
  void for_key_groups(const Term& term, const Block& block, Body body) const;

  OffsetPositions sequence_positions_;
  Positions positions_{};
  std::vector<Term> terms_;
  T* window_ = nullptr;
};

/// target [rows, padded] = the source's rows times `scale`; nothing if the target is where they lie turned.
template <class T>
void pack_unturned(HeadRows<const T> source, Range rows, Index width, T scale, const T* turned, T* target);

/// Sets the elements of a gradient to 0; nothing if it is that of the turned rows.
template <class T>
void clear_unturned(T* gradient, const T* of_turned, Index elements);

/// target rows += gradient [rows, padded] times `scale`; nothing if it is that of the turned rows.
template <class T>
void add_unturned(const T* gradient, const T* of_turned, Range rows, Index width, T scale, HeadRows<T> target);

}  // namespace ropewalk::kernels::ROPEWALK_INSTRUCTION_SET
