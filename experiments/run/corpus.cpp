#include "experiments/run/corpus.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <string>

#include "experiments/errors.hpp"
#include "experiments/record/file.hpp"
#include "experiments/text/hash.hpp"

namespace ropewalk {
namespace {

namespace fs = std::filesystem;

/// What to do about a corpus that is not there.
std::string advice(const fs::path& path) {
  const std::string name = path.filename() == "" ? path.parent_path().filename().string() : path.stem().string();
  if (name == "kjv" || name == "sotu")
    return "run scripts/fetch-data " + name + ", or start the program in the directory that data is in";
  return "task.corpus names a text file or a directory of them, relative to the directory the program is started in; "
         "scripts/fetch-data fetches kjv and sotu";
}

std::vector<fs::path> documents(const fs::path& directory) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(directory)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string read_text(const fs::path& path) {
  if (!fs::exists(path))
    throw FileError(fmt::format("corpus {}: expected a text, found nothing; {}", path.string(), advice(path)));
  if (fs::is_regular_file(path)) return read_file(path);
  if (!fs::is_directory(path)) {
    throw FileError(fmt::format("corpus {}: expected a text file or a directory of them, got something else; {}", path.string(),
                                advice(path)));
  }
  std::string text;
  for (const fs::path& file : documents(path)) {
    text += read_file(file);
    text += '\0';
  }
  return text;
}

}  // namespace

Corpus read_corpus(const std::filesystem::path& path, double validation) {
  std::string text;
  try {
    text = read_text(path);
  } catch (const fs::filesystem_error& error) {
    throw FileError(fmt::format("corpus {}: cannot be read: {}", path.string(), error.code().message()));
  }
  if (text.empty()) throw FileError(fmt::format("corpus {}: expected a text, found no bytes; {}", path.string(), advice(path)));
  Corpus corpus;
  corpus.tokens.assign(text.begin(), text.end());
  corpus.fingerprint = fmt::format("{} bytes, fnv1a {:016x}", text.size(), fnv1a(text));
  const auto count = static_cast<Index>(corpus.tokens.size());
  corpus.training = count - static_cast<Index>(std::floor(validation * static_cast<double>(count)));
  return corpus;
}

std::shared_ptr<const Corpus> shared_corpus(const std::filesystem::path& path, double validation) {
  static std::mutex mutex;
  static std::map<std::pair<std::string, double>, std::shared_ptr<const Corpus>> read;
  const std::lock_guard lock(mutex);
  std::shared_ptr<const Corpus>& corpus = read[{path.string(), validation}];
  if (!corpus) corpus = std::make_shared<const Corpus>(read_corpus(path, validation));
  return corpus;
}

}  // namespace ropewalk
