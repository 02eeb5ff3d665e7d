import DurableFiles
import FileScripts
import Glibc

/// Makes one replacement and prints its result: `exchanged, complete, lease held, lock held`.
///
/// KILL_AT_CALL kills the process before the system call of that number, MAX_WRITE is the maximum size of one write,
/// KEEP_LINKS keeps hard links.
struct Replacer {
    let file: DurableFile
    private let calls = ScriptedCalls()
    private let options: ReplaceOptions

    init(_ path: String) {
        file = DurableFile(path)
        var options = ReplaceOptions.durable
        if setting("KEEP_LINKS", or: 0) == 1 { options.hardLinks = .keep }
        self.options = options
        calls.pausesForReal = true
        calls.recordsCalls = false
        calls.longestWrite = setting("MAX_WRITE", or: .max)
        let countdown = KillCountdown(setting("KILL_AT_CALL", or: 0))
        calls.before = { _, _ in countdown.advance() }
    }

    func replace(by text: String) {
        let bytes = Array(text.utf8)
        withFileError(bytes) {
            try file.replace(limit: 1 << 24, options: options, through: calls) { _ in bytes }
        }
    }

    /// Recovers from a crash. No other program writes here, so the bytes that were to be written are correct.
    func repair() {
        withFileError(nil) { try file.recover(limit: 1 << 24, options: options) { _, _, theirs in theirs } }
    }

    private func withFileError(_ bytes: [UInt8]?, _ replace: () throws -> Replacement) {
        do {
            let replacement = try replace()
            print(replacement.words + (try differences(replacement, bytes)))
        } catch let error as FileError {
            print("\(error.code), \(error.operation), \(error.errorNumber): \(error.wordsWithoutPath)")
            exit(1)
        } catch {
            fail("\(error)")
        }
    }

    /// Compares the result with the file.
    private func differences(_ replacement: Replacement, _ bytes: [UInt8]?) throws -> String {
        guard let contents = replacement.contents else { return ", no file" }
        let actual = try file.read(limit: 1 << 24)
        var result = ""
        if contents.bytes != actual.bytes || bytes != nil && contents.bytes != bytes { result += ", other bytes" }
        let (reported, found) = (contents.identity, actual.identity)
        if !reported.isSameFile(as: found) || reported.size != found.size || reported.modified != found.modified {
            result += ", another identity"
        } else if reported.changed != found.changed, setting("LOOSE_TIMES", or: 0) == 0 {
            result += ", changed later"
        }
        if contents.mode != actual.mode { result += ", another mode" }
        return result
    }
}

/// Kills the process before the system call of the given number.
private final class KillCountdown {
    private var rest: Int

    init(_ number: Int) { rest = number }

    func advance() {
        rest -= 1
        if rest == 0 { kill(getpid(), SIGKILL) }
    }
}

extension Replacement {
    fileprivate var words: String {
        var words = ["\(method)", "\(durability)", "lease \(lease)", "lock \(lock)"]
        if !lostAttributes.isEmpty {
            words.append("lost \(lostAttributes.sorted().map { "\($0)" }.joined(separator: " "))")
        }
        if linksToOldVersion != 0 { words.append("links to old version \(linksToOldVersion)") }
        if tries > 1 { words.append("tries \(tries)") }
        if !leftovers.isEmpty { words.append("left \(leftovers.joined(separator: " "))") }
        return words.joined(separator: ", ")
    }
}

extension FileError {
    fileprivate var wordsWithoutPath: String { String(description.dropFirst(path.count + 2)) }
}
