"""scripts/benchmark: measures speed, memory and the runner, each against a peer or the peak of the machine."""
