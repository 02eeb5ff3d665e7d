internal import DurableFiles
internal import LosslessJSON
internal import SessionMirror

/// The last text that the machine and the store had in common: the base of the three-way merge.
struct CommonText: Sendable {
    /// nil if there was none yet.
    var document: JSONDocument?
    /// The revision that gave the key this text, or the one that deleted the key; 0 if there was none yet.
    let revision: Int
    /// What the next change of the key must compare with: 0 if the key does not exist.
    let keyRevision: Int
    /// The values that were replaced a moment ago.
    var replacedValues = ReplacedValues()
    /// A text that was sent, if it is not known whether the store has taken it.
    var pendingPut: PendingPut?

    static let none = CommonText(document: nil, revision: 0, keyRevision: 0)
}

/// A text that was sent to the store, whose answer was lost or is awaited. It is on disk before it is sent, because a
/// process may be killed meanwhile.
struct PendingPut: Sendable {
    /// The identifier of its commit.
    let identifier: String
    /// The revision of the key that it replaces; 0 if the key did not exist.
    let replacedRevision: Int
    /// What the machine had, which the text contains. If the store has taken the text, it is the base of the next merge.
    let base: JSONDocument
}

extension CommonText {
    /// Decodes the content of the file that has it; nil if it is of another key, or invalid.
    init?(_ bytes: [UInt8], of key: String, _ parsing: JSONDocument.Options) {
        guard let value = try? JSONDocument(parsing: bytes).value, value["key"]?.string == key,
            let revision = value["revision"]?.int, let keyRevision = value["keyRevision"]?.int
        else { return nil }
        (self.revision, self.keyRevision) = (revision, keyRevision)
        replacedValues = ReplacedValues(value["replaced"])
        pendingPut = PendingPut(value["pending"], parsing)
        guard let text = value["text"]?.string else {
            document = nil
            return
        }
        guard let document = try? JSONDocument(parsing: text, options: parsing) else { return nil }
        self.document = document
    }

    func bytes(of key: String) -> [UInt8] {
        var value = JSONObject([
            ("key", JSON(key)), ("revision", JSON(revision)), ("keyRevision", JSON(keyRevision)),
            ("replaced", replacedValues.json),
        ])
        if let document { value["text"] = JSON(document.text) }
        if let pendingPut { value["pending"] = pendingPut.json }
        return JSONPrinter().bytes(.object(value))
    }

    /// Returns the changes of a machine that are probably stale writes.
    ///
    /// A program that has read the file before a new text was merged into it, and writes it back after that, reverts what
    /// the other machines have changed. The session that has merged the text restores it, or another one if that has ended,
    /// but until then such a value must not be taken for a change of this machine.
    ///
    /// - Parameters:
    ///   - tree: The tree of the machine.
    ///   - file: What the file has. What is only in memory is meant.
    ///   - start: The beginning of the stale write window in which the file was written. Values that were replaced before
    ///     it are meant.
    ///   - intended: What programs of this library wrote last. It is meant, too.
    func staleChanges(
        in tree: JSON, file: JSON, since start: Int, _ intended: @autoclosure () -> IntendedValues
    ) -> [ValueChange] {
        guard let before = document?.value, !replacedValues.isEmpty else { return [] }
        let candidates = ValueChange.list(from: before, to: tree).filter { change in
            replacedValues.contains(change.new, at: change.path, since: start) && file[at: change.path] == change.new
        }
        if candidates.isEmpty { return [] }
        let intended = intended()
        return candidates.filter { !intended.contains($0.new, at: $0.path) }
    }
}

extension PendingPut {
    fileprivate init?(_ json: JSON?, _ parsing: JSONDocument.Options) {
        guard let identifier = json?["commit"]?.string, let replaced = json?["replaced"]?.int,
            let text = json?["base"]?.string, let base = try? JSONDocument(parsing: text, options: parsing)
        else { return nil }
        (self.identifier, replacedRevision, self.base) = (identifier, replaced, base)
    }

    fileprivate var json: JSON {
        ["commit": JSON(identifier), "replaced": JSON(replacedRevision), "base": JSON(base.text)]
    }
}

extension JSON {
    /// The tree without changes.
    func reverting(_ changes: [ValueChange]) -> JSON { changes.reduce(self) { $0.with($1.old, at: $1.path) } }
}

/// The values of the common text that were replaced within the last minute, as hashes.
struct ReplacedValues: Sendable {
    private struct Entry: Sendable {
        let hash: UInt64
        /// In milliseconds since 1970, by the clock that the processes of the machine share.
        let time: Int
    }

    private static let capacity = 1_000
    private var entries: [Entry] = []

    var isEmpty: Bool { entries.isEmpty }

    /// Whether a value was replaced at this time or later.
    func contains(_ value: JSON?, at path: JSONPointer, since time: Int) -> Bool {
        let hash = Self.hash(value, at: path)
        return entries.contains { $0.hash == hash && $0.time >= time }
    }

    /// Adds the values that a text has replaced.
    mutating func add(_ changes: [ValueChange], at time: Int) {
        entries += changes.suffix(Self.capacity).map { Entry(hash: Self.hash($0.old, at: $0.path), time: time) }
        entries = entries.suffix(Self.capacity)
    }

    /// Keeps the values that were replaced in a range of time. Those of the future are of a clock that was set back.
    mutating func keep(_ times: ClosedRange<Int>) { entries.removeAll { !times.contains($0.time) } }

    private static func hash(_ value: JSON?, at path: JSONPointer) -> UInt64 {
        let text = value.map { JSONPrinter(layout: .compact).string($0) } ?? ""
        return Digest(Array("\(path)\0\(text)".utf8)).value
    }
}

extension ReplacedValues {
    init(_ json: JSON?) {
        entries = (json?.array ?? []).compactMap { entry in
            guard let array = entry.array, array.count == 2, let hash = array[0].uint64, let time = array[1].int else {
                return nil
            }
            return Entry(hash: hash, time: time)
        }
    }

    var json: JSON { .array(JSONArray(entries.map { .array([JSON($0.hash), JSON($0.time)]) })) }
}
