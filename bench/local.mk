# Measurements: bench/run, by make bench.
