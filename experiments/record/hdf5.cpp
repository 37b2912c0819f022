#include "experiments/record/hdf5.hpp"

#include <hdf5.h>
#include <hdf5_hl.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <mutex>
#include <utility>

#include "experiments/errors.hpp"
#include "experiments/record/file.hpp"
#include "experiments/record/seal.hpp"

namespace ropewalk::hdf5 {
namespace {

/// Held through every use of the library. Switches off HDF5's own error printing, which some builds keep for each thread.
class Turn {
 public:
  Turn() : lock_(mutex()) { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); }

 private:
  static std::mutex& mutex() {
    static std::mutex mutex;
    return mutex;
  }
  std::lock_guard<std::mutex> lock_;
};

/// Owns one HDF5 identifier.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Handle(hid_t id, Close close) : id_(id), close_(close) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  operator hid_t() const { return id_; }

 private:
  hid_t id_;
  Close close_;
};

/// The innermost entry of HDF5's error stack: the one that names the cause.
std::string reason() {
  std::string cause = "no reason given";
  const auto keep_first = [](unsigned position, const H5E_error2_t* entry, void* target) -> herr_t {
    if (position == 0 && entry->desc != nullptr) *static_cast<std::string*>(target) = entry->desc;
    return 0;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, &cause);
  return cause;
}

/// Says which object of which file a failure is about.
struct Place {
  std::string file;

  [[noreturn]] void fail(const std::string& object, const std::string& what) const {
    throw FileError(fmt::format("{}: {}: {}", file, object, what));
  }

  /// Passes on the result of an HDF5 call, unless it is negative.
  template <class Result>
  Result verify(Result result, const std::string& object, const char* action) const {
    if (result < 0) fail(object, fmt::format("cannot {}: {}", action, reason()));
    return result;
  }

  Handle own(hid_t id, Handle::Close close, const std::string& object, const char* action) const {
    return Handle(verify(id, object, action), close);
  }
};

/// The type of a number, as stored and as in memory.
template <class T>
Handle stored_type();
template <class T>
Handle memory_type();

#define ROPEWALK_NUMBER(T, stored, memory)    \
  template <>                                 \
  Handle stored_type<T>() {                   \
    return Handle(H5Tcopy(stored), H5Tclose); \
  }                                           \
  template <>                                 \
  Handle memory_type<T>() {                   \
    return Handle(H5Tcopy(memory), H5Tclose); \
  }
ROPEWALK_NUMBER(double, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE)
ROPEWALK_NUMBER(float, H5T_IEEE_F32LE, H5T_NATIVE_FLOAT)
ROPEWALK_NUMBER(std::int32_t, H5T_STD_I32LE, H5T_NATIVE_INT32)
ROPEWALK_NUMBER(std::int64_t, H5T_STD_I64LE, H5T_NATIVE_INT64)
ROPEWALK_NUMBER(std::uint64_t, H5T_STD_U64LE, H5T_NATIVE_UINT64)
#undef ROPEWALK_NUMBER

/// Text of any length: the one kind that h5py hands out as str from attributes too.
template <>
Handle memory_type<std::string>() {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type, H5T_VARIABLE);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return type;
}
template <>
Handle stored_type<std::string>() {
  return memory_type<std::string>();
}

/// Values as HDF5 takes them: numbers as they are, text as pointers.
template <class T>
const std::vector<T>& to_hdf5(const std::vector<T>& values) {
  return values;
}
std::vector<const char*> to_hdf5(const std::vector<std::string>& values) {
  std::vector<const char*> pointers;
  for (const std::string& value : values) pointers.push_back(value.c_str());
  return pointers;
}

/// How values are handed over. Text is converted through a buffer, by default of 1 MiB that is cleared each time, which would be
/// most of the work of writing a small file.
template <class T>
Handle transfer(std::size_t) {
  return Handle(H5Pcreate(H5P_DATASET_XFER), H5Pclose);
}
template <>
Handle transfer<std::string>(std::size_t count) {
  constexpr std::size_t kElement = 32;  // bytes, more than a text takes up in the file or in memory without its letters
  constexpr std::size_t kLargest = 1 << 20;
  Handle properties(H5Pcreate(H5P_DATASET_XFER), H5Pclose);
  H5Pset_buffer(properties, std::min(std::max<std::size_t>(count, 1) * kElement, kLargest), nullptr, nullptr);
  return properties;
}

