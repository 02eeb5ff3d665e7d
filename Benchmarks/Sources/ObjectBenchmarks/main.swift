// Measures saving and loading of objects beside JSONEncoder with an atomic write, and beside SQLite. Prints the results in
// the format of Google Benchmark.
//
//     ObjectBenchmarks [--short]
import ManualTiming

let arguments = CommandLine.arguments.dropFirst()
guard arguments.isEmpty || Array(arguments) == ["--short"] else { fail("usage: ObjectBenchmarks [--short]") }

let isShort = !arguments.isEmpty
var results = Results()
for (title, bytes, rounds) in [("1KB", 1_000, 100), ("100KB", 100_000, 50), ("10MB", 10_000_000, 5)] {
    try ObjectMeasurement(title: title, bytes: bytes, rounds: isShort ? max(3, rounds / 10) : rounds).run(
        into: &results)
}
try CrowdMeasurement(count: isShort ? 10_000 : 30_000, rounds: isShort ? 100 : 1_000).run(into: &results)
try results.print()
