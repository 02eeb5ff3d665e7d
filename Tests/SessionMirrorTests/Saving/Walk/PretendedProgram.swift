import LosslessJSON

@testable import SessionMirror

/// What the program of a pretended world has for a value: any JSON, or a type that knows only the program's own keys.
enum PretendedProgram: Sendable {
    case json
    case typed

    struct Values: Codable, Sendable {
        var n = 0
        var mine = 0
        var log = ""
        var shared = "a"
    }

    private static let coding = Coding(
        conversions: .standard, defaults: try! JSONValueEncoder(conversions: .standard).encode(Values()))

    var understanding: any Understanding {
        switch self {
        case .json: CheckedDecoding<JSON>(coding: .standard, check: Self.check)
        case .typed: CheckedDecoding<Values>(coding: Self.coding, check: nil)
        }
    }

    @Sendable private static func check(_ value: JSON) throws {
        if let number = value["n"], number.int == nil { throw Refusal("must be a number", at: "n") }
    }

    var defaults: AnyEdition {
        switch self {
        case .json: Edition(JSON.object([:]), version: .first, origin: .initial, source: .nothing)
        case .typed: Edition(Values(), version: .first, origin: .initial, source: .nothing)
        }
    }

    /// The next version, with one more counted and another value of one key.
    func next(_ edition: AnyEdition, _ version: Version, setting key: String, to value: JSON) -> AnyEdition {
        switch self {
        case .json:
            var root = edition.savedTree
            root["n"] = JSON((root["n"]?.int ?? 0) + 1)
            root[key] = value
            return Edition(root, version: version, origin: .update, source: .tree(root))
        case .typed:
            let edition = unsafeDowncast(edition, to: Edition<Values>.self)
            var root = edition.root
            root.n += 1
            switch key {
            case "mine": root.mine = value.int!
            case "log": root.log = value.string!
            default: root.shared = value.string!
            }
            return Edition(
                root, version: version, origin: .update, source: .update(of: edition.basis(with: Self.coding)))
        }
    }
}
