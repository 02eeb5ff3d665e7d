import DurableFiles
import FileScripts
import Glibc

/// A process that uses this library, adding a key at a time.
///
/// DEATH kills it before one of that many system calls on average; WIDEN lets it sleep before a quarter of them, up to so
/// many microseconds; PAUSE is how long it rests between two keys; FAST leaves the syncs out.
struct Worker {
    let path: String
    let name: String
    let keys: Keys
    let log: Log

    func run() throws {
        Log.listen()
        let (calls, rest) = (Worker.calls(), setting("PAUSE", or: 2_000))
        let options: ReplaceOptions = setting("FAST", or: 0) == 1 ? .fast : .durable
        try keys.run { index in
            let key = "\(name).\(index)"
            try Worker.patiently {
                _ = try DurableFile(path).replace(limit: 1 << 24, options: options, through: calls) { found in
                    try Worker.next(found, adding: found.confirmed == nil ? key : nil)
                }
            }
            log.add(key)
            pause(upTo: rest)
        }
    }

    static func recover(_ path: String) throws {
        let replacement = try patiently {
            try DurableFile(path).recover(limit: 1 << 24) { base, ours, theirs in
                merged(base: base, ours: try notes(ours), theirs: try notes(theirs)).bytes
            }
        }
        print(replacement.leftOvers.count)
    }

    /// Again when others write all the time, as services do.
    private static func patiently<Result>(_ work: () throws -> Result) throws -> Result {
        while true {
            do {
                return try work()
            } catch let error as FileError where error.code == .busy && !Log.isOver {}
        }
    }

    private static func next(_ found: FoundFile, adding key: String?) throws -> [UInt8] {
        var result = try Notes.merged(found, notes)
        if let key { result.values[key] = "1" }
        return result.bytes
    }

    private static func merged(base: [UInt8]?, ours: Notes, theirs: Notes) -> Notes {
        Notes.merged(base: base.flatMap(Notes.init(complete:)), ours: ours, theirs: theirs)
    }

    /// Nobody may ever be given half a file.
    private static func notes(_ bytes: [UInt8]) throws -> Notes {
        guard let notes = Notes(complete: bytes) else {
            fail("half a file: \(String(decoding: bytes.suffix(200), as: UTF8.self))")
        }
        return notes
    }

    private static func calls() -> ScriptedCalls {
        let calls = ScriptedCalls()
        calls.pausesForReal = true
        calls.keepsRecord = false
        let (death, widen) = (setting("DEATH", or: 0), setting("WIDEN", or: 0))
        calls.before = { _, _ in
            if widen > 0, Int.random(in: 0..<4) == 0 { pause(upTo: widen) }
            if death > 0, Int.random(in: 0..<death) == 0 { kill(getpid(), SIGKILL) }
        }
        return calls
    }
}
