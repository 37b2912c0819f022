#include "experiments/record/inspection.hpp"

#include <numbers>
#include <numeric>
#include <set>

#include "experiments/record/format.hpp"
#include "experiments/record/hdf5.hpp"
#include "framework/core/memory.hpp"

namespace ropewalk {
namespace {

const Format kFormat{"ropewalk-inspect", 1};

/// A file in the making whose dimension scales are made as they are needed.
class Saver {
 public:
  explicit Saver(const std::filesystem::path& path) : file_(path) { write_format(file_, kFormat); }

  template <class T>
  void attribute(const std::string& object, const std::string& name, const T& value) {
    file_.attribute(object, name, value);
  }

  template <class T>
  void array(const std::string& path, const Shape& shape, const std::vector<T>& values, const std::vector<std::string>& axes,
             const hdf5::Labels& labels) {
    file_.dataset(path, shape, values, labels);
    saved_.emplace_back(path, shape);
    const std::string group = path.substr(0, path.rfind('/') + 1);
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
      const std::string scale = group + axes[axis];
      make_scale(scale, shape[axis], axes[axis]);
      file_.attach_scale(path, static_cast<int>(axis), scale);
    }
  }

  /// Nothing for an undefined tensor.
  void tensor(const std::string& path, Tensor& tensor, const std::vector<std::string>& axes, const hdf5::Labels& labels) {
    if (!tensor.defined()) return;
    const Shape shape = tensor.shape();
    const std::vector<double> values = tensor.values();
    tensor = {};
    trim_memory();  // the file takes as much
    array(path, shape, values, axes, labels);
  }

  Datasets finish() {
    file_.save();
    return saved_;
  }

 private:
  void make_scale(const std::string& path, Index count, const std::string& axis) {
    if (!scales_.insert(path).second) return;
    std::vector<std::int64_t> values(static_cast<std::size_t>(count));
    std::iota(values.begin(), values.end(), 0);
    const bool of_tokens = axis == "position" || axis == "query" || axis == "key";
    file_.dataset(path, {count}, values,
                  {of_tokens ? "tokens" : "1", axis == "dimension" ? "element of the model's width" : axis});
    file_.make_scale(path);
  }

  hdf5::Writer file_;
  std::set<std::string> scales_;
  Datasets saved_;
};

void write_rotation(Saver& file, InspectedRotation& rotation) {
  std::vector<double> wavelength;
  for (double frequency : rotation.frequency) wavelength.push_back(2 * std::numbers::pi / frequency);
  const Shape pairs{static_cast<Index>(rotation.frequency.size())};
  file.tensor("/rotation/cos", rotation.cosine, {"position", "pair"}, {"1", "cosine of the angle of a pair at a position"});
  file.tensor("/rotation/sin", rotation.sine, {"position", "pair"}, {"1", "sine of the angle of a pair at a position"});
  file.array("/rotation/frequency", pairs, rotation.frequency, {"pair"}, {"radians per token", "how fast a pair turns"});
  file.array("/rotation/wavelength", pairs, wavelength, {"pair"}, {"tokens", "over which a pair turns once"});
  const RotaryFacts& facts = rotation.facts;
  file.attribute("/rotation", "layout", rotation.layout);
  file.attribute("/rotation", "base", facts.base);
  file.attribute("/rotation", "width", facts.width);
  file.attribute("/rotation", "trained_length", facts.trained);
  file.attribute("/rotation", "length", facts.longest);
  file.attribute("/rotation", "critical_dimension", facts.critical_dimension);
  file.attribute("/rotation", "base_serves", facts.serves);
  if (facts.longest_bound) file.attribute("/rotation", "base_lower_bound", *facts.longest_bound);
  if (facts.trained_bound) file.attribute("/rotation", "base_lower_bound_trained", *facts.trained_bound);
}

}  // namespace

Datasets write_inspection(const std::filesystem::path& path, Inspection inspection) {
  Saver file(path);
  file.attribute("/", "config", inspection.config);
  file.attribute("/", "length", static_cast<std::int64_t>(inspection.tokens.size()));
  file.attribute("/", "trained_length", inspection.trained_length);
  file.attribute("/", "step", inspection.step);
  const std::vector<std::string> embedded{"position", "dimension"}, map{"head", "query", "key"};
  file.array("/tokens", {static_cast<Index>(inspection.tokens.size())}, inspection.tokens, {"position"},
             {"1", "tokens of the input, random"});
  file.tensor("/token_embedding", inspection.token_embedding, embedded, {"1", "embedding of the tokens alone"});
  file.tensor("/embedding", inspection.embedding, embedded, {"1", "what is added to it for the position"});
  file.tensor("/sum", inspection.sum, embedded, {"1", "what the first layer reads"});
  if (inspection.rotation) write_rotation(file, *inspection.rotation);
  file.tensor("/slopes", inspection.slopes, {"head"}, {"1 per token", "slope of the linear bias"});
  file.tensor("/bias", inspection.bias, map, {"1", "what is added to scores whatever queries and keys are; 0 where masked"});
  file.tensor("/scores", inspection.scores, map, {"1", "scores of the first layer; 0 where masked"});
  file.tensor("/weights", inspection.weights, map, {"1", "attention weights of the first layer"});
  return file.finish();
}

}  // namespace ropewalk
