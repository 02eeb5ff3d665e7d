import DurableFiles
import FileScripts
import Glibc

/// A process that uses this library to add keys one by one.
///
/// KILL_INTERVAL is the average number of system calls before the process is killed; MAX_DELAY is the maximum delay in
/// microseconds before a quarter of the calls; PAUSE is the maximum delay between two keys; FAST leaves out
/// synchronization.
struct ReplaceWorker {
    let path: String
    let name: String
    let keys: KeyRange
    let log: KeyLog

    func run() throws {
        KeyLog.handleTermination()
        let (calls, rest) = (ReplaceWorker.calls(), setting("PAUSE", or: 2_000))
        let options: ReplaceOptions = setting("FAST", or: 0) == 1 ? .fast : .durable
        try keys.run { index in
            let key = "\(name).\(index)"
            let replacement = try ReplaceWorker.retryingWhileBusy {
                try DurableFile(path).replace(limit: 1 << 24, options: options, through: calls) { found in
                    try ReplaceWorker.next(found, adding: found.written == nil ? key : nil)
                }
            }
            log.add(key)
            if replacement.lock != .held { log.add(key, to: "unlocked") }
            if replacement.lease != .held { log.add(key, to: "unleased") }
            pause(upTo: rest)
        }
    }

    static func recover(_ path: String) throws {
        let replacement = try retryingWhileBusy {
            try DurableFile(path).recover(limit: 1 << 24) { base, ours, theirs in
                merged(base: base, ours: try notes(ours), theirs: try notes(theirs)).bytes
            }
        }
        print(replacement.leftovers.count)
    }

    /// Repeats the work while it throws `busy`, like services do.
    private static func retryingWhileBusy<Result>(_ work: () throws -> Result) throws -> Result {
        while true {
            do {
                return try work()
            } catch let error as FileError where error.code == .busy && !KeyLog.isTerminated {}
        }
    }

    private static func next(_ found: FoundFile, adding key: String?) throws -> [UInt8] {
        var result = try KeyValueText.merged(found, notes)
        if let key { result.values[key] = "1" }
        return result.bytes
    }

    private static func merged(base: [UInt8]?, ours: KeyValueText, theirs: KeyValueText) -> KeyValueText {
        KeyValueText.merged(base: base.flatMap(KeyValueText.init(complete:)), ours: ours, theirs: theirs)
    }

    /// Parses the bytes; the library must never pass on an incomplete file.
    private static func notes(_ bytes: [UInt8]) throws -> KeyValueText {
        guard let notes = KeyValueText(complete: bytes) else {
            fail("incomplete file: \(String(decoding: bytes.suffix(200), as: UTF8.self))")
        }
        return notes
    }

    private static func calls() -> ScriptedCalls {
        let calls = ScriptedCalls()
        calls.pausesForReal = true
        calls.recordsCalls = false
        let (killInterval, maxDelay) = (setting("KILL_INTERVAL", or: 0), setting("MAX_DELAY", or: 0))
        calls.before = { _, _ in
            if maxDelay > 0, Int.random(in: 0..<4) == 0 { pause(upTo: maxDelay) }
            if killInterval > 0, Int.random(in: 0..<killInterval) == 0 { kill(getpid(), SIGKILL) }
        }
        return calls
    }
}
