import FileScripts

// A process that watches and does nothing else, for tests and measurements that look at it from outside. What it watches
// by is chosen, which no program can do that uses the library from another package.
let arguments = Array(CommandLine.arguments.dropFirst())
switch (arguments.first, arguments.count) {
case ("edits", 3): try EditsProbe.run(try Way(named: arguments[1]), PathList.read(arguments[2]))
case ("year", 3): try YearProbe(try Way(named: arguments[1]), arguments[2]).run()
default: fail("usage: HubProbe edits WAY LIST | year WAY FILE, where WAY is \(Way.names)")
}
