#include "experiments/record/run_record.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "experiments/errors.hpp"
#include "experiments/record/format.hpp"
#include "experiments/record/hdf5.hpp"

namespace ropewalk {
namespace {

using Axes = std::vector<std::string>;

const Format kFormat{"ropewalk-run", 1};

/// Sizes of the dimension scales of a file, by path: what the shapes of all other datasets are made of.
class Scales {
 public:
  void add(const std::string& path, std::size_t size) { sizes_[path] = static_cast<std::int64_t>(size); }

  Shape shape(const Axes& axes) const {
    Shape shape;
    for (const std::string& axis : axes) shape.push_back(sizes_.at(axis));
    return shape;
  }

 private:
  std::map<std::string, std::int64_t> sizes_;
};

/// Puts what `describe` names into a file.
class Saver {
 public:
  explicit Saver(const std::filesystem::path& path) : file_(path) { write_format(file_, kFormat); }

  template <class T>
  void attribute(const std::string& name, const T& value) {
    file_.attribute("/", name, value);
  }

  void optional_attribute(const std::string& name, const std::string& value) {
    if (!value.empty()) attribute(name, value);
  }

  template <class T>
  void scale(const std::string& path, const std::vector<T>& values, const hdf5::Labels& labels) {
    file_.dataset(path, {static_cast<std::int64_t>(values.size())}, values, labels);
    file_.make_scale(path);
    scales_.add(path, values.size());
  }

  /// The scale 0, 1 … up to the largest of `lengths`.
  void index(const std::string& path, const std::vector<std::int64_t>& lengths, const hdf5::Labels& labels) {
    std::vector<std::int64_t> values(lengths.empty() ? 0 : static_cast<std::size_t>(std::ranges::max(lengths)));
    std::iota(values.begin(), values.end(), 0);
    scale(path, values, labels);
  }

  template <class T>
  void series(const std::string& path, const Axes& axes, const std::vector<T>& values, const hdf5::Labels& labels) {
    file_.dataset(path, scales_.shape(axes), values, labels);
    for (std::size_t axis = 0; axis < axes.size(); ++axis) file_.attach_scale(path, static_cast<int>(axis), axes[axis]);
  }

  template <class T>
  bool present(const std::string&, const std::optional<T>& part) {
    return part.has_value();
  }

  void finish() { file_.save(); }

 private:
  hdf5::Writer file_;
  Scales scales_;
};

/// Takes what `describe` names out of a file.
class Loader {
 public:
  explicit Loader(const std::filesystem::path& path) : path_(path.string()), file_(path) { expect_format(file_, kFormat, path_); }

  template <class T>
  void attribute(const std::string& name, T& value) {
    value = file_.attribute<T>("/", name);
  }

  void optional_attribute(const std::string& name, std::string& value) {
    if (file_.has_attribute("/", name)) attribute(name, value);
  }

  template <class T>
  void scale(const std::string& path, std::vector<T>& values, const hdf5::Labels&) {
    values = file_.read<T>(path);
    scales_.add(path, values.size());
  }

  void index(const std::string& path, const std::vector<std::int64_t>&, const hdf5::Labels& labels) {
    std::vector<std::int64_t> values;  // implied by the lengths: only its size matters
    scale(path, values, labels);
  }

  template <class T>
  void series(const std::string& path, const Axes& axes, std::vector<T>& values, const hdf5::Labels&) {
    const Shape expected = scales_.shape(axes), got = file_.shape(path);
    if (got != expected) {
      throw FileError(fmt::format("{}: {}: expected shape {} as its scales have it, got {}", path_, path, to_string(expected),
                                  to_string(got)));
    }
    values = file_.read<T>(path);
  }

  template <class T>
  bool present(const std::string& path, std::optional<T>& part) {
    if (file_.has(path)) part.emplace();
    return part.has_value();
  }

