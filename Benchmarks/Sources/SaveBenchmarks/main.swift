// Measures updates and commits of a session, from one and from many threads. Prints the results in the format of Google
// Benchmark.
//
//     SaveBenchmarks [--short]
import ManualTiming

let arguments = CommandLine.arguments.dropFirst()
guard arguments.isEmpty || Array(arguments) == ["--short"] else { fail("usage: SaveBenchmarks [--short]") }

let isShort = !arguments.isEmpty
var results = Results()
try UpdateMeasurement(batches: isShort ? 200 : 1_000).run(into: &results)
try CommitMeasurement(rounds: isShort ? 400 : 2_000).run(into: &results)
try results.print()
