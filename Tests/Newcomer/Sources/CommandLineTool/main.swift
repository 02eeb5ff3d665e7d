import Glibc
import SessionMirror

// A small tool that changes one value of any JSON file and exits.

func set(_ key: String, to number: Int, in path: String) throws -> Int {
    var options = SessionOptions(start: .requireValid)
    options.watching = .off
    let session = try Session<JSON>([:], at: path, options: options)
    let before = session[key, as: Int.self] ?? 0
    try session.commitBlocking { $0[key] = JSON(number) }
    try session.closeBlocking()
    return before
}

let folder = CommandLine.arguments[1]
let path = folder + "/ratings.json"
let before = [try set("rating", to: 4, in: path), try set("rating", to: 5, in: path)]
precondition(before == [0, 4])

// A missing directory is an error that names it and says what creates it.
do {
    _ = try set("rating", to: 1, in: folder + "/missing/ratings.json")
    fatalError("the directory was created")
} catch {
    print(error)
    precondition("\(error)".contains("/missing") && "\(error)".contains("createsDirectories"))
}

// Broken JSON is an error with its place.
let file = fopen(path, "w")!
fputs("{\n  \"rating\": 4,,\n}\n", file)
fclose(file)
do {
    _ = try set("rating", to: 1, in: path)
    fatalError("a broken file was changed")
} catch {
    print(error)
    precondition("\(error)".hasPrefix("\(path):2:"))
}