/// HDF5 hands out an empty text as no text at all.
std::string text_or_empty(const char* text) { return text == nullptr ? "" : text; }

/// A name that no other file in memory has: HDF5 takes two files of one name for the same file.
std::string memory_name() {
  static std::atomic<int> count = 0;
  return fmt::format("ropewalk in memory {}", count++);
}

/// Access to a file that lives in memory only.
Handle memory_access() {
  constexpr std::size_t kGrowth = 1 << 17;  // bytes that are cleared at once: more than most files have
  Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_fapl_core(access, kGrowth, /*backing_store=*/false);
  H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
  return access;
}

/// Creation properties without times. Groups (a file is one) remember the order of their members.
Handle creation(hid_t kind) {
  Handle properties(H5Pcreate(kind), H5Pclose);
  H5Pset_obj_track_times(properties, false);
  if (!H5Pisa_class(properties, H5P_DATASET_CREATE)) {
    H5Pset_link_creation_order(properties, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  }
  return properties;
}

bool exists(const Place& place, hid_t file, const std::string& path) {
  for (std::size_t end = 1; end != std::string::npos && end < path.size();) {
    end = path.find('/', end);
    const std::string part = path.substr(0, end);
    if (place.verify(H5Lexists(file, part.c_str(), H5P_DEFAULT), part, "look up") == 0) return false;
    if (end != std::string::npos) ++end;
  }
  return true;
}

std::string parent(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == 0 || slash == std::string::npos ? "/" : path.substr(0, slash);
}

/// Elements in `dims`, or -1 if there are more than 64 bits can count.
std::int64_t elements(const std::vector<hsize_t>& dims) {
  std::uint64_t count = 1;
  for (const hsize_t dim : dims) {
    if (__builtin_mul_overflow(count, dim, &count)) return -1;
  }
  return count > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) ? -1 : static_cast<std::int64_t>(count);
}

/// Attaches an attribute to an object that is open; `object` names it in messages.
template <class T>
void write_attribute(const Place& place, const Handle& owner, const std::string& object, const std::string& name,
                     const Handle& space, const std::vector<T>& values) {
  const std::string whole = object + " @" + name;
  const Handle attribute =
      place.own(H5Acreate2(owner, name.c_str(), stored_type<T>(), space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, whole, "create");
  if (!values.empty()) place.verify(H5Awrite(attribute, memory_type<T>(), to_hdf5(values).data()), whole, "write");
}

template <class T>
void write_attribute(const Place& place, const Handle& owner, const std::string& object, const std::string& name,
                     const T& value) {
  write_attribute(place, owner, object, name, Handle(H5Screate(H5S_SCALAR), H5Sclose), std::vector<T>{value});
}

}  // namespace

std::string library() {
  const Turn turn;
  unsigned major = 0, minor = 0, release = 0;
  H5get_libversion(&major, &minor, &release);
  return fmt::format("HDF5 {}.{}.{}", major, minor, release);
}

struct Writer::State {
  std::filesystem::path path;
  Place place;
  Handle file;

  explicit State(std::filesystem::path target)
      : path(std::move(target)),
        place{path.string()},
        file(place.own(H5Fcreate(memory_name().c_str(), H5F_ACC_TRUNC, creation(H5P_FILE_CREATE), memory_access()), H5Fclose, "/",
                       "create")) {}

  void group(const std::string& name) {
    if (name == "/" || exists(place, file, name)) return;
    group(parent(name));
    place.own(H5Gcreate2(file, name.c_str(), H5P_DEFAULT, creation(H5P_GROUP_CREATE), H5P_DEFAULT), H5Gclose, name, "create");
  }

  Handle open_object(const std::string& object) const {
    return place.own(H5Oopen(file, object.c_str(), H5P_DEFAULT), H5Oclose, object, "open");
  }

