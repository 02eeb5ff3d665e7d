// Measures replacing a file, alternating with the minimal durable replacement: six system calls, which lose concurrent
// edits. Prints the results in the format of Google Benchmark.
//
//     ReplaceBenchmarks [--short]
import DurableFiles
import Glibc
import ManualTiming

let arguments = CommandLine.arguments.dropFirst()
guard arguments.isEmpty || Array(arguments) == ["--short"] else { fail("usage: ReplaceBenchmarks [--short]") }

let isShort = !arguments.isEmpty
var results = Results()
try Measurement(title: "1KB", bytes: 1_024, rounds: isShort ? 300 : 2_000).run(into: &results)
if !isShort { try Measurement(title: "1MB", bytes: 1 << 20, rounds: 200).run(into: &results) }
try results.print()