 private:
  std::string path_;
  hdf5::Reader file_;
  Scales scales_;
};

template <class Record, class File>
void describe_run(Record& run, File& file) {
  file.attribute("run_id", run.run_id);
  file.attribute("status", run.status);
  file.attribute("config", run.config);
  file.attribute("software", run.software);
  file.attribute("machine", run.machine);
  file.optional_attribute("data", run.data);
  file.attribute("parameters", run.parameters);
  file.attribute("started", run.started);
  file.attribute("finished", run.finished);
  file.attribute("peak_bytes", run.peak_bytes);
}

template <class Series, class File>
void describe_train(Series& train, File& file) {
  file.scale("/train/step", train.step, {"steps", "optimizer steps done"});
  const Axes axes{"/train/step"};
  file.series("/train/tokens", axes, train.tokens, {"tokens", "tokens trained on, cumulative"});
  file.series("/train/loss", axes, train.loss, {"nats per token", "mean loss over the scored tokens of the step"});
  file.series("/train/rate", axes, train.rate, {"1", "learning rate of the step"});
  file.series("/train/gradient_norm", axes, train.gradient_norm, {"1", "global norm of the gradient before clipping"});
  file.series("/train/seconds", axes, train.seconds, {"s", "training time, evaluation excluded, cumulative"});
}

template <class Part, class File>
void describe_position(Part& position, const std::vector<std::int64_t>& length, File& file) {
  const Axes axes{"/evaluate/length", "/evaluate/position"};
  file.index(axes[1], length, {"tokens", "index in the window"});
  file.series("/evaluate/position_loss", axes, position.loss, {"nats per token", "mean loss at each index of the window"});
  file.series("/evaluate/position_count", axes, position.count, {"tokens", "scored tokens at each index of the window"});
}

template <class Series, class File>
void describe_evaluate(Series& evaluate, File& file) {
  file.scale("/evaluate/step", evaluate.step, {"steps", "optimizer steps done"});
  file.scale("/evaluate/protocol", evaluate.protocol, {"1", "evaluation protocol"});
  file.scale("/evaluate/length", evaluate.length, {"tokens", "evaluated length"});
  const Axes axes{"/evaluate/step", "/evaluate/protocol", "/evaluate/length"};
  file.series("/evaluate/loss", axes, evaluate.loss, {"nats per token", "sum of loss over scored tokens"});
  file.series("/evaluate/perplexity", axes, evaluate.perplexity, {"1", "exp(loss)"});
  file.series("/evaluate/token_accuracy", axes, evaluate.token_accuracy, {"1", "share of scored tokens predicted right"});
  file.series("/evaluate/scored", axes, evaluate.scored, {"tokens", "scored tokens"});
  if (file.present("/evaluate/bits_per_byte", evaluate.bits_per_byte)) {
    file.series("/evaluate/bits_per_byte", axes, *evaluate.bits_per_byte, {"bits per byte", "loss in bits per byte of text"});
  }
  if (file.present("/evaluate/position_loss", evaluate.position)) {
    describe_position(*evaluate.position, evaluate.length, file);
  }
}

/// The layout of the file, once for both directions.
template <class Record, class File>
void describe(Record& record, File& file) {
  describe_run(record, file);
  describe_train(record.train, file);
  describe_evaluate(record.evaluate, file);
}

/// How many of the ascending `steps` are at most `step`.
std::size_t count_up_to(const std::vector<std::int64_t>& steps, std::int64_t step) {
  return static_cast<std::size_t>(std::upper_bound(steps.begin(), steps.end(), step) - steps.begin());
}

template <class... Series>
void keep_first(std::size_t count, Series&... series) {
  (series.resize(count), ...);
}

}  // namespace

void RunRecord::truncate_to(std::int64_t cut) {
  keep_first(count_up_to(train.step, cut), train.step, train.tokens, train.loss, train.rate, train.gradient_norm, train.seconds);

  EvaluateSeries& e = evaluate;
  const std::size_t kept = count_up_to(e.step, cut), values = kept * e.protocol.size() * e.length.size();
  if (kept < e.step.size()) e.position.reset();  // it was the last evaluation's, which goes
  keep_first(kept, e.step);
  keep_first(values, e.loss, e.perplexity, e.token_accuracy, e.scored);
  if (e.bits_per_byte) e.bits_per_byte->resize(values);
}

void write_run(const std::filesystem::path& path, const RunRecord& record) {
  Saver file(path);
  describe(record, file);
  file.finish();
}

RunRecord read_run(const std::filesystem::path& path) {
  Loader file(path);
  RunRecord record;
  describe(record, file);
  return record;
}

}  // namespace ropewalk
