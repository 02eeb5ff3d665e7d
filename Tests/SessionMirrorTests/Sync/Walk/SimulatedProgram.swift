import LosslessJSON

@testable import SessionMirror

/// The root type of a simulated program: JSON, or a type with only the program's own keys.
enum SimulatedProgram: Sendable {
    case json
    case typed

    struct Values: Codable, Sendable {
        var n = 0
        var mine = 0
        var log = ""
        var shared = "a"
        /// Cannot be written while it is not a number.
        var ratio = 0.0
    }

    private static let coder = RootCoder(
        conversions: .standard, defaults: try! JSONValueEncoder(conversions: .standard).encode(Values()))

    var decoder: any RootDecoding {
        switch self {
        case .json: ValidatingDecoder<JSON>(coder: .standard, check: Self.check)
        case .typed: ValidatingDecoder<Values>(coder: Self.coder, check: nil)
        }
    }

    @Sendable private static func check(_ value: JSON) throws {
        if let number = value["n"], number.int == nil { throw ValidationError("must be a number", at: "n") }
    }

    var defaults: AnySnapshotStorage {
        switch self {
        case .json: SnapshotStorage(JSON.object([:]), version: .first, origin: .initial, source: .nothing)
        case .typed: SnapshotStorage(Values(), version: .first, origin: .initial, source: .nothing)
        }
    }

    /// The next version, with the counter incremented and one key set.
    func next(_ snapshot: AnySnapshotStorage, _ version: Version, setting key: String, to value: JSON)
        -> AnySnapshotStorage
    {
        switch self {
        case .json:
            var root = snapshot.savedTree
            root["n"] = JSON((root["n"]?.int ?? 0) + 1)
            root[key] = value
            return SnapshotStorage(root, version: version, origin: .update, source: .tree(root))
        case .typed:
            let snapshot = unsafeDowncast(snapshot, to: SnapshotStorage<Values>.self)
            var root = snapshot.root
            root.n += 1
            root.ratio = key == "ratio" ? .nan : 0
            switch key {
            case "ratio": break
            case "mine": root.mine = value.int!
            case "log": root.log = value.string!
            default: root.shared = value.string!
            }
            return SnapshotStorage(
                root, version: version, origin: .update, source: .update(of: snapshot.baseline(with: Self.coder)))
        }
    }
}
