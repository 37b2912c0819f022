// The part of HDF5 that the record needs, without HDF5's types: files put together in memory and saved whole, files read whole.
//
// Paths inside a file are absolute: "/train/loss". Text is UTF-8. Equal contents give equal bytes: no times are kept and numbers
// are little-endian. HDF5 is one library with one state, so all calls take turns; a Writer or a Reader itself belongs to one
// thread. Everything that fails throws `FileError` with the file, the object in it and HDF5's reason.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "framework/core/shape.hpp"

namespace ropewalk::hdf5 {

/// Name and version of the library: "HDF5 1.10.8".
std::string library();

/// What every dataset says of itself, in the attributes that xarray and netCDF tools show.
struct Labels {
  std::string units;      ///< "1" for a pure number
  std::string long_name;  ///< one phrase
};

/// A file in the making. Nothing is on the disk before `save`. Groups on the way to an object are made as needed, and keep the
/// order in which their members were added.
class Writer {
 public:
  /// `path` is where `save` will put the file.
  explicit Writer(std::filesystem::path path);
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  void group(const std::string& path);

  /// An attribute of a group or dataset ("/" for the file's own).
  void attribute(const std::string& object, const std::string& name, const std::string& value);
  void attribute(const std::string& object, const std::string& name, std::int64_t value);
  void attribute(const std::string& object, const std::string& name, double value);
  /// A list [N].
  void attribute(const std::string& object, const std::string& name, const std::vector<std::string>& values);

  /// `values` row by row; as many as `shape` holds. T: double, float, std::int32_t, std::int64_t, std::uint64_t or std::string.
  template <class T>
  void dataset(const std::string& path, const Shape& shape, const std::vector<T>& values, const Labels& labels);

  /// Makes a one-dimensional dataset a dimension scale, named as it is.
  void make_scale(const std::string& path);
  /// Labels `axis` of `dataset` with a scale of the same length.
  void attach_scale(const std::string& dataset, int axis, const std::string& scale);

  /// A link at `path` to the root of another file, whose name is relative to the directory of this one.
  void external_link(const std::string& path, const std::string& file);

  /// Replaces the file whole (see `replace_file`), sealed with a checksum.
  void save();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// A file read whole when it is opened; later changes on the disk do not reach it.
class Reader {
 public:
  /// Refuses a file that is missing, is not HDF5, is cut short, or whose bytes changed since they were sealed.
  explicit Reader(const std::filesystem::path& path);
  ~Reader();
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  /// Whether the group or dataset is there.
  bool has(const std::string& path) const;
  bool has_attribute(const std::string& object, const std::string& name) const;
  /// Members of a group in the order they were added.
  std::vector<std::string> members(const std::string& group) const;
  /// T: std::string, std::int64_t, double or std::vector<std::string>.
  template <class T>
  T attribute(const std::string& object, const std::string& name) const;
  Shape shape(const std::string& dataset) const;
  /// All values row by row. T as in `Writer::dataset`; numbers are converted.
  template <class T>
  std::vector<T> read(const std::string& dataset) const;
  /// The same of a dataset that must have this shape.
  template <class T>
  std::vector<T> read(const std::string& dataset, const Shape& expected) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace ropewalk::hdf5
