import DurableFiles
import FileScripts
import Glibc

// What the torture of files lets run beside each other, each in a process of its own:
//
//   ReplaceProbe work FILE NAME FIRST COUNT LOG    replaces COUNT times, adding a line of its own
//   ReplaceProbe recover FILE                      clears away what the dead left
//   ReplaceProbe replace FILE TEXT                 replaces once and says what came of it
//   ReplaceProbe mend FILE                         the same for what a crash left
//   ReplaceProbe signals FILE                      which signals come when somebody waits for a lease
//   ReplaceProbe fork FILE live|die                forks while it replaces, and dies then if it is told to
//   ReplaceProbe rename|truncate|hold|locked FILE NAME COUNT LOG
//                                                  edits as programs do that know nothing of this library
//
// All of them write the keys that are surely in the file to LOG, a line each. COUNT 0 is for ever.

signal(SIGPIPE, SIG_IGN)
let arguments = CommandLine.arguments.dropFirst()
switch (arguments.first, arguments.count) {
case ("work", 6):
    let rest = Array(arguments.dropFirst(2))
    try Worker(
        path: arguments[2], name: rest[0], keys: Keys(first: Int(rest[1])!, count: Int(rest[2])!),
        log: Log(rest[3])
    ).run()
case ("replace", 3): Replacer(arguments[2]).replace(by: arguments[3])
case ("mend", 2): Replacer(arguments[2]).mend()
case ("signals", 2): try Host(path: arguments[2]).countSignals()
case ("fork", 3): try Host(path: arguments[2]).fork(diesMeanwhile: arguments[3] == "die")
case ("recover", 2): try Worker.recover(arguments[2])
case (let kind?, 5):
    guard let manner = Foreigner.Manner(rawValue: kind) else { fail("there is no \(kind)") }
    let rest = Array(arguments.dropFirst(2))
    try Foreigner(
        manner: manner, path: arguments[2], name: rest[0], keys: Keys(first: 0, count: Int(rest[1])!), log: Log(rest[2])
    ).run()
default: fail("wrong arguments: \(arguments.joined(separator: " "))")
}
