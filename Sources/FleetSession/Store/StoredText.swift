internal import EtcdClient
internal import LosslessJSON
internal import SessionMirror

/// The value of the key in the store.
struct StoredText: Sendable {
    /// The revision that changed the key last; 0 if the key does not exist.
    let keyRevision: Int
    /// The revision of the store that has this value.
    let revision: Int
    /// nil if the key does not exist.
    let bytes: [UInt8]?

    init(keyRevision: Int, revision: Int, bytes: [UInt8]?) {
        (self.keyRevision, self.revision, self.bytes) = (keyRevision, revision, bytes)
    }

    init(_ keyValue: EtcdKeyValue?, revision: Int) {
        (keyRevision, bytes) = (keyValue?.modRevision ?? 0, keyValue?.value)
        self.revision = keyValue?.modRevision ?? revision
    }
}

/// The names of keys in the store.
struct FleetKeys: Sendable {
    /// Has the text.
    let text: String
    /// Has the identifier of the last commit, changed in the same transaction as the text.
    var commit: String { text + ".commit" }
    /// Has an entry for each machine.
    var machines: String { text + ".machines/" }
}

/// What is written with each commit.
struct CommitRecord: Sendable {
    /// Unique for each attempt to change the text, so that a lost answer can be told from a failure.
    let identifier: String
    let machine: String

    init(by machine: String) {
        self.machine = machine
        identifier = (0..<2).map { _ in String(UInt64.random(in: 0 ... .max), radix: 36) }.joined(separator: "-")
    }

    init?(_ bytes: [UInt8]) {
        guard let value = try? JSONDocument(parsing: bytes).value, let identifier = value["commit"]?.string,
            let machine = value["machine"]?.string
        else { return nil }
        (self.identifier, self.machine) = (identifier, machine)
    }

    var bytes: [UInt8] {
        JSONPrinter(layout: .compact).bytes(["commit": JSON(identifier), "machine": JSON(machine)])
    }
}
