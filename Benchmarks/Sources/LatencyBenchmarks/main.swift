import ManualTiming

// Measures the latency of edits and the cost of many sessions, and prints the results in the format of Google
// Benchmark. The parent process edits files; child processes watch them, most of them of the same program.
//
//     LatencyBenchmarks WATCHPROBE [--short]
//     LatencyBenchmarks lines SESSIONCTL [--short]
//
// WATCHPROBE and SESSIONCTL are paths of programs of the main package. The second form measures `sessionctl watch`.
let isShort = CommandLine.arguments.last == "--short"
let arguments = Array(CommandLine.arguments.dropFirst().dropLast(isShort ? 1 : 0))
switch (arguments.first, arguments.dropFirst().first) {
case (SessionWatcher.name, let list?): try SessionWatcher.run(try PathList.read(list))
case (PlainReader.name, let list?): try PlainReader.run(try PathList.read(list))
case (RawInotifyWatcher.name, let file?): RawInotifyWatcher.run(file)
case ("lines", let sessionctl?): try WatchCommandMeasurement(sessionctl: sessionctl, edits: isShort ? 200 : 1_000).run()
case (let watchProbe?, nil): try LatencyBenchmarks(watchProbe: watchProbe, isShort: isShort).run()
default: fail("usage: LatencyBenchmarks WATCHPROBE|lines SESSIONCTL [--short]")
}
