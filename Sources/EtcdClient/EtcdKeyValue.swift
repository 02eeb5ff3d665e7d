/// A key with its value and revisions.
package struct EtcdKeyValue: Sendable, Hashable {
    package let key: String
    package let value: [UInt8]
    /// The revision of the store at which the key was created.
    package let createRevision: Int
    /// The revision of the store at which the key was last written.
    package let modRevision: Int
    /// The number of writes since the key was created.
    package let version: Int
    /// The lease that the key is attached to; 0 for none.
    package let lease: Int

    package init(
        key: String, value: [UInt8], createRevision: Int, modRevision: Int, version: Int, lease: Int
    ) {
        self.key = key
        self.value = value
        self.createRevision = createRevision
        self.modRevision = modRevision
        self.version = version
        self.lease = lease
    }
}

/// The result of a read: the revision of the store, and what it has for the key.
package struct EtcdReading: Sendable, Hashable {
    /// The revision of the store at the time of the read. A watch from the next one misses nothing.
    package let revision: Int
    /// Nil if the key is absent.
    package let keyValue: EtcdKeyValue?
}
