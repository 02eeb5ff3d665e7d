internal import Locking

/// A few bytes stored with one version of a file in an extended attribute. They are gone when another program replaces
/// the file.
///
/// Programs that write in place keep the attribute, so its value should tell which contents it belongs to. If the file
/// system has no extended attributes or no space for one, there is no marker, which is not an error.
package final class WriteMarker {
    /// The name of the attribute, such as `user.program`.
    package let name: String
    /// The value stored with the version found last; nil if there is none.
    package internal(set) var found: [UInt8]?
    /// The value to store with the next version.
    package var next: [UInt8]?
    /// The digests of the last two texts: of the version found, and of the next one.
    private var digests: [(bytes: [UInt8], digest: Digest)] = []

    package init(_ name: String) { self.name = name }

    /// Computes the digest of a text once, however often the replacement and its caller need it.
    package func digest(of bytes: [UInt8]) -> Digest {
        if let known = knownDigest(of: bytes) { return known }
        let digest = Digest(bytes)
        remember(digest, of: bytes)
        return digest
    }

    /// Remembers the digest of a text, so that it need not be computed.
    package func remember(_ digest: Digest, of bytes: [UInt8]) {
        if knownDigest(of: bytes) == nil { digests = digests.suffix(1) + [(bytes, digest)] }
    }

    private func knownDigest(of bytes: [UInt8]) -> Digest? {
        digests.first { $0.bytes.hasSameStorage(as: bytes) }?.digest
    }

    func read(from file: borrowing OpenFile<some FileCalls>) {
        let (calls, descriptor) = (file.calls, file.descriptor)
        found = try? uninterrupted { () throws(ErrorNumber) in try calls.attribute(name, of: descriptor) }
    }

    func write(to file: borrowing OpenFile<some FileCalls>) {
        guard let next else { return }
        let (calls, descriptor) = (file.calls, file.descriptor)
        try? uninterrupted { () throws(ErrorNumber) in try calls.setAttribute(name, of: descriptor, to: next) }
    }
}

/// The owner and the permissions that a file had when it was last read or replaced, for a file that is deleted and
/// created again.
package final class LastKnownAttributes: Sendable {
    private let last = Lock<FileStatus?>(nil)

    package init() {}

    var status: FileStatus? { last.withLock { $0 } }

    func remember(_ status: FileStatus) { last.withLock { $0 = status } }

    /// Changes the remembered status, for tests.
    package func change(_ change: (inout FileStatus) -> Void) {
        last.withLock { status in
            if var known = status {
                change(&known)
                status = known
            }
        }
    }
}
