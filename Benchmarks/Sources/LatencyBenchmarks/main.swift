import ManualTiming

// Measures the latency of edits and the cost of many sessions, and prints the results in the format of Google
// Benchmark. The parent process edits files; child processes of the same program watch them.
//
//     LatencyBenchmarks WATCHPROBE [--short]
//
// WATCHPROBE is the path of the program WatchProbe of the main package.
let arguments = CommandLine.arguments.dropFirst()
switch (arguments.first, arguments.dropFirst().first) {
case (SessionWatcher.name, let list?): try SessionWatcher.run(try PathList.read(list))
case (PlainReader.name, let list?): try PlainReader.run(try PathList.read(list))
case (RawInotifyWatcher.name, let file?): RawInotifyWatcher.run(file)
case (let watchProbe?, nil): try LatencyBenchmarks(watchProbe: watchProbe, isShort: false).run()
case (let watchProbe?, "--short"): try LatencyBenchmarks(watchProbe: watchProbe, isShort: true).run()
default: fail("usage: LatencyBenchmarks WATCHPROBE [--short]")
}
