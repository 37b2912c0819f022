#include "experiments/command/generate.hpp"

#include <unistd.h>

#include "experiments/command/standard_output.hpp"
#include "experiments/run/changed_run.hpp"
#include "experiments/run/interrupt.hpp"

namespace ropewalk {
namespace {

/// Bytes to the standard output, at once.
class Screen {
 public:
  /// A terminal obeys control characters, and a model says what it likes: there they are shown as a sign of their own.
  void put(std::uint8_t byte) const {
    const bool control = (byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7F;
    write_out(terminal_ && control ? "\uFFFD" : std::string(1, static_cast<char>(byte)));
  }

  /// The shell's next line begins on a line of its own.
  void end() const {
    if (terminal_) write_out("\n");
  }

 private:
  const bool terminal_ = isatty(STDOUT_FILENO) != 0;
};

}  // namespace

int generate_text(const GenerateArguments& arguments) {
  expect_sound(arguments.generation);
  const TrainedRun run = read_trained_run(arguments.run);
  const config::RunConfig changed = changed_config(run, arguments.sets, Use::generation);
  const auto model = restored_model(run, changed);
  expect_generable(changed.settings, *model, arguments.generation);
  catch_interrupts();
  const Screen screen;
  const bool whole = generate(*model, arguments.generation, [&](std::uint8_t token) {
    if (interrupted()) return false;
    screen.put(token);
    return true;
  });
  screen.end();
  return whole ? 0 : 130;
}

}  // namespace ropewalk
