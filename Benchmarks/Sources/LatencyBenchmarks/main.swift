import ManualTiming

// Measures the latency of edits and the cost of many sessions, and prints the results in the format of Google
// Benchmark. The parent process edits files; child processes watch them, most of them of the same program.
//
//     LatencyBenchmarks WATCHPROBE [--short]
//     LatencyBenchmarks lines SESSIONCTL [--inotifywait=PATH] [--watchfiles=PYTHON] [--short]
//     LatencyBenchmarks storm [--short]
//
// WATCHPROBE and SESSIONCTL are paths of programs of the main package. The second form measures `sessionctl watch`,
// beside inotifywait and the Python package watchfiles of an interpreter that has it; run it in the directory of
// watchfiles_lines.py. The third form measures reads while another process replaces the file as fast as it can.
let options = CommandLine.arguments.filter { $0.hasPrefix("--") }
let isShort = options.contains("--short")
let arguments = Array(CommandLine.arguments.dropFirst().filter { !$0.hasPrefix("--") })

func value(of option: String) -> String? {
    options.last { $0.hasPrefix("--\(option)=") }.map { String($0.dropFirst(option.count + 3)) }
}

switch (arguments.first, arguments.dropFirst().first) {
case (SessionWatcher.name, let list?): try SessionWatcher.run(try PathList.read(list))
case (SessionWatcher.nameOfLarge, let list?): try SessionWatcher.run(try PathList.read(list), isLarge: true)
case (PlainReader.name, let list?): try PlainReader.run(try PathList.read(list))
case (RawInotifyWatcher.name, let file?): RawInotifyWatcher.run(file)
case (RawInotifyWatcher.nameWithFile, let file?): RawInotifyWatcher.run(file, watchesFile: true)
case (StormWriter.name, let file?): StormWriter.run(file)
case ("storm", nil): try StormMeasurement(seconds: isShort ? 1 : 4).run()
case ("lines", let sessionctl?):
    try WatchCommandMeasurement(
        sessionctl: sessionctl, inotifywait: value(of: "inotifywait"), watchfiles: value(of: "watchfiles"),
        edits: isShort ? 200 : 1_000
    ).run()
case (let watchProbe?, nil): try LatencyBenchmarks(watchProbe: watchProbe, isShort: isShort).run()
default: fail("usage: LatencyBenchmarks WATCHPROBE|lines SESSIONCTL|storm [--short]")
}
