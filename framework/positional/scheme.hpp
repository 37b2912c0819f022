// What a positional scheme is: settings, parameters, and the hooks through which it acts. Every hook is the identity by default;
// neither the model nor attention ever asks which scheme it holds.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "framework/core/fields.hpp"
#include "framework/core/parameter.hpp"
#include "framework/core/random.hpp"
#include "framework/core/registry.hpp"
#include "framework/ops/attention.hpp"
#include "framework/positional/complaint.hpp"
#include "framework/positional/draws.hpp"
#include "framework/positional/positions.hpp"
#include "framework/positional/turning.hpp"

namespace ropewalk::positional {

/// Tokens that a task marks, for schemes that read them.
struct Marks {
  std::vector<std::int32_t> digits;      ///< of a number
  std::vector<std::int32_t> separators;  ///< that end a part of a sequence, such as a sentence
};

/// The model that a scheme serves.
struct Context {
  Index width = 0;   ///< D, of the model
  Index heads = 1;   ///< H
  Index length = 0;  ///< trained length L, tokens
  bool causal = true;
  Index reach = 0;  ///< training draws positions below this; 0: below `length`
  Marks marks = {};
  Index before = 0;  ///< what an earlier stage was trained on, tokens; 0: there was none

  Index head_width() const { return width / heads; }
  Index length_before_scaling() const { return before > 0 ? before : length; }
  Index trained_reach() const { return reach > 0 ? reach : length; }
};

/// What a scheme declares of itself; the tests of every scheme hold it to that.
struct Traits {
  bool absolute = false;            ///< adding a constant to all positions changes the output
  bool ignores_positions = false;   ///< goes by tokens or by order alone: no sampler matters
  bool causal_only = false;         ///< has no bidirectional form
  bool needs_digits = false;        ///< serves only tasks that mark digits
  bool needs_separators = false;    ///< serves only tasks that mark the ends of parts
  bool needs_grid = false;          ///< a sequence is a grid of patches, row by row; positions shift by whole rows
  bool depends_on_length = false;   ///< what it does to a token depends on how many there are in all
  bool has_offset_vectors = false;  ///< looks vectors up by the distance of a query and a key
  bool rescales = false;            ///< divides scores by a root of its own
  /// A parameter that its formula has, but that changes no output; "" if there is none.
  std::string inert_parameter = {};

  /// Those of several schemes together.
  Traits& operator|=(const Traits& other);
};

/// What embedding a batch has to go by.
struct Sequences {
  const Tensor& tokens;  ///< i32 [B, T]
  const Positions& positions;
  const Draws* draws;  ///< null: no chance
};

/// What a scheme adds to the terms of one attention whose layer reads x [B, T, D] (all tokens that are keys).
using Effect = std::function<void(AttentionTerms& terms, const Tensor& x)>;

class Scheme {
 public:
  virtual ~Scheme() = default;
  /// A copy of the settings; parameters are shared until `prepare` makes new ones.
  virtual std::unique_ptr<Scheme> clone() const = 0;

  virtual void describe(Fields&) {}
  /// What is wrong with the settings for this model, evaluated at these lengths; empty if nothing is.
  virtual std::vector<Complaint> complaints(const Context&, const std::vector<Index>& /*lengths*/) const { return {}; }
  virtual Traits traits() const { return {}; }

  /// Puts what the model implies in the place of settings that stand for it, so that a resolved config leaves nothing open.
  virtual void resolve(const Context&) {}
  /// Takes the model in and makes the parameters; called once, before any of the hooks below.
  virtual void prepare(const Context&, const Random&, Type) {}
  /// Parameters by symbol ("table"); the model adds the prefix.
  virtual Parameters parameters() { return {}; }
  /// True if each layer has parameters of its own.
  virtual bool per_layer() const { return false; }
  /// False for a length at which the model cannot say anything; it is then logged as not scored.
  virtual bool reaches(Index /*length*/) const { return true; }
  /// The schemes that act: itself, or those that a hybrid is made of.
  virtual std::vector<std::unique_ptr<Scheme>> parts() const;

  /// Token embeddings x [B, T, D] with what the scheme adds to them.
  virtual Tensor embed(const Tensor& x, const Sequences&) const { return x; }
  /// Its part in attention, worked out once for all layers of a pass that share it; empty if it has none.
  virtual Effect effect(const Places&, Type) const { return {}; }

  /// How pairs of a head turn in that model, before any scaling; nullopt if nothing does.
  virtual std::optional<Turning> turning(const Context&) const { return {}; }
  /// Frequencies of the pairs after scaling, for a sequence of `length` tokens, radians a token; empty if nothing turns.
  virtual std::vector<double> frequencies(Index /*length*/) const { return {}; }
  /// Cosines and sines by which pairs turn in a sequence at these positions, with what scaling makes of them; of pairs of tokens
  /// that are near, where far ones have a rotation of their own. Undefined if nothing turns.
  virtual RotationTables rotation(const Positions&, Type) const { return {}; }
  /// [H]: what a bias that is linear in the distance takes off for each token; undefined if there is none.
  virtual Tensor slopes() const { return {}; }
};

/// Every scheme there is.
const Registry<Scheme>& schemes();

/// What is wrong with a scheme, beginning with what it declares of itself.
std::vector<Complaint> complaints_about(const Scheme&, const Context&, const std::vector<Index>& lengths);

/// A scheme whose copy is a plain copy of its members.
template <class Derived>
class CloneableScheme : public Scheme {
 public:
  std::unique_ptr<Scheme> clone() const override { return std::make_unique<Derived>(static_cast<const Derived&>(*this)); }
};

}  // namespace ropewalk::positional
