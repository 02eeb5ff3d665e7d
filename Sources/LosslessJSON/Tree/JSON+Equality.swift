extension JSON: Hashable {
    /// Whether two values are equal: numbers by decimal value, strings by bytes, objects regardless of member order.
    ///
    /// Skips parts that both values share.
    public static func == (a: JSON, b: JSON) -> Bool {
        switch (a, b) {
        case (.null, .null): true
        case (.bool(let a), .bool(let b)): a == b
        case (.number(let a), .number(let b)): a == b
        case (.string(let a), .string(let b)): a == b
        case (.array(let a), .array(let b)): a == b
        case (.object(let a), .object(let b)): a == b
        default: false
        }
    }

    /// Hashes the value, consistently with equality.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0 as UInt8)
        case .bool(let value): hasher.combine(value ? 2 : 1 as UInt8)
        case .number(let number): number.hash(into: &hasher)
        case .string(let string): string.hash(into: &hasher)
        case .array(let array): array.hash(into: &hasher)
        case .object(let object): object.hash(into: &hasher)
        }
    }

    /// Whether two values have the same spelling or the same storage. Takes constant time for containers.
    ///
    /// Identical values are equal; equal values need not be identical.
    public func isIdentical(to other: JSON) -> Bool {
        switch (self, other) {
        case (.null, .null): true
        case (.bool(let a), .bool(let b)): a == b
        case (.number(let a), .number(let b)): Text.sameBytes(a.text, b.text)
        case (.string(let a), .string(let b)): Text.sameBytes(a.text, b.text)
        case (.array(let a), .array(let b)): a.isIdentical(to: b)
        case (.object(let a), .object(let b)): a.isIdentical(to: b)
        default: false
        }
    }
}
