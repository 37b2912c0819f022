// The command line: which commands there are, what they take, and what the program returns.
#pragma once

namespace ropewalk {

/// Exit codes: 0 done; 1 a run failed or diverged; 2 usage or config; 3 input or output; 130 interrupted with everything saved.
int run_command_line(int argc, char** argv);

}  // namespace ropewalk
