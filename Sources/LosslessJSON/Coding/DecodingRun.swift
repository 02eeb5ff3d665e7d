/// A value to decode, and the one to take what it lacks from.
struct DecodingPlace {
    let value: JSON
    let fallback: JSON?
    let path: CodingPath?

    init(_ value: JSON, fallback: JSON? = nil, path: CodingPath?) {
        (self.value, self.fallback, self.path) = (value, fallback, path)
    }

    var codingPath: [any CodingKey] { CodingPath.keys(of: path) }
}

/// One call of ``JSONValueDecoder``: what is known about the types that occur, and where it failed.
final class DecodingRun {
    /// How a type is decoded. Asking the runtime for conformances is slow, so each type is asked about once.
    private struct Traits {
        enum Way {
            case plain
            case tree
            case conversion(JSONConversions.Conversion)
            case array(any ArrayDecoding.Type)
            case dictionary(any DictionaryDecoding.Type)
        }

        let way: Way
        let defaults: JSON?
    }

    private let conversions: JSONConversions
    let userInfo: [CodingUserInfoKey: any Sendable]
    private var traits: [ObjectIdentifier: Traits] = [:]
    /// Where the last error that is not Swift's own came from.
    private var failurePath: [any CodingKey] = []

    init(_ conversions: JSONConversions, _ userInfo: [CodingUserInfoKey: any Sendable]) {
        self.conversions = conversions
        self.userInfo = userInfo
    }

    private func traits<Value: Decodable>(of type: Value.Type) throws -> Traits {
        if let known = traits[ObjectIdentifier(type)] { return known }
        let way: Traits.Way =
            if type == JSON.self {
                .tree
            } else if let conversion = conversions[type] {
                .conversion(conversion)
            } else if let array = type as? any ArrayDecoding.Type {
                .array(array)
            } else if let dictionary = type as? any DictionaryDecoding.Type {
                .dictionary(dictionary)
            } else {
                .plain
            }
        let defaults = try (type as? any Defaulted.Type).map { type in
            var encoder = JSONValueEncoder(conversions: conversions)
            encoder.userInfo = userInfo
            return try encoder.encode(type.init())
        }
        let found = Traits(way: way, defaults: defaults)
        traits[ObjectIdentifier(type)] = found
        return found
    }

    func decode<Value: Decodable>(_ type: Value.Type, _ place: DecodingPlace) throws -> Value {
        if ScalarDecoding.knows(type) { return try ScalarDecoding.decode(type, place) }
        let traits = try traits(of: type)
        do {
            switch traits.way {
            case .tree: return place.value as! Value
            case .conversion(let conversion): return try conversion.decode(place.value) as! Value
            case .array(let array): return try array.init(self, place) as! Value
            case .dictionary(let dictionary):
                return try dictionary.init(self, DecodingPlace(place.value, path: place.path)) as! Value
            case .plain:
                let fallback = place.fallback.unlessNull ?? traits.defaults
                return try Value(
                    from: TreeDecoder(self, DecodingPlace(place.value, fallback: fallback, path: place.path)))
            }
        } catch let error as DecodingError {
            throw explained(error, type, place)
        } catch let mismatch as JSONMismatch {
            throw ScalarDecoding.mismatch(mismatch.expected, type, place, code: .value)
        } catch {
            rememberFailure(at: place)
            throw error
        }
    }

    /// The deepest place counts, unless what failed there was caught and something else failed later.
    private func rememberFailure(at place: DecodingPlace) {
        let path = place.codingPath
        let isAbove =
            path.count < failurePath.count && zip(path, failurePath).allSatisfy { $0.stringValue == $1.stringValue }
        if !isAbove { failurePath = path }
    }

    /// Enums say no more than that a value is not theirs: the cases are what a person needs to know.
    private func explained<Value>(_ error: DecodingError, _ type: Value.Type, _ place: DecodingPlace) -> any Error {
        guard case .dataCorrupted(let context) = error, !(context.underlyingError is Complaint),
            context.codingPath.count == place.codingPath.count, type is any RawRepresentable.Type
        else { return error }
        let cases = (type as? any CaseIterable.Type).map { rawValues(of: $0) } ?? []
        let expected = cases.isEmpty ? "a valid \(type)" : "one of " + cases.map(\.description).joined(separator: ", ")
        return ScalarDecoding.mismatch(expected, type, place, code: .value)
    }

    private func rawValues<Cases: CaseIterable>(of type: Cases.Type) -> [JSON] {
        type.allCases.prefix(24).compactMap { one in
            switch (one as? any RawRepresentable)?.rawValue {
            case let string as String: JSON(string)
            case let integer as any FixedWidthInteger: JSON(integer)
            default: nil
            }
        }
    }

    /// Any error as one that names the path in words.
    func worded(_ error: any Error) -> JSONCodingError {
        guard let error = error as? DecodingError else {
            if let error = error as? JSONCodingError { return error }
            return JSONCodingError(.value, JSONPointer(failurePath), "is not valid: \(error)", underlying: error)
        }
        let (context, code): (DecodingError.Context, JSONCodingError.Code) =
            switch error {
            case .typeMismatch(_, let context): (context, .type)
            case .valueNotFound(_, let context): (context, .missing)
            case .keyNotFound(let key, let context):
                (DecodingError.Context(codingPath: context.codingPath + [key], debugDescription: ""), .missing)
            case .dataCorrupted(let context): (context, .value)
            @unknown default: (DecodingError.Context(codingPath: [], debugDescription: "\(error)"), .value)
            }
        let path = JSONPointer(context.codingPath)
        if let complaint = context.underlyingError as? Complaint {
            return JSONCodingError(complaint.code, path, complaint.text, underlying: error)
        }
        let text = code == .missing ? "is missing" : "is not valid: \(context.debugDescription)"
        return JSONCodingError(code, path, text, underlying: error)
    }
}
