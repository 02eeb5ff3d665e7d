import HandTimed

// How long an edit takes to arrive, and what many sessions cost. Times of this kind need several processes: this one
// edits, and starts itself again as those that watch. It prints results in the form of Google Benchmark.
//
//     LatencyBenchmarks HUBPROBE [--short]
//
// HUBPROBE is the program of that name of the package beside this one: what it does is not public there.
let arguments = CommandLine.arguments.dropFirst()
switch (arguments.first, arguments.dropFirst().first) {
case (SessionHost.name, let list?): try SessionHost.run(try PathList.read(list))
case (PlainHost.name, let list?): try PlainHost.run(try PathList.read(list))
case (RawHost.name, let file?): RawHost.run(file)
case (let hubProbe?, nil): try LatencyBenchmarks(hubProbe: hubProbe, isShort: false).run()
case (let hubProbe?, "--short"): try LatencyBenchmarks(hubProbe: hubProbe, isShort: true).run()
default: fail("usage: LatencyBenchmarks HUBPROBE [--short]")
}
