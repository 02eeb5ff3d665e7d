@usableFromInline final class Published<Object: AnyObject & Sendable>: @unchecked Sendable {
    @usableFromInline var object: Object
    init(_ first: Object) { object = first }
    @inlinable func read<R, E: Error>(_ body: (Object) throws(E) -> R) throws(E) -> R { try body(object) }
    var current: Object { object }
    func publish(_ next: Object) { object = next }
}
