import DurableFiles
import FileScripts
import Glibc

/// One replacement, and a line that tells what came of it: `exchanged, complete, lease held, lock held`.
///
/// DEATH_AT ends the process before the system call of that number, PIECE is how much one write may take, KEEP_LINKS
/// writes a file that has several names in place.
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
        calls.keepsRecord = false
        calls.longestWrite = setting("PIECE", or: .max)
        let death = Deadline(setting("DEATH_AT", or: 0))
        calls.before = { _, _ in death.come() }
    }

    func replace(by text: String) {
        let bytes = Array(text.utf8)
        tell(bytes) {
            try file.replace(limit: 1 << 24, options: options, through: calls) { _ in bytes }
        }
    }

    /// Mends what a crash left. Nothing foreign is ever in it here, so that what was to be written is good.
    func mend() {
        tell(nil) { try file.recover(limit: 1 << 24, options: options) { _, _, theirs in theirs } }
    }

    private func tell(_ bytes: [UInt8]?, _ replace: () throws -> Replacement) {
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

    /// What stands in the result must be what is in the file.
    private func differences(_ replacement: Replacement, _ bytes: [UInt8]?) throws -> String {
        guard let contents = replacement.contents else { return ", no file" }
        let there = try file.read(limit: 1 << 24)
        var result = ""
        if contents.bytes != there.bytes || bytes != nil && contents.bytes != bytes { result += ", other bytes" }
        let (told, found) = (contents.identity, there.identity)
        if !told.isSameFile(as: found) || told.size != found.size || told.modified != found.modified {
            result += ", another identity"
        } else if told.changed != found.changed, setting("LOOSE_TIMES", or: 0) == 0 {
            result += ", changed later"
        }
        if contents.mode != there.mode { result += ", another mode" }
        return result
    }
}

/// The system call that is not lived to see.
private final class Deadline {
    private var rest: Int

    init(_ number: Int) { rest = number }

    func come() {
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
        if partedLinks != 0 { words.append("parted \(partedLinks)") }
        if tries > 1 { words.append("tries \(tries)") }
        if !leftOvers.isEmpty { words.append("left \(leftOvers.joined(separator: " "))") }
        return words.joined(separator: ", ")
    }
}

extension FileError {
    fileprivate var wordsWithoutPath: String { String(description.dropFirst(path.count + 2)) }
}
