import BenchmarkData
import BenchmarkHarness
import Foundation

let arguments = CommandLine.arguments
if arguments.count == 3, arguments[1] == "--write-documents" {
    try Documents.write(to: URL(fileURLWithPath: arguments[2], isDirectory: true))
    exit(0)
}

ParseBenchmarks.add()
LookupBenchmarks.add()
EditBenchmarks.add()
TextEditBenchmarks.add()
MergeBenchmarks.add()
ReparseBenchmarks.add()
DifferenceBenchmarks.add()
CodingBenchmarks.add()
exit(Benchmark.runAll(arguments))
