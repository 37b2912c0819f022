// Settings with one of everything, for the tests of the generic part.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "experiments/config/complaints.hpp"
#include "experiments/config/decode.hpp"
#include "experiments/config/parse.hpp"
#include "framework/core/fields.hpp"
#include "framework/core/registry.hpp"

namespace ropewalk::config::toy {

struct Scaling {
  virtual ~Scaling() = default;
  virtual void describe(Fields&) {}
};

struct Linear final : Scaling {
  double factor = 2.0;
  std::int64_t from = 0;
  void describe(Fields& fields) override {
    fields.add("factor", factor, "stretch of the positions").at_least(1);
    fields.add("from", from, "tokens; 0: the trained length").at_least(0).implied_by_model();
  }
};

inline const Registry<Scaling>& scalings() {
  static const Registry<Scaling> registry = {
      {"none", "angles as they are", "", "", make_kind<Scaling, Scaling>},
      {"linear", "positions divided by a factor", "", "", make_kind<Scaling, Linear>},
  };
  return registry;
}

struct Scheme {
  virtual ~Scheme() = default;
  virtual void describe(Fields&) {}
};

struct Rope final : Scheme {
  double base = 10000.0;
  std::string layout = "interleaved";
  Choice<Scaling> scaling{scalings(), "none"};
  void describe(Fields& fields) override {
    fields.add("base", base, "base of the angles").above(1);
    fields.add("layout", layout, "which numbers form a pair").one_of({"interleaved", "half"});
    fields.selection("scaling", scaling, "beyond the trained length");
  }
};

struct Alibi final : Scheme {
  std::string slopes = "fixed";
  void describe(Fields& fields) override { fields.add("slopes", slopes, "slopes").one_of({"fixed", "learned"}); }
};

inline const Registry<Scheme>& schemes();

struct Sum final : Scheme {
  ChoiceList<Scheme> parts{schemes(), {"rope", "alibi"}};
  void describe(Fields& fields) override { fields.selections("parts", parts, "schemes that all apply").elements(2, 3); }
};

inline const Registry<Scheme>& schemes() {
  static const Registry<Scheme> registry = {
      {"none", "no positions", "", "", make_kind<Scheme, Scheme>},
      {"rope", "rotation", "", "", make_kind<Scheme, Rope>},
      {"alibi", "linear bias", "", "", make_kind<Scheme, Alibi>},
      {"sum", "several at once", "", "", make_kind<Scheme, Sum>},
  };
  return registry;
}

struct Model {
  std::string kind = "decoder";
  std::int64_t heads = 4;
  double dropout = 0.0;
  bool tied = false;
  Choice<Scheme> position{schemes(), "none"};
  void describe(Fields& fields) {
    fields.add("kind", kind, "which way tokens look").one_of({"decoder", "encoder"});
    fields.add("heads", heads, "attention heads").at_least(1).at_most(64);
    fields.add("dropout", dropout, "probability").at_least(0).below(1);
    fields.add("tied", tied, "share the embedding with the head");
    fields.selection("position", position, "positional scheme");
  }
};

struct Train {
  double rate = 1e-3;
  std::vector<double> betas = {0.9, 0.98};
  std::vector<std::int64_t> lengths = {64, 128};
  std::vector<std::string> protocols = {"sliding"};
  void describe(Fields& fields) {
    fields.add("rate", rate, "peak learning rate").above(0);
    fields.add("betas", betas, "decay of the moments").elements(2, 2).at_least(0).below(1);
    fields.add("lengths", lengths, "tokens").elements(1).at_least(1);
    fields.add("protocols", protocols, "how windows lie").one_of({"sliding", "nonoverlapping"});
  }
};

struct Settings {
  std::string name = "toy";
  std::int64_t seed = 0;
  Model model;
  Train train;
  void describe(Fields& fields) {
    fields.add("name", name, "name of the experiment");
    fields.add("seed", seed, "seed of everything random").at_least(0);
    fields.section("model", model, "the model");
    fields.section("train", train, "training");
  }
};

/// Reads and decodes; returns what would be printed, one mistake a line, or nothing.
inline std::string errors_of(const std::string& text, Settings& settings) {
  Complaints complaints;
  const auto tree = parse(text, "c.yaml", Lines::shown, complaints);
  Fields fields;
  settings.describe(fields);
  if (tree) decode(*tree, fields, complaints);
  try {
    complaints.raise();
  } catch (const ConfigErrors& errors) {
    return errors.what();
  }
  return "";
}

}  // namespace ropewalk::config::toy
