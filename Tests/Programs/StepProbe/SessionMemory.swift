import CAllocationCount
import FileScripts
import FoundationEssentials
import Glibc
import LosslessJSON
import SessionMirror

/// The memory of a session with a dictionary of structs: after opening it, after a number of edits of its file,
/// and after updates and saves.
enum SessionMemory {
    private typealias Value = Record<String, Int, [String]>

    static func run(_ path: String, _ count: Int, edits: Int) throws {
        var choices = RandomChoices(SeededGenerator(1))
        let values = (0..<count).map { number in
            (key(number), Value(first: "node-\(number).example.org", second: number, third: .random(&choices)))
        }
        let text = JSONPrinter().bytes(try JSONValueEncoder().encode(Dictionary(uniqueKeysWithValues: values)))
        try FileWriting.replace(path, with: text)
        var options = SessionOptions()
        options.watching = .off
        options.replacing = .fast

        allocation_count_set_enabled(true)
        let before = allocatedBytes()
        let session = try Session([String: Value](), at: path, options: options)
        say("\(allocatedBytes() - before)")
        for number in 0..<edits {
            try edit(path, key(number % count), number)
            session.mirror.reload()
            while session.mirror.metrics.reloads == number { usleep(20) }
        }
        say("\(allocatedBytes() - before)")
        for number in 0..<10 {
            try session.update { $0[key(number)]?.second += 1 }
            try session.flushBlocking()
        }
        say("\(allocatedBytes() - before)")
    }

    private static func key(_ number: Int) -> String { "record \(number)" }

    private static func edit(_ path: String, _ key: String, _ number: Int) throws {
        let document = try JSONDocument(parsing: Array(Data(contentsOf: URL(filePath: path))))
        let edited = try document.setting(JSONPointer([key, "second"]), to: JSON(-number - 1))
        try FileWriting.replace(path, with: edited.bytes)
    }

    /// The bytes that are allocated once replaced versions have been released, which takes a few milliseconds.
    private static func allocatedBytes() -> Int {
        var last = Int.max
        while true {
            let now = Int(allocation_count_of_process().live_bytes)
            if now >= last { return last }
            last = now
            usleep(50_000)
        }
    }
}
