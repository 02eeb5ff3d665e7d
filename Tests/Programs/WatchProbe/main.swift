import FileScripts

// A process that watches files and does nothing else, for tests and benchmarks that observe it from outside. Its
// backend can be chosen, which programs that use the library from another package cannot do.
let arguments = Array(CommandLine.arguments.dropFirst())
switch (arguments.first, arguments.count) {
case ("edits", 3): try EditsProbe.run(try WatchMode(named: arguments[1]), PathList.read(arguments[2]))
case ("endurance", 3): try EnduranceProbe(try WatchMode(named: arguments[1]), arguments[2]).run()
case ("commands", 1): CommandProbe().run()
case ("conformance", 4):
    try ConformanceProbe.run(backend: arguments[1], barrier: arguments[2], arguments[3])
default:
    fail(
        """
        usage: WatchProbe edits MODE LIST | endurance MODE FILE | commands | conformance BACKEND BARRIER FILE, \
        where MODE is \(WatchMode.names)
        """)
}
