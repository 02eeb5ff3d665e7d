public import CReadCopyUpdateCell
public import Synchronization

/// Only a number, for the lower bound.
public final class AtomicNumber: Sendable {
    @usableFromInline let number: Atomic<Int>

    public init(_ value: Int) { number = Atomic(value) }

    @inlinable @inline(__always)
    public var value: Int { number.load(ordering: .acquiring) }

    public func publish(_ value: Int) { number.store(value, ordering: .releasing) }
}

/// A number in a structure that liburcu protects.
public final class ReadCopyUpdateNumber: @unchecked Sendable {
    // Read and published by functions that any thread may call. Kept until the process exits.
    @usableFromInline let cell: UnsafeMutablePointer<rcu_cell>

    public init(_ value: Int) { cell = rcu_cell_create(value) }

    @inlinable @inline(__always)
    public var value: Int { rcu_cell_port(cell) }

    /// One thread at a time.
    public func publish(_ value: Int) { rcu_cell_publish(cell, value) }
}
