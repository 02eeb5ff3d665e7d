import BenchmarkData
import CCounting
import Glibc
import LosslessJSON
import ManualTiming
import SessionMirror

/// Updating, saving and reloading sessions with a file.
enum FileCases {
    static func count(_ counter: CaseCounter) throws {
        try count(
            counter, "1 KB", TypicalRoot(),
            CountedValue(at: "/launches") {
                $0.launches
            } set: {
                $0.launches = $1
            })
        try count(
            counter, "1 KB, flat", FlatRoot(),
            CountedValue(at: "/launches") {
                $0.launches
            } set: {
                $0.launches = $1
            })
        for (size, number) in [("1000 structs", 1_000), ("10000 structs", 10_000)] {
            let key = Records.changedKey
            let value = CountedValue<Records>(at: "/records/\(key)/opened") {
                $0.records[key]?.opened ?? 0
            } set: {
                $0.records[key]?.opened = $1
            }
            try count(counter, size, Records(number), value)
            try countOneMore(counter, size, Records(number), value)
        }
        try count(
            counter, "1000 structs in an array", RecordList(1_000),
            CountedValue(at: "/records/7/opened") {
                $0.records[7].opened
            } set: {
                $0.records[7].opened = $1
            })
        let key = Records.changedKey
        try count(
            counter, "1000 unmarked structs", UnmarkedRecords(1_000),
            CountedValue(at: "/records/\(key)/opened") {
                $0.records[key]?.opened ?? 0
            } set: {
                $0.records[key]?.opened = $1
            })
    }

    private static func count<Root: Codable & Sendable>(
        _ counter: CaseCounter, _ size: String, _ root: Root, _ value: CountedValue<Root>
    ) throws {
        let names = ["update", "update after a rest", "save", "reload"]
        guard names.contains(where: { counter.isChosen("\($0)/\(size)") }) else { return }
        let file = try SessionFile(root, value)
        defer { try? file.session.closeBlocking() }
        try counter.count("update/\(size)", times: 100) { try file.update() }
        try counter.count("update after a rest/\(size)", times: 10) {
            try file.session.flushBlocking()
            rest()
        } work: {
            try file.update()
        }
        let times = (size.hasPrefix("1 KB") ? 32 : size.hasPrefix("1000 ") ? 8 : 4) / (counter.isFew ? 4 : 1)
        try counter.count("save/\(size)", times: times) {
            try file.update()
            rest()
        } work: {
            try file.session.flushBlocking()
        }
        // Whether a replaced version is released before the new one has arrived differs from time to time: the least counts.
        try counter.count("reload/\(size)", times: max(4, times), of: .process) {
            let expected = try file.editOutside()
            rest()
            return expected
        } work: {
            try file.reload($0)
        }
    }

    /// Saves and reloads a root that gets another struct, under another key each time.
    private static func countOneMore(
        _ counter: CaseCounter, _ size: String, _ root: Records, _ value: CountedValue<Records>
    ) throws {
        let (save, reload) = ("save/\(size), one more", "reload/\(size), one more")
        guard counter.isChosen(save) || counter.isChosen(reload) else { return }
        let file = try SessionFile(root, value)
        defer { try? file.session.closeBlocking() }
        let first = Records.changedKey
        var number = 0
        func newKey() -> String {
            number += 1
            return "\(first)-\(number)"
        }
        try counter.count(save, times: 2) {
            let key = newKey()
            try file.session.update { $0.records[key] = $0.records[first] }
            rest()
        } work: {
            try file.session.flushBlocking()
        }
        try counter.count(reload, times: 4, of: .process) {
            let key = newKey()
            guard let document = file.session.mirror.document, let record = document.value["records"]?[first] else {
                preconditionFailure("the file was not loaded")
            }
            let change = JSONChange(at: JSONPointer(["records", key]), from: nil, to: record)
            file.replace(with: try document.applying([change]).bytes)
            rest()
            return key
        } work: { key in
            file.session.mirror.reload()
            try file.session.waitUntilBlocking { $0.records[key] != nil }
        }
    }

    /// Waits until replaced versions are released. Otherwise the counted thread would sometimes be their last owner.
    private static func rest() { usleep(50_000) }
}

/// A number in a root that is changed, and its place in the text.
private struct CountedValue<Root: Sendable>: Sendable {
    let pointer: JSONPointer
    let get: @Sendable (borrowing Root) -> Int
    let set: @Sendable (inout Root, Int) -> Void

    init(
        at pointer: JSONPointer, _ get: @escaping @Sendable (borrowing Root) -> Int,
        set: @escaping @Sendable (inout Root, Int) -> Void
    ) {
        (self.pointer, self.get, self.set) = (pointer, get, set)
    }
}

/// A session with a file that is read and saved only on request.
private struct SessionFile<Root: Codable & Sendable> {
    let session: Session<Root>
    private let path: String
    private let value: CountedValue<Root>

    init(_ root: Root, _ value: CountedValue<Root>) throws {
        var options = SessionOptions()
        options.watching = .off
        options.newFile = .allKeys
        options.savingDelay = .seconds(3_600)
        options.savingLimit = .seconds(3_600)
        self.value = value
        path = WorkingFolder.path(of: "\(Root.self).json")
        unlink(path)
        session = try Session(root, at: path, options: options)
        try update()
        try session.flushBlocking()
    }

    func update() throws { try session.update { value.set(&$0, value.get($0) + 1) } }

    /// Replaces the file by one in which the value is larger by one, and returns that value.
    func editOutside() throws -> Int {
        let value = session.read(value.get)
        guard let document = session.mirror.document else { preconditionFailure("the file was not loaded") }
        let change = JSONChange(at: self.value.pointer, from: JSON(value), to: JSON(value + 1))
        replace(with: try document.applying([change]).bytes)
        return value + 1
    }

    func replace(with bytes: [UInt8]) { MinimalReplacement(path: path).replace(with: bytes, waits: false) }

    /// Loads the file, and waits until the value in it is published.
    func reload(_ expected: Int) throws {
        let value = value
        session.mirror.reload()
        try session.waitUntilBlocking { value.get($0) == expected }
    }
}
