internal import Glibc

/// A type whose values are encoded alike if they have the same bytes in memory.
///
/// A session that is saved again and again encodes only those elements of its large arrays and dictionaries that have
/// changed since the last save, if it may look for them by their bytes. It may for numbers, `Bool`, `String`, `Duration`,
/// in SessionMirror `Date` and `UUID`, and optionals, arrays, sets and dictionaries of them. It may for a type of your own
/// if you say so:
///
/// ```swift
/// struct Record: Codable, BytewiseEquatable {
///     var name: String
///     var tags: [String]
/// }
/// ```
///
/// Say so of a struct or an enum that is written in Swift,
///
/// - whose stored properties and associated values all have types with this protocol, and
/// - whose `encode(to:)` depends on nothing else, which is the case if the compiler writes it.
///
/// The bytes of a class instance, a pointer, a closure or an `any` stay the same when what they refer to changes, so that
/// such a change would not be saved. Therefore collections of objects are always encoded as a whole, and so are those
/// whose first element has a stored property of a type without this protocol.
///
/// A type without this protocol is encoded in the same way, only all of it for each save.
public protocol BytewiseEquatable {
    /// Finds elements with different bytes; see its implementation, which no type replaces.
    static func _changedKeys(
        _ mine: UnsafeRawPointer, _ theirs: UnsafeRawPointer, added: [Int], removed: [Int],
        usedBits: UnsafePointer<UInt64>
    ) -> [String]
}

extension Bool: BytewiseEquatable {}
extension Int: BytewiseEquatable {}
extension Int8: BytewiseEquatable {}
extension Int16: BytewiseEquatable {}
extension Int32: BytewiseEquatable {}
extension Int64: BytewiseEquatable {}
extension Int128: BytewiseEquatable {}
extension UInt: BytewiseEquatable {}
extension UInt8: BytewiseEquatable {}
extension UInt16: BytewiseEquatable {}
extension UInt32: BytewiseEquatable {}
extension UInt64: BytewiseEquatable {}
extension UInt128: BytewiseEquatable {}
extension Double: BytewiseEquatable {}
extension Float: BytewiseEquatable {}
extension String: BytewiseEquatable {}
extension Duration: BytewiseEquatable {}
extension Optional: BytewiseEquatable where Wrapped: BytewiseEquatable {}
extension Array: BytewiseEquatable where Element: BytewiseEquatable {}
extension Set: BytewiseEquatable where Element: BytewiseEquatable {}
extension Dictionary: BytewiseEquatable where Key: BytewiseEquatable, Value: BytewiseEquatable {}

/// A container whose bytes say the same about its contents as theirs.
private protocol BytewiseContainer {
    /// One of each kind of part, if there is one.
    var examples: [Any] { get }
}

extension Optional: BytewiseContainer { fileprivate var examples: [Any] { map { [$0] } ?? [] } }
extension Array: BytewiseContainer { fileprivate var examples: [Any] { prefix(1).map { $0 } } }
extension Set: BytewiseContainer { fileprivate var examples: [Any] { prefix(1).map { $0 } } }
extension Dictionary: BytewiseContainer { fileprivate var examples: [Any] { first.map { [$0.key, $0.value] } ?? [] } }

/// Knows which values may be compared by their bytes.
enum Bytewise {
    /// Whether values of this type may be compared by their bytes, as far as can be seen from one of them. The type of an
    /// `Any` is that of its value.
    static func canCompare<Value>(_ example: Value) -> Bool {
        guard Value.self is any BytewiseEquatable.Type, !(Value.self is AnyClass) else { return false }
        if ScalarDecoding.knows(Value.self) || Value.self == Duration.self { return true }
        if let container = example as? any BytewiseContainer { return container.examples.allSatisfy { canCompare($0) } }
        return canCompareParts(of: example)
    }

    /// The same, which is known if `other` has the same bytes and may be compared: whatever they refer to is the same, too.
    static func canCompare<Value>(_ example: Value, like other: Value?, _ usedBytes: UsedBytes?) -> Bool {
        if !ScalarDecoding.knows(Value.self), let other, let usedBytes,
            BytewiseComparison<Value>(usedBytes).isSame(example, other)
        {
            return true
        }
        return canCompare(example)
    }

    /// Whether two strings have the same bytes, which have to be in the same memory if there are many.
    static func isSame(_ a: String, _ b: String) -> Bool {
        withUnsafeBytes(of: a) { a in
            withUnsafeBytes(of: b) { b in memcmp(a.baseAddress!, b.baseAddress!, a.count) == 0 }
        }
    }

    /// Whether two strings that are equal have the same bytes, too.
    static func isEqual(_ a: String, _ b: String) -> Bool { isSame(a, b) || a.utf8.elementsEqual(b.utf8) }

    private static func canCompareParts(of value: Any) -> Bool {
        Mirror(reflecting: value).children.allSatisfy { part in
            // The associated values of a case are a tuple.
            if Mirror(reflecting: part.value).displayStyle == .tuple { return canCompareParts(of: part.value) }
            return canCompare(part.value)
        }
    }
}
