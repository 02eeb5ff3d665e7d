// Does the work of all hot paths, so that its costs can be counted: see counts.py.
//
//     CountedCases [--few] [--thread] [--process] [NAME]…
//
// --few repeats each case less often, for callgrind and strace. Counted are only the cases of the calling thread or of all
// threads, if one of the two is given, whose names begin with a NAME.
import CCounting
import ManualTiming

let arguments = Set(CommandLine.arguments.dropFirst())
let options = arguments.intersection(["--few", "--thread", "--process"])
let names = arguments.subtracting(options)
let counter = CaseCounter(
    isFew: options.contains("--few"),
    scopes: [.thread, .process].filter { scope in
        options.isDisjoint(with: ["--thread", "--process"])
            || options.contains(scope == .thread ? "--thread" : "--process")
    }
) { name in
    names.isEmpty || names.contains(where: name.hasPrefix)
}
do {
    try ReadCases.count(counter)
    try TextCases.count(counter)
    try FileCases.count(counter)
} catch {
    WorkingFolder.remove()
    fail("\(error)")
}
WorkingFolder.remove()
