import DurableFiles
import FileScripts
import Glibc

// The processes of the file torture and of other tests:
//
//   ReplaceProbe work FILE NAME FIRST COUNT LOG    makes COUNT replacements, each adding a key
//   ReplaceProbe recover FILE                      recovers from crashes
//   ReplaceProbe replace FILE TEXT                 makes one replacement and prints the result
//   ReplaceProbe repair FILE                       recovers from a crash and prints the result
//   ReplaceProbe signals FILE                      prints the signals received while a process waits for a lease
//   ReplaceProbe fork FILE live|die                forks during a replacement; die: is killed then
//   ReplaceProbe rename|truncate|hold|locked FILE NAME COUNT LOG
//                                                  edits like a program without this library
//
// They append the keys that are known to be in the file to LOG. COUNT 0 means no limit.

signal(SIGPIPE, SIG_IGN)
let arguments = CommandLine.arguments.dropFirst()
switch (arguments.first, arguments.count) {
case ("work", 6):
    let rest = Array(arguments.dropFirst(2))
    try ReplaceWorker(
        path: arguments[2], name: rest[0], keys: KeyRange(first: Int(rest[1])!, count: Int(rest[2])!),
        log: KeyLog(rest[3])
    ).run()
case ("replace", 3): Replacer(arguments[2]).replace(by: arguments[3])
case ("repair", 2): Replacer(arguments[2]).repair()
case ("signals", 2): try HostProcess(path: arguments[2]).countSignals()
case ("fork", 3): try HostProcess(path: arguments[2]).fork(isKilled: arguments[3] == "die")
case ("recover", 2): try ReplaceWorker.recover(arguments[2])
case (let kind?, 5):
    guard let method = ExternalWriter.Method(rawValue: kind) else { fail("unknown command: \(kind)") }
    let rest = Array(arguments.dropFirst(2))
    try ExternalWriter(
        method: method, path: arguments[2], name: rest[0], keys: KeyRange(first: 0, count: Int(rest[1])!),
        log: KeyLog(rest[2])
    ).run()
default: fail("wrong arguments: \(arguments.joined(separator: " "))")
}
