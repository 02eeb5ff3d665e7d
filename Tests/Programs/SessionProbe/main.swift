import FileScripts

// Processes that tests observe from outside. Each uses the library in one way.
let arguments = CommandLine.arguments.dropFirst()
switch (arguments.first, arguments.last) {
case ("reports", let file?) where arguments.count == 2: try ReportProbe.run(file)
case ("forks", let file?) where arguments.count == 2: try ForkProbe.run(file)
case ("idle", let file?) where arguments.count == 2: try IdleProbe.run(file)
case ("crowd", let list?) where arguments.count == 2: try CrowdProbe.run(PathList.read(list))
case ("bare", let list?) where arguments.count == 2: try BareProbe.run(PathList.read(list))
case ("service", let file?) where arguments.count == 2: try ServiceProbe.run(file)
case ("silent", let file?) where arguments.count == 2: try ServiceProbe.run(file, isSilent: true)
case ("publish", let count?) where arguments.count == 2: try PublishProbe.run(Int(count)!)
case ("signals", let last?) where (3...4).contains(arguments.count):
    let words = Array(arguments)
    try SignalProbe.run(words[1], words[2], isHandled: last == "handled")
case ("receive", let file?) where arguments.count == 2: try ReceiverProbe.run(file)
case ("launch", let mode?) where arguments.count == 2: try LaunchProbe.run(mode)
case ("shortage", _) where arguments.count == 1: try ShortageProbe.run()
default:
    fail(
        """
        usage: SessionProbe reports FILE | forks FILE | idle FILE | service FILE | silent FILE | crowd LIST | bare LIST | publish \
        | signals FILE ACTION [handled] | receive FILE | launch MODE | shortage
        """)
}
