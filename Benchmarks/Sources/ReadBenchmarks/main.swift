import BenchmarkHarness
import Glibc

ReadBenchmarks.add()
exit(Benchmark.runAll(CommandLine.arguments))
