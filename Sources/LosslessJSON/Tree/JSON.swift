/// A JSON value. It takes sixteen bytes, and shares the rest of its storage with other versions.
///
/// Copying costs nothing. Changing a member copies only the path to it, so that replacing or inserting one key among
/// 100,000 takes a few microseconds while any number of older versions stay alive:
///
/// ```swift
/// var settings = try JSON(parsing: #"{"http": {"port": 8080}}"#)
/// let before = settings
/// settings["http"]?["port"] = 9090
/// before["http"]?["port"]?.int        // 8080
/// ```
///
/// Values are exact. Numbers keep their spelling and compare by decimal value (`1.0 == 1`), strings and keys compare
/// byte by byte, and objects keep the order of their members, which equality ignores.
///
/// A value can be read from many threads. Do not build a large array by inserting at the front, or a large object key
/// by key if all members are known: use ``JSONObject/init(_:)`` and ``JSONArray/init(_:)``.
public enum JSON: Sendable {
    /// The literal `null`.
    case null
    /// The literals `true` and `false`.
    case bool(Bool)
    /// A number, with its spelling.
    case number(JSONNumber)
    /// A string.
    case string(JSONString)
    /// Elements in order.
    case array(JSONArray)
    /// Members in order, with lookup by key.
    case object(JSONObject)
}

extension JSON {
    /// Creates a string value.
    public init(_ string: String) { self = .string(JSONString(string)) }

    /// Creates a number of any size.
    public init(_ integer: some FixedWidthInteger) { self = .number(JSONNumber(integer)) }

    /// Creates the shortest spelling that reads back as `double`; nil for infinities and NaN.
    public init?(_ double: Double) {
        guard let number = JSONNumber(double) else { return nil }
        self = .number(number)
    }

    /// Creates a Boolean value.
    public init(_ bool: Bool) { self = .bool(bool) }
}

extension JSON: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Creates `null`.
    public init(nilLiteral: ()) { self = .null }
    /// Creates `true` or `false`.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// Creates a whole number.
    public init(integerLiteral value: Int) { self = .number(JSONNumber(value)) }
    /// Creates a number with a fraction or an exponent.
    public init(floatLiteral value: Double) { self = .number(JSONNumber(floatLiteral: value)) }
    /// Creates a string value.
    public init(stringLiteral value: String) { self = .string(JSONString(value)) }
    /// Creates an array of `elements`.
    public init(arrayLiteral elements: JSON...) { self = .array(JSONArray(elements)) }
    /// Creates an object of `elements`. If a key occurs more than once, the last value counts.
    public init(dictionaryLiteral elements: (String, JSON)...) { self = .object(JSONObject(elements)) }
}

extension JSON: CustomStringConvertible {
    /// The value on one line.
    public var description: String { JSONPrinter(layout: .compact).string(self) }
}
