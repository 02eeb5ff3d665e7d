/// A type with default values for some of its members.
///
/// The other members are required: decoding a value without them throws an error.
///
/// ```swift
/// struct Endpoint: PartlyDefaulted {
///     var url: String
///     var retries: Int
///     static let defaults: JSON = ["retries": 3]
/// }
/// struct Server: Codable {
///     var endpoints: [Endpoint] = []      // {"endpoints": [{"url": "/"}]} has 3 retries
/// }
/// ```
///
/// The defaults apply wherever those of a ``Defaulted`` type do, which a type of both kinds uses instead: to array
/// elements, dictionary values, and every value without defaults at its path. Defaults at its path replace them.
public protocol PartlyDefaulted: Codable {
    /// The default values: an object. Members of objects in it are defaults of the members at the same path.
    ///
    /// Coding a value throws an error if this is not an object, or if a default that is used has the wrong type.
    static var defaults: JSON { get }
}

/// The JSON form of a type's own defaults.
enum TypeDefaults {
    /// The defaults of a ``PartlyDefaulted`` type; nil for other types.
    static func partial(of kind: TypeKind) throws(InvalidDefaults) -> JSON? {
        guard let type = kind.partlyDefaulted else { return nil }
        let defaults = type.defaults
        guard case .object = defaults else { throw InvalidDefaults(type: type, found: defaults) }
        return defaults
    }
}

/// The error of defaults that are not an object.
struct InvalidDefaults: Error, CustomStringConvertible {
    let type: Any.Type
    let found: JSON

    var description: String { "the defaults of \(type) must be an object, found \(found.inMessage)" }
}

extension DecodingError {
    /// Adds to an error about a value in the defaults of `type` whose defaults these are.
    ///
    /// - Parameters:
    ///   - defaults: The defaults of the type.
    ///   - node: The value of the type that lacks the member.
    func naming(_ type: Any.Type, _ defaults: JSON, _ node: DecodingNode) -> DecodingError {
        guard let context, let detail = context.underlyingError as? CodingErrorDetail else { return self }
        let path = JSONPointer(Array(context.codingPath.dropFirst(node.codingPath.count)))
        guard node.value[at: path] == nil, defaults[at: path] != nil else { return self }
        let message = "\(detail.message) in the defaults of \(type)"
        let named = DecodingError.Context(
            codingPath: context.codingPath, debugDescription: message,
            underlyingError: CodingErrorDetail(code: detail.code, message: message))
        switch self {
        case .typeMismatch(let type, _): return .typeMismatch(type, named)
        case .valueNotFound(let type, _): return .valueNotFound(type, named)
        default: return .dataCorrupted(named)
        }
    }

    private var context: Context? {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context): context
        default: nil
        }
    }
}