  template <class T>
  void dataset(const std::string& name, const Shape& shape, const std::vector<T>& values, const Labels& labels) {
    check(size_of(shape) == static_cast<Index>(values.size()), "hdf5: {}: expected {} values for shape {}, got {}", name,
          size_of(shape), to_string(shape), values.size());
    const std::vector<hsize_t> dims(shape.begin(), shape.end());
    const Handle space =
        place.own(H5Screate_simple(static_cast<int>(dims.size()), dims.data(), nullptr), H5Sclose, name, "shape");
    const Handle data =
        place.own(H5Dcreate2(file, name.c_str(), stored_type<T>(), space, H5P_DEFAULT, creation(H5P_DATASET_CREATE), H5P_DEFAULT),
                  H5Dclose, name, "create");
    place.verify(H5Dwrite(data, memory_type<T>(), H5S_ALL, H5S_ALL, transfer<T>(values.size()), to_hdf5(values).data()), name,
                 "write");
    write_attribute(place, data, name, "units", labels.units);
    write_attribute(place, data, name, "long_name", labels.long_name);
  }

  Handle open(const std::string& dataset) const {
    return place.own(H5Dopen2(file, dataset.c_str(), H5P_DEFAULT), H5Dclose, dataset, "open");
  }

  static constexpr std::size_t kRoomForSeal = 64;

  /// The bytes of the file as they would be on the disk.
  std::string image() const {
    place.verify(H5Fflush(file, H5F_SCOPE_LOCAL), "/", "flush");
    const auto size = static_cast<std::size_t>(place.verify(H5Fget_file_image(file, nullptr, 0), "/", "measure"));
    std::string bytes;
    bytes.reserve(size + kRoomForSeal);  // else sealing would copy it all
    bytes.resize(size);
    place.verify(H5Fget_file_image(file, bytes.data(), bytes.size()), "/", "copy");
    return bytes;
  }
};

Writer::Writer(std::filesystem::path path) {
  const Turn turn;
  state_ = std::make_unique<State>(std::move(path));
}

Writer::~Writer() {
  const Turn turn;
  state_.reset();
}

void Writer::group(const std::string& path) {
  const Turn turn;
  state_->group(path);
}

void Writer::attribute(const std::string& object, const std::string& name, const std::string& value) {
  const Turn turn;
  write_attribute(state_->place, state_->open_object(object), object, name, value);
}

void Writer::attribute(const std::string& object, const std::string& name, std::int64_t value) {
  const Turn turn;
  write_attribute(state_->place, state_->open_object(object), object, name, value);
}

void Writer::attribute(const std::string& object, const std::string& name, double value) {
  const Turn turn;
  write_attribute(state_->place, state_->open_object(object), object, name, value);
}

void Writer::attribute(const std::string& object, const std::string& name, const std::vector<std::string>& values) {
  const Turn turn;
  const hsize_t size = values.size();
  write_attribute(state_->place, state_->open_object(object), object, name, Handle(H5Screate_simple(1, &size, nullptr), H5Sclose),
                  values);
}

template <class T>
void Writer::dataset(const std::string& path, const Shape& shape, const std::vector<T>& values, const Labels& labels) {
  const Turn turn;
  state_->group(parent(path));
  state_->dataset(path, shape, values, labels);
}

void Writer::make_scale(const std::string& path) {
  const Turn turn;
  const std::string name = path.substr(path.rfind('/') + 1);
  state_->place.verify(H5DSset_scale(state_->open(path), name.c_str()), path, "make a dimension scale of it");
}

void Writer::attach_scale(const std::string& dataset, int axis, const std::string& scale) {
  const Turn turn;
  const Handle data = state_->open(dataset), ruler = state_->open(scale);
  state_->place.verify(H5DSattach_scale(data, ruler, static_cast<unsigned>(axis)), dataset, "attach a dimension scale");
}

void Writer::external_link(const std::string& path, const std::string& file) {
  const Turn turn;
  state_->group(parent(path));
  state_->place.verify(H5Lcreate_external(file.c_str(), "/", state_->file, path.c_str(), H5P_DEFAULT, H5P_DEFAULT), path, "link");
}

void Writer::save() {
  std::string bytes;
  {
    const Turn turn;
    bytes = state_->image();
  }
  seal(bytes);
  replace_file(state_->path, bytes);
}

