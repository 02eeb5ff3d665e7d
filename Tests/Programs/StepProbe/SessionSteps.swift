import DurableFiles
import FileScripts
import FoundationEssentials
import Glibc
import LosslessJSON
import SessionMirror

/// Random steps of a session with a value of one type: edits of its file by other programs, updates, reloads, saves and
/// commits, one after the other. What they lead to depends on nothing but the seed.
struct SessionSteps<Root: RandomValue> {
    /// Makes steps of a new session, which also end it, and returns a digest of all that they led to.
    static func run(
        _ path: String, _ random: SeededGenerator, count: Int, isVerbose: Bool
    ) throws -> (Digest, MirrorMetrics) {
        defer { try? FileManager.default.removeItem(atPath: path) }
        var steps = try SessionSteps(path, random)
        for number in 0..<count {
            let step = try steps.step()
            if isVerbose { say("\(number), \(step)") }
        }
        try steps.end()
        return (steps.digest, steps.session.mirror.metrics)
    }

    private let path: String
    private let session: Session<Root>
    private var choices: RandomChoices
    /// The last text with a value that the session accepted.
    private var lastValidText: [UInt8] = []
    private var digest = Digest()

    private init(_ path: String, _ random: SeededGenerator) throws {
        self.path = path
        choices = RandomChoices(random)
        var options = SessionOptions()
        // Nothing happens by itself.
        (options.watching, options.savingDelay, options.savingLimit) = (.off, .seconds(86_400), .seconds(86_400))
        (options.settlingTime, options.staleWriteWindow) = (.zero, .zero)
        (options.unobservedProblems, options.replacing) = (.ignore, .fast)
        options.conflicts = choices.chance(50) ? .fileWins : .memoryWins
        options.newFile = choices.chance(50) ? .changedKeys : .allKeys
        session = try Session(Root.random(&choices), at: path, options: options)
        if choices.chance(80) { try session.update { $0.change(&choices) } }
    }

    /// Makes one step, and describes it and the state after it.
    private mutating func step() throws -> String {
        let name = try makeStep()
        // Content that cannot be parsed is loaded again some time after a save has found it.
        if ["flush", "commit"].contains(name), try !isParsable { try reload() }
        return "\(name): \(try recordState())"
    }

    private mutating func makeStep() throws -> String {
        switch choices.below(20) {
        case 0..<6:
            try session.update { root in
                for _ in 0...choices.below(3) { root.change(&choices) }
            }
            return "update"
        case 6..<10:
            try edit()
            return "edit"
        case 10..<14:
            try edit()
            try reload()
            return "edit and reload"
        case 14..<18:
            do { try session.flushBlocking() } catch { record(error) }
            return "flush"
        default:
            let (copy, session) = (choices, session)
            do {
                try session.commitBlocking { root in
                    // If it runs again, it makes the same change.
                    var choices = copy
                    root.change(&choices)
                }
            } catch {
                record(error)
            }
            _ = choices.generator.next()
            return "commit"
        }
    }

    /// Saves what is pending, and closes the session. Its file becomes valid before that, so that nothing is left to save.
    private mutating func end() throws {
        if session.mirror.status.content != .good, !lastValidText.isEmpty {
            try FileWriting.replace(path, with: lastValidText)
        }
        do { try session.closeBlocking() } catch { record(error) }
        try recordState()
    }

    private mutating func edit() throws {
        if lastValidText.isEmpty { lastValidText = JSONPrinter().bytes(try encoded(.random(&choices))) }
        let text = try readText() ?? lastValidText
        let isGood = try session.mirror.status.content == .good && isParsable
        let isRepair = choices.chance(isGood ? 2 : 80)
        let edited = isRepair ? lastValidText : TextEdit.edited(text, &choices.generator)
        // A text without a value counts as an empty object some time later.
        var options = JSONDocument.Options()
        options.acceptsBlankText = true
        if (try? JSONDocument(parsing: edited, options: options))?.isBlank == true { return }
        let write = choices.chance(50) ? FileWriting.replace : FileWriting.overwrite
        try write(path, edited)
    }

    /// Loads the file, and waits until all that follows from it has happened.
    private func reload() throws {
        // The second load begins after the first one has ended.
        for _ in 0..<2 {
            let loads = session.mirror.metrics.loads
            session.mirror.reload()
            while session.mirror.metrics.loads == loads { usleep(20) }
        }
        if try isParsable { return }
        while true {
            if case .invalid(let problem) = session.mirror.status.content, case .syntax = problem.code { return }
            usleep(20)
        }
    }

    /// Whether the file can be parsed, or does not exist.
    private var isParsable: Bool {
        get throws {
            guard let text = try readText() else { return true }
            return (try? JSONDocument(parsing: text)) != nil
        }
    }

    private func encoded(_ root: Root) throws -> JSON { try JSONValueEncoder(conversions: .standard).encode(root) }

    private func readText() throws -> [UInt8]? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        return try DurableFile(path).read(limit: 1 << 30).bytes
    }

    private mutating func record(_ error: any Error) { digest.add("\(error)".replacing(path, with: "")) }

    /// Adds the value, the file and what the session says of them to the digest, and describes them.
    @discardableResult
    private mutating func recordState() throws -> String {
        let status = session.mirror.status
        var (file, value) = (Digest(), Digest())
        if let text = try readText() {
            file.add(text)
            // An edit that was not loaded yet may be invalid.
            let loaded = session.mirror.document?.text
            if status.content == .good, loaded == String(decoding: text, as: UTF8.self) { lastValidText = text }
        }
        value.add(JSONPrinter(layout: .compact).bytes(try encoded(session.snapshot.value)))
        let metrics = session.mirror.metrics
        var state = "file \(file), value \(value), \(metrics.reloads) reloads, \(metrics.saves) saves"
        state += ", \(metrics.merges) merges, \(metrics.conflicts) conflicts"
        // The same text may be reported as invalid once or twice.
        if try isParsable { state += ", \(status)" }
        digest.add(state)
        return state
    }
}
