// What replacing a file costs beside the least that a durable replacement takes: six system calls that lose the edits of
// others. By turns, one of each after the other. It prints results in the form of Google Benchmark.
//
//     ReplaceBenchmarks [--short]
import DurableFiles
import Glibc
import HandTimed

let arguments = CommandLine.arguments.dropFirst()
guard arguments.isEmpty || Array(arguments) == ["--short"] else { fail("usage: ReplaceBenchmarks [--short]") }

let isShort = !arguments.isEmpty
var results = Results()
try Measurement(title: "1KB", bytes: 1_024, rounds: isShort ? 300 : 2_000).run(into: &results)
if !isShort { try Measurement(title: "1MB", bytes: 1 << 20, rounds: 200).run(into: &results) }
try results.print()