struct Reader::State {
  Place place;
  std::size_t bytes;
  Handle file;

  State(const std::string& path, const std::string& contents)
      : place{path}, bytes(contents.size()), file(H5I_INVALID_HID, H5Fclose) {
    const Handle access = memory_access();
    // HDF5 copies the image; it only asks for a pointer that is not const.
    place.verify(H5Pset_file_image(access, const_cast<char*>(contents.data()), contents.size()), "/", "load");
    file = place.own(H5Fopen(memory_name().c_str(), H5F_ACC_RDONLY, access), H5Fclose, "/", "open as an HDF5 file");
  }

  Handle open(const std::string& dataset) const {
    return place.own(H5Dopen2(file, dataset.c_str(), H5P_DEFAULT), H5Dclose, dataset, "open");
  }

  Handle space_of(hid_t data, const std::string& name) const {
    return place.own(H5Dget_space(data), H5Sclose, name, "read the shape");
  }

  std::vector<hsize_t> dims(const Handle& space, const std::string& name) const {
    std::vector<hsize_t> dims(static_cast<std::size_t>(place.verify(H5Sget_simple_extent_ndims(space), name, "read the shape")));
    place.verify(H5Sget_simple_extent_dims(space, dims.data(), nullptr), name, "read the shape");
    return dims;
  }

  /// How many values of `size` bytes the dataset holds. A damaged shape must not be taken at its word.
  std::size_t count(const Handle& space, const std::string& name, std::size_t size) const {
    constexpr std::size_t kBestCompression = 1032;  // of deflate, for a file that was repacked
    const std::int64_t count = elements(dims(space, name));
    if (count < 0 || static_cast<std::size_t>(count) > bytes * kBestCompression / size) {
      place.fail(name, fmt::format("its shape is larger than a file of {} bytes can hold; the file is damaged", bytes));
    }
    return static_cast<std::size_t>(count);
  }

  void expect_text(const Handle& type, const std::string& object) const {
    if (H5Tis_variable_str(type) <= 0) place.fail(object, "expected text of variable length, got another type");
  }

  void expect_shape(hid_t data, const std::string& name, const Shape& expected) const {
    const std::vector<hsize_t> dims = this->dims(space_of(data, name), name);
    const Shape got(dims.begin(), dims.end());
    if (got == expected) return;
    place.fail(name, fmt::format("expected shape {} as its scales have it, got {}", to_string(expected), to_string(got)));
  }

  template <class T>
  std::vector<T> values(const Handle& data, const std::string& name) const {
    std::vector<T> values(count(space_of(data, name), name, sizeof(T)));
    place.verify(H5Dread(data, memory_type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), name, "read");
    return values;
  }

  /// What `read` puts into so many pointers as `space` has elements.
  template <class Read>
  std::vector<std::string> texts(const Handle& space, const std::string& name, Read read) const {
    std::vector<char*> pointers(count(space, name, sizeof(char*)));
    const Handle type = memory_type<std::string>();
    if (!pointers.empty()) place.verify(read(type, pointers), name, "read");
    std::vector<std::string> texts;
    for (const char* pointer : pointers) texts.push_back(text_or_empty(pointer));
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, pointers.data());
    return texts;
  }

  template <class T>
  T attribute(const Handle& attribute, const std::string& name) const {
    T value{};
    place.verify(H5Aread(attribute, memory_type<T>(), &value), name, "read");
    return value;
  }
};

template <>
std::vector<std::string> Reader::State::values(const Handle& data, const std::string& name) const {
  expect_text(Handle(H5Dget_type(data), H5Tclose), name);
  return texts(space_of(data, name), name, [&](hid_t type, std::vector<char*>& pointers) {
    return H5Dread(data, type, H5S_ALL, H5S_ALL, transfer<std::string>(pointers.size()), pointers.data());
  });
}

template <>
std::string Reader::State::attribute(const Handle& attribute, const std::string& name) const {
  expect_text(Handle(H5Aget_type(attribute), H5Tclose), name);
  char* pointer = nullptr;
  place.verify(H5Aread(attribute, memory_type<std::string>(), &pointer), name, "read");
  std::string text = text_or_empty(pointer);
  H5free_memory(pointer);
  return text;
}

