#include "experiments/command/command_line.hpp"

int main(int argc, char** argv) { return ropewalk::run_command_line(argc, argv); }
