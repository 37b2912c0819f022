#include "experiments/record/checkpoint.hpp"

#include "experiments/errors.hpp"
#include "experiments/record/format.hpp"
#include "experiments/record/hdf5.hpp"

namespace ropewalk {
namespace {

const Format kFormat{"ropewalk-checkpoint", 1};
constexpr const char* kParameters = "/parameters";
constexpr const char* kFirstMoment = "/optimizer/first_moment";
constexpr const char* kSecondMoment = "/optimizer/second_moment";

void write_arrays(hdf5::Writer& file, const std::string& group, const std::vector<NamedArray>& arrays, const std::string& what) {
  file.group(group);
  for (const NamedArray& array : arrays) {
    check(!array.name.empty() && array.name.find('/') == std::string::npos, "checkpoint: expected a name without '/', got '{}'",
          array.name);
    file.dataset(group + "/" + array.name, array.shape, array.values, {"1", what + " " + array.name});
  }
}

std::vector<NamedArray> read_arrays(const hdf5::Reader& file, const std::string& group) {
  std::vector<NamedArray> arrays;
  for (const std::string& name : file.members(group)) {
    const std::string path = group + "/" + name;
    arrays.push_back({name, file.shape(path), file.read<float>(path)});
  }
  return arrays;
}

}  // namespace

void write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint) {
  hdf5::Writer file(path);
  write_format(file, kFormat);
  file.attribute("/", "run_id", checkpoint.run_id);
  file.attribute("/", "config", checkpoint.config);
  file.attribute("/", "step", checkpoint.step);
  file.attribute("/", "tokens", checkpoint.tokens);
  file.attribute("/", "seconds", checkpoint.seconds);
  write_arrays(file, kParameters, checkpoint.parameters, "parameter");
  write_arrays(file, kFirstMoment, checkpoint.first_moment, "first moment of the gradient of");
  write_arrays(file, kSecondMoment, checkpoint.second_moment, "second moment of the gradient of");
  file.save();
}

Checkpoint read_checkpoint(const std::filesystem::path& path) {
  const hdf5::Reader file(path);
  expect_format(file, kFormat, path.string());
  Checkpoint checkpoint;
  checkpoint.run_id = file.attribute<std::string>("/", "run_id");
  checkpoint.config = file.attribute<std::string>("/", "config");
  checkpoint.step = file.attribute<std::int64_t>("/", "step");
  checkpoint.tokens = file.attribute<std::int64_t>("/", "tokens");
  checkpoint.seconds = file.attribute<double>("/", "seconds");
  checkpoint.parameters = read_arrays(file, kParameters);
  checkpoint.first_moment = read_arrays(file, kFirstMoment);
  checkpoint.second_moment = read_arrays(file, kSecondMoment);
  return checkpoint;
}

}  // namespace ropewalk
