// Files of labelled series, described once for both directions: `describe(record, file)` names every attribute and dataset, and
// `file` is a Saver, which writes them, or a Loader, which reads them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "experiments/errors.hpp"
#include "experiments/record/format.hpp"
#include "experiments/record/hdf5.hpp"

namespace ropewalk {

/// Paths of the scales of a dataset, one for each of its axes.
using Axes = std::vector<std::string>;

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
  Saver(const std::filesystem::path& path, const Format& format) : file_(path) { write_format(file_, format); }

  template <class T>
  void attribute(const std::string& name, const T& value) {
    file_.attribute("/", name, value);
  }

  void optional_attribute(const std::string& name, const std::string& value) {
    if (!value.empty()) attribute(name, value);
  }

  void optional_attribute(const std::string& name, const std::vector<std::string>& values) {
    if (!values.empty()) attribute(name, values);
  }

  template <class T>
  void optional_attribute(const std::string& name, const std::optional<T>& value) {
    if (value) attribute(name, *value);
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

  /// A series that older files do not have: there, each value was `before`.
  void added_series(const std::string& path, const Axes& axes, const std::vector<std::int64_t>& values, std::int64_t /*before*/,
                    const hdf5::Labels& labels) {
    series(path, axes, values, labels);
  }

  template <class T>
  bool present(const std::string&, const std::optional<T>& part) {
    return part.has_value();
  }

  /// Whether there is a part that has this attribute.
  template <class T>
  bool present_by_attribute(const std::string&, const std::optional<T>& part) {
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
  Loader(const std::filesystem::path& path, const Format& format) : path_(path.string()), file_(path) {
    expect_format(file_, format, path_);
  }

  template <class T>
  void attribute(const std::string& name, T& value) {
    value = file_.attribute<T>("/", name);
  }

  template <class T>
  void optional_attribute(const std::string& name, T& value) {
    if (file_.has_attribute("/", name)) attribute(name, value);
  }

  template <class T>
  void optional_attribute(const std::string& name, std::optional<T>& value) {
    if (file_.has_attribute("/", name)) attribute(name, value.emplace());
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
    values = file_.read<T>(path, scales_.shape(axes));
  }

  void added_series(const std::string& path, const Axes& axes, std::vector<std::int64_t>& values, std::int64_t before,
                    const hdf5::Labels& labels) {
    if (file_.has(path)) {
      series(path, axes, values, labels);
    } else {
      values.assign(static_cast<std::size_t>(size_of(scales_.shape(axes))), before);
    }
  }

  template <class T>
  bool present(const std::string& path, std::optional<T>& part) {
    if (file_.has(path)) part.emplace();
    return part.has_value();
  }

  template <class T>
  bool present_by_attribute(const std::string& name, std::optional<T>& part) {
    if (file_.has_attribute("/", name)) part.emplace();
    return part.has_value();
  }

 private:
  std::string path_;
  hdf5::Reader file_;
  Scales scales_;
};

}  // namespace ropewalk
