// What a positional scheme is: settings, parameters, and the hooks through which it acts. Every hook is the identity by default;
// neither the model nor attention ever asks which scheme it holds.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "framework/core/fields.hpp"
#include "framework/core/parameter.hpp"
#include "framework/core/random.hpp"
#include "framework/core/registry.hpp"
#include "framework/ops/attention.hpp"
#include "framework/positional/positions.hpp"

namespace ropewalk::positional {

/// The model that a scheme serves.
struct Context {
  Index width = 0;   ///< D, of the model
  Index heads = 1;   ///< H
  Index length = 0;  ///< trained length, tokens
  bool causal = true;
  Index head_width() const { return width / heads; }
};

/// Why a scheme cannot serve a model: the setting to blame ("" for the kind itself) and a sentence.
struct Complaint {
  std::string setting;
  std::string reason;
};

class Scheme {
 public:
  virtual ~Scheme() = default;
  /// A copy of the settings; parameters are shared until `prepare` makes new ones.
  virtual std::unique_ptr<Scheme> clone() const = 0;

  virtual void describe(Fields&) {}
  /// What is wrong with the settings for this model, evaluated at these lengths; empty if nothing is.
  virtual std::vector<Complaint> complaints(const Context&, const std::vector<Index>& /*lengths*/) const { return {}; }

  /// Puts what the model implies in the place of settings that stand for it, so that a resolved config leaves nothing open.
  virtual void resolve(const Context&) {}
  /// Takes the model in and makes the parameters; called once, before any of the hooks below.
  virtual void prepare(const Context&, const Random&, Type) {}
  /// Parameters by symbol ("table"); the model adds the prefix.
  virtual Parameters parameters() { return {}; }
  /// True if each layer has parameters of its own.
  virtual bool per_layer() const { return false; }
  /// True if adding a constant to all positions changes the output.
  virtual bool absolute() const { return false; }
  /// False for a length at which the model cannot say anything; it is then logged as not scored.
  virtual bool reaches(Index /*length*/) const { return true; }

  /// Token embeddings x [B, T, D] with what the scheme adds to them.
  virtual Tensor embed(const Tensor& x, const Positions&) const { return x; }
  /// How queries and keys are rotated, in the type of the model.
  virtual RotationTables rotation(const Positions&, Type) const { return {}; }
  /// What is added to the scores.
  virtual std::shared_ptr<BlockBias> bias(const Positions&) const { return nullptr; }
};

/// Every scheme there is.
const Registry<Scheme>& schemes();

/// A scheme whose copy is a plain copy of its members.
template <class Derived>
class CloneableScheme : public Scheme {
 public:
  std::unique_ptr<Scheme> clone() const override { return std::make_unique<Derived>(static_cast<const Derived&>(*this)); }
};

}  // namespace ropewalk::positional
