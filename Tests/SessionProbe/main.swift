import FileScripts

// What tests look at from outside: a process of its own that uses the library in one way, and does nothing else.
let arguments = CommandLine.arguments.dropFirst()
switch (arguments.first, arguments.last) {
case ("reports", let file?) where arguments.count == 2: try ReportProbe.run(file)
case ("forks", let file?) where arguments.count == 2: try ForkProbe.run(file)
case ("idle", let file?) where arguments.count == 2: try IdleProbe.run(file)
case ("crowd", let list?) where arguments.count == 2: try CrowdProbe.run(try Crowd.paths(listedIn: list))
case ("bare", let list?) where arguments.count == 2: try BareProbe.run(try Crowd.paths(listedIn: list))
case ("service", let file?) where arguments.count == 2: try ServiceProbe.run(file)
case ("publish", _) where arguments.count == 1: try PublishProbe.run()
case ("watch", _) where arguments.count == 1: WatchProbe().run()
case ("conform", let file?) where arguments.count == 4:
    let words = Array(arguments)
    try ConformProbe.run(backend: words[1], barrier: words[2], file)
default:
    fail(
        """
        usage: SessionProbe reports FILE | forks FILE | idle FILE | service FILE | crowd LIST | bare LIST | publish | watch \
        | conform BACKEND BARRIER FILE
        """)
}
