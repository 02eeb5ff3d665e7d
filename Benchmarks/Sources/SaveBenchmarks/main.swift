// What changing a session costs: in memory, through to the disk, and with many threads at it. It prints results in the
// form of Google Benchmark.
//
//     SaveBenchmarks [--short]
import HandTimed

let arguments = CommandLine.arguments.dropFirst()
guard arguments.isEmpty || Array(arguments) == ["--short"] else { fail("usage: SaveBenchmarks [--short]") }

let isShort = !arguments.isEmpty
var results = Results()
try UpdateMeasurement(batches: isShort ? 200 : 1_000).run(into: &results)
try CommitMeasurement(rounds: isShort ? 400 : 2_000).run(into: &results)
try results.print()
