import BenchmarkHarness
import Glibc

ReadBenchmarks.add()
StoredBenchmarks.add()
exit(Benchmark.runAll(CommandLine.arguments))
