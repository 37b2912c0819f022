#include "framework/kernels/simd/offset_terms.hpp"

namespace ropewalk::kernels::ROPEWALK_INSTRUCTION_SET {
namespace {

/// Distances between positions of these queries, and of the keys that they see, over some sequences; zeros if nothing meets.
template <class T>
Extremes distances_of(const Attention<T>& a, Range sequences, Range queries) {
  const Range keys{0, visible_keys(a, queries.end - 1)};
  if (sequences.size() <= 0 || queries.size() <= 0 || keys.size() <= 0) return {0, 0};
  Extremes found{INT64_MAX, INT64_MIN};
  for (Index b = sequences.begin; b < sequences.end; ++b) {
    const Extremes query = extremes_of(a.positions.query + b * a.positions.query_stride, queries);
    const Extremes key = extremes_of(a.positions.key + b * a.positions.key_stride, keys);
    found.least = smaller_of(found.least, query.least - key.most);
    found.most = larger_of(found.most, query.most - key.least);
  }
  return found;
}

/// target rows += source [rows, padded] times `scale`.
template <class T>
void add_rows(const T* source, Index rows, Index width, T scale, HeadRows<T> target) {
  const Index padded = round_up_to_lanes<T>(width);
  for_vectors<T>(width, [&](Index c, auto lanes) {
    for (Index i = 0; i < rows; ++i) {
      T* row = target.data + i * target.stride + c;
      store(row, load(row, lanes) + load(source + i * padded + c) * scale, lanes);
    }
  });
}

}  // namespace

template <class T>
OffsetTerms<T>::OffsetTerms(Layout<T>& layout, const Attention<T>& a, Range sequences, Range queries,
                            std::span<T* const> gradients)
    : sequence_positions_(a.positions) {
  if (a.offsets.empty()) return;
  const Extremes distances = distances_of(a, sequences, queries);
  for (std::size_t i = 0; i < a.offsets.size(); ++i) {
    terms_.push_back(packed_term(layout, a, a.offsets[i], distances, gradients.empty() ? nullptr : gradients[i]));
  }
  window_ = layout.take(OffsetBlock<T, OffsetSide::query>::room);
}

template <class T>
T* OffsetTerms<T>::unturned(Layout<T>& layout, OffsetSide side, const Rotation<T>& rotation, Index elements, T* turned) const {
  bool met = false;
  for (const Term& term : terms_) met |= term.side == side;
  return met && rotation.cosine ? layout.take(elements) : turned;
}

template <class T>
void OffsetTerms<T>::begin(Index batch, Index head) {
  positions_ = {sequence_positions_.query + batch * sequence_positions_.query_stride,
                sequence_positions_.key + batch * sequence_positions_.key_stride};
  for (const Term& term : terms_) pack(term, head);
}

template <class T>
typename OffsetTerms<T>::Term OffsetTerms<T>::packed_term(Layout<T>& layout, const Attention<T>& a, const OffsetTerm<T>& term,
                                                          Extremes distances, T* gradient) {
  OffsetTable<T> table{clamped(distances.least, term.low, term.high), clamped(distances.most, term.low, term.high), a.width};
  table.rows = layout.take(table.count() * table.padded());
  table.transposed = layout.take(table.width * table.transposed_stride());
  if (gradient) table.drows = layout.take(table.count() * table.padded());
  const Index skipped = (table.low - term.low) * a.width;
  return {term.side,
          term.rows + skipped,
          gradient ? gradient + skipped : nullptr,
          term.head_stride,
          term.side == OffsetSide::key ? a.scale : T(1),
          table};
}

template <class T>
void OffsetTerms<T>::pack(const Term& term, Index head) {
  const OffsetTable<T>& table = term.table;
  const HeadRows<const T> source{term.rows + head * term.head_stride, table.width};
  pack_rows(source, {0, table.count()}, table.width, Turns<T>(), term.scale, table.rows);
  pack_transposed(table.rows, table.count(), table.width, table.transposed, table.transposed_stride());
  if (!table.drows) return;
  for (Index i = 0; i < table.count() * table.padded(); ++i) table.drows[i] = 0;
}

template <class T>
OffsetBlock<T, OffsetSide::query> OffsetTerms<T>::of_queries(const Term& term, const Block& block) const {
  return {term.table, block, positions_, window_};
}

/// Calls body(products, start, entry) for the groups of keys of a block, whose rows begin at element `start` of the keys and
/// `entry` of the block.
template <class T>
template <class Body>
void OffsetTerms<T>::for_key_groups(const Term& term, const Block& block, Body body) const {
  for_blocks(block.keys, kKeyGroup, [&](Range keys) {
    const Index row = keys.begin - block.keys.begin;
    const Block group{block.queries, keys, block.lag - row};
    body(OffsetBlock<T, OffsetSide::key>{term.table, group, positions_, window_}, row * term.table.padded(), row * kQueryBlock);
  });
}

template <class T>
void OffsetTerms<T>::add_to_scores(const Block& block, const T* queries, const T* keys, T* scores) const {
  for (const Term& term : terms_) {
    if (term.side == OffsetSide::query) of_queries(term, block).dot(queries, scores);
    if (term.side == OffsetSide::key) {
      for_key_groups(term, block, [&](const auto& group, Index start, Index entry) { group.dot(keys + start, scores + entry); });
    }
  }
}

template <class T>
void OffsetTerms<T>::add_to_dweights(const Block& block, const T* doutput, T* dweights) const {
  for (const Term& term : terms_) {
    if (term.side == OffsetSide::value) of_queries(term, block).dot(doutput, dweights);
  }
}

template <class T>
void OffsetTerms<T>::add_to_output(const Block& block, const T* weights, T* output) const {
  for (const Term& term : terms_) {
    if (term.side == OffsetSide::value) of_queries(term, block).propagate(weights, nullptr, output);
  }
}

template <class T>
void OffsetTerms<T>::propagate(const Block& block, const T* weights, const T* dscores, const OffsetVectors<T>& vectors) const {
  for (const Term& term : terms_) {
    if (term.side == OffsetSide::query) of_queries(term, block).propagate(dscores, vectors.queries, vectors.dqueries);
    if (term.side == OffsetSide::value) of_queries(term, block).propagate(weights, vectors.doutput, nullptr);
    if (term.side == OffsetSide::key) {
      for_key_groups(term, block, [&](const auto& group, Index start, Index entry) {
        group.propagate(dscores + entry, vectors.keys + start, vectors.dkeys + start);
      });
    }
  }
}

template <class T>
void OffsetTerms<T>::finish(Index head) const {
  for (const Term& term : terms_) {
    if (!term.table.drows) continue;
    add_rows(term.table.drows, term.table.count(), term.table.width, term.scale,
             {term.gradient + head * term.head_stride, term.table.width});
  }
}

template <class T>
void pack_unturned(HeadRows<const T> source, Range rows, Index width, T scale, const T* turned, T* target) {
  if (target != turned) pack_rows(source, rows, width, Turns<T>(), scale, target);
}

template <class T>
void clear_unturned(T* gradient, const T* of_turned, Index elements) {
  if (gradient == of_turned) return;
  for (Index i = 0; i < elements; ++i) gradient[i] = 0;
}

template <class T>
void add_unturned(const T* gradient, const T* of_turned, Range rows, Index width, T scale, HeadRows<T> target) {
  if (gradient == of_turned) return;
  add_rows(gradient, rows.size(), width, scale, {target.data + rows.begin * target.stride, target.stride});
}

template class OffsetTerms<float>;
template class OffsetTerms<double>;
template void pack_unturned(HeadRows<const float>, Range, Index, float, const float*, float*);
template void pack_unturned(HeadRows<const double>, Range, Index, double, const double*, double*);
template void clear_unturned(float*, const float*, Index);
template void clear_unturned(double*, const double*, Index);
template void add_unturned(const float*, const float*, Range, Index, float, HeadRows<float>);
template void add_unturned(const double*, const double*, Range, Index, double, HeadRows<double>);

}  // namespace ropewalk::kernels::ROPEWALK_INSTRUCTION_SET
