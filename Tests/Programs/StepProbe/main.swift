// StepProbe steps FIRST COUNT STEPS
//   makes STEPS random steps of each of COUNT sessions, whose seeds begin with FIRST, and prints a line for each session
//   with its seed, its type and a digest of all that it led to; of a single session, a line for each step, too.
//   At last prints how many reloads, saves and merges there were.
// StepProbe memory FILE COUNT EDITS
//   prints how many bytes a session with a dictionary of COUNT structs takes: after opening it, after EDITS of the file,
//   and after updates and saves.
import FileScripts
import FoundationEssentials
import Glibc
import SessionMirror

let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.count == 4, arguments[0] == "memory", let count = Int(arguments[2]), count >= 10,
    let edits = Int(arguments[3])
{
    try SessionMemory.run(arguments[1], count, edits: edits)
    exit(0)
}
guard arguments.count == 4, arguments[0] == "steps", let first = UInt64(arguments[1]), let count = UInt64(arguments[2]),
    count > 0, let steps = Int(arguments[3])
else { fail("usage: StepProbe steps FIRST COUNT STEPS | memory FILE COUNT EDITS") }

func run<Root: RandomValue>(
    _ type: Root.Type, in file: String, _ random: SeededGenerator
) throws -> (Digest, MirrorMetrics) {
    try SessionSteps<Root>.run(file, random, count: steps, isVerbose: count == 1)
}

var (reloads, saves, merges) = (0, 0, 0)
for seed in first..<first + count {
    var random = SeededGenerator(seed)
    let type = RandomTypes.root(&random)
    let (digest, metrics) = try run(type, in: "\(seed).json", random)
    say("\(seed), \(type): \(digest)")
    reloads += metrics.reloads
    saves += metrics.saves
    merges += metrics.merges
}
say("\(reloads) reloads, \(saves) saves, \(merges) merges")
