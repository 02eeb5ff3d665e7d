import DurableFiles
import Glibc
import HandTimed

/// One size of file, replaced in every way by turns.
struct Measurement {
    let title: String
    let bytes: Int
    let rounds: Int

    func run(into results: inout Results) throws {
        let folder = try Folder()
        let least = LeastReplacement(path: "\(folder.path)/least.json")
        let ours = DurableFile("\(folder.path)/ours.json")
        var times = Array(repeating: Times(), count: 4)
        let limit = bytes
        for round in 0..<rounds {
            // Another content each time.
            let contents = [UInt8](repeating: UInt8(round % 26) + 97, count: bytes)
            times[0].add(try time { try ours.replace(limit: limit) { _ in contents } })
            times[1].add(time { least.replace(with: contents, waits: true) })
            times[2].add(try time { try ours.replace(limit: limit, options: .fast) { _ in contents } })
            times[3].add(time { least.replace(with: contents, waits: false) })
            // What the others left to the disk must not be paid by the next.
            sync()
        }
        results.add("replace/\(title)/durable", times[0])
        results.add("replace/\(title)/durable", by: "bare minimum", times[1])
        results.add("replace/\(title)/fast", times[2])
        results.add("replace/\(title)/fast", by: "bare minimum", times[3])
    }

    private func time(_ work: () throws -> some Any) rethrows -> Int {
        let begin = now()
        _ = try work()
        return now() - begin
    }
}

/// What every program does that replaces files durably: a file beside it, written, synced, renamed over it, and the
/// folder synced.
struct LeastReplacement {
    let path: String

    func replace(with bytes: [UInt8], waits: Bool) {
        let new = path + ".new"
        let file = must("open", open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600))
        _ = must("write", write(file, bytes, bytes.count))
        if waits { _ = must("fdatasync", fdatasync(file)) }
        close(file)
        _ = must("rename", rename(new, path))
        guard waits else { return }
        let folder = must("open", open(String(path[..<path.lastIndex(of: "/")!]), O_RDONLY | O_CLOEXEC))
        _ = must("fsync", fsync(folder))
        close(folder)
    }
}

/// A temporary folder on a disk, removed with what is in it when it is released.
final class Folder {
    let path: String

    init() throws {
        var template = Array(
            "\(getenv("TMPDIR").map { String(cString: $0) } ?? "/var/tmp")/SessionMirror-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { fail("mkdtemp") }
        path = String(decoding: template.dropLast().map(UInt8.init), as: UTF8.self)
    }

    deinit {
        for name in ["least.json", "least.json.new", "ours.json"] { unlink("\(path)/\(name)") }
        rmdir(path)
    }
}