template <>
std::vector<std::string> Reader::State::attribute(const Handle& attribute, const std::string& name) const {
  expect_text(Handle(H5Aget_type(attribute), H5Tclose), name);
  const Handle space = place.own(H5Aget_space(attribute), H5Sclose, name, "read the shape");
  return texts(space, name, [&](hid_t type, std::vector<char*>& pointers) { return H5Aread(attribute, type, pointers.data()); });
}

Reader::Reader(const std::filesystem::path& path) {
  std::error_code unknown;
  if (std::filesystem::exists(path, unknown) && !std::filesystem::is_regular_file(path, unknown)) {  // a pipe would be waited for
    throw FileError(fmt::format("{}: expected a file, got something else; move it away", path.string()));
  }
  const std::string contents = read_file(path);
  if (examine_seal(contents) == Seal::broken) {
    throw FileError(
        fmt::format("{}: damaged: its bytes are not those that were written; restore it from a copy, or remove it and "
                    "run again",
                    path.string()));
  }
  const Turn turn;
  state_ = std::make_unique<State>(path.string(), contents);
}

Reader::~Reader() {
  const Turn turn;
  state_.reset();
}

bool Reader::has(const std::string& path) const {
  const Turn turn;
  return exists(state_->place, state_->file, path);
}

bool Reader::has_attribute(const std::string& object, const std::string& name) const {
  const Turn turn;
  return H5Aexists_by_name(state_->file, object.c_str(), name.c_str(), H5P_DEFAULT) > 0;
}

std::vector<std::string> Reader::members(const std::string& group) const {
  const Turn turn;
  const Handle opened = state_->place.own(H5Gopen2(state_->file, group.c_str(), H5P_DEFAULT), H5Gclose, group, "open");
  std::vector<std::string> names;
  const auto append = [](hid_t, const char* name, const H5L_info_t*, void* target) -> herr_t {
    static_cast<std::vector<std::string>*>(target)->emplace_back(name);
    return 0;
  };
  state_->place.verify(H5Literate(opened, H5_INDEX_CRT_ORDER, H5_ITER_INC, nullptr, append, &names), group, "list");
  return names;
}

template <class T>
T Reader::attribute(const std::string& object, const std::string& name) const {
  const Turn turn;
  const std::string whole = object + " @" + name;
  const Handle attribute = state_->place.own(
      H5Aopen_by_name(state_->file, object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose, whole, "open");
  return state_->attribute<T>(attribute, whole);
}

Shape Reader::shape(const std::string& dataset) const {
  const Turn turn;
  const std::vector<hsize_t> dims = state_->dims(state_->space_of(state_->open(dataset), dataset), dataset);
  return Shape(dims.begin(), dims.end());
}

template <class T>
std::vector<T> Reader::read(const std::string& dataset) const {
  const Turn turn;
  return state_->values<T>(state_->open(dataset), dataset);
}

template <class T>
std::vector<T> Reader::read(const std::string& dataset, const Shape& expected) const {
  const Turn turn;
  const Handle data = state_->open(dataset);
  state_->expect_shape(data, dataset, expected);
  return state_->values<T>(data, dataset);
}

#define ROPEWALK_ELEMENT(T)                                                                              \
  template void Writer::dataset(const std::string&, const Shape&, const std::vector<T>&, const Labels&); \
  template std::vector<T> Reader::read(const std::string&) const;                                        \
  template std::vector<T> Reader::read(const std::string&, const Shape&) const;
ROPEWALK_ELEMENT(double)
ROPEWALK_ELEMENT(float)
ROPEWALK_ELEMENT(std::int32_t)
ROPEWALK_ELEMENT(std::int64_t)
ROPEWALK_ELEMENT(std::uint64_t)
ROPEWALK_ELEMENT(std::string)
#undef ROPEWALK_ELEMENT
template std::string Reader::attribute(const std::string&, const std::string&) const;
template std::int64_t Reader::attribute(const std::string&, const std::string&) const;
template double Reader::attribute(const std::string&, const std::string&) const;
template std::vector<std::string> Reader::attribute(const std::string&, const std::string&) const;

}  // namespace ropewalk::hdf5
