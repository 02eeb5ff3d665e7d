/// The version of a session that has an observed value, independent of the value's type.
class AnyVersionedValue: @unchecked Sendable {
    // Immutable, also in the subclass.
    final let version: Version
    /// What changed the value last, which may be older than the version.
    final let origin: Origin

    fileprivate init(_ version: Version, _ origin: Origin) { (self.version, self.origin) = (version, origin) }
}

/// An observed value, and the version of the session that has it.
///
/// An object, so that generic code which passes it on moves a reference instead of a value whose size it has to look up.
/// Where it is passed on without being used, its type is ``AnyVersionedValue``: generic code looks up each type that
/// depends on its parameters in tables of the runtime, which have left the processor's caches after a rest.
final class VersionedValue<Value: Equatable & Sendable>: AnyVersionedValue, @unchecked Sendable {
    let value: Value

    init(value: Value, version: Version, origin: Origin) {
        self.value = value
        super.init(version, origin)
    }

    /// - Precondition: `any` has a value of this type.
    static func cast(_ any: AnyVersionedValue) -> VersionedValue { unsafeDowncast(any, to: VersionedValue.self) }
}
