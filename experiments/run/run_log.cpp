#include "experiments/run/run_log.hpp"

#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/spdlog.h>

#include "experiments/errors.hpp"

namespace ropewalk {

struct RunLog::Sink {
  explicit Sink(const std::string& file) : logger("run", std::make_shared<spdlog::sinks::basic_file_sink_st>(file)) {
    logger.set_pattern("%Y-%m-%dT%H:%M:%SZ %v", spdlog::pattern_time_type::utc);
    logger.flush_on(spdlog::level::info);
    logger.set_error_handler([](const std::string&) {});  // of a full disk: the files that matter say so
  }
  spdlog::logger logger;
};

RunLog::RunLog(const std::filesystem::path& file) try : sink_(std::make_unique<Sink>(file.string())) {
} catch (const spdlog::spdlog_ex& error) {
  throw FileError(fmt::format("{}: the log cannot be opened: {}; check permissions and free space", file.string(), error.what()));
}

RunLog::~RunLog() = default;

void RunLog::say(const std::string& line) { sink_->logger.info("{}", line); }

}  // namespace ropewalk
