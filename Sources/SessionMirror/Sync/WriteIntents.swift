internal import DurableFiles
internal import Glibc
internal import LosslessJSON

/// The values that processes using this library recently wrote to a file intentionally, stored in an extended
/// attribute.
///
/// Such a process reads the file under the directory lock, so its writes are never stale, even if a value changes back
/// to what another process has just overwritten. The attribute contains a digest of the file's bytes, so it becomes
/// invalid when another program writes the file.
struct WriteIntents: Sendable {
    /// The name of the extended attribute.
    static let attributeName = "user.sessionmirror"

    /// An attribute of more than 56 bytes takes a block of its own on ext4, and makes a commit slower.
    private static let capacity = 20
    /// In seconds. Older intents are never needed.
    private static let maxAge: UInt32 = 10

    /// Hashes of paths and values, the newest last. They are so short that one in thousands of stale writes is mistaken
    /// for an intended one; it is reported nevertheless.
    private var hashes: [UInt16] = []
    private var time: UInt32

    /// Creates an empty list.
    init(at time: UInt32 = WriteIntents.now) { self.time = time }

    /// Decodes the attribute of a file whose bytes have the given digest; empty if it is missing, invalid, of other
    /// bytes, or too old.
    init(_ attribute: [UInt8]?, with fileDigest: @autoclosure () -> Digest, at time: UInt32 = WriteIntents.now) {
        self.init(at: time)
        guard let attribute, attribute.count >= 12, attribute.count % 2 == 0 else { return }
        let words = attribute.withUnsafeBytes { attribute in
            (0..<attribute.count / 2).map {
                attribute.loadUnaligned(fromByteOffset: $0 * 2, as: UInt16.self).littleEndian
            }
        }
        let digest = words[..<4].reversed().reduce(UInt64(0)) { $0 << 16 | UInt64($1) }
        let written = UInt32(words[5]) << 16 | UInt32(words[4])
        guard time &- written <= Self.maxAge, digest == fileDigest().value else { return }
        hashes = Array(words[6...])
    }

    func contains(_ value: JSON?, at path: JSONPointer) -> Bool { hashes.contains(Self.hash(value, at: path)) }

    mutating func add(_ changes: [ValueChange]) {
        hashes += changes.suffix(Self.capacity).map { Self.hash($0.new, at: $0.path, since: $0.old) }
        hashes = hashes.suffix(Self.capacity)
    }

    /// Encodes the attribute of a file whose bytes have the given digest.
    func marker(for digest: Digest) -> [UInt8] {
        let head = (0..<4).map { UInt16(truncatingIfNeeded: digest.value >> (16 * $0)) }
        let words = head + [UInt16(truncatingIfNeeded: time), UInt16(truncatingIfNeeded: time >> 16)] + hashes
        return words.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    }

    private static func hash(_ value: JSON?, at path: JSONPointer, since old: JSON? = nil) -> UInt16 {
        let hash = value?.array?.hash(.portable, since: old?.array, digest)
        let value = hash.map { "\($0)" } ?? value.map { "\($0)" } ?? ""
        return UInt16(truncatingIfNeeded: Digest(Array("\(path)\0\(value)".utf8)).value)
    }

    private static func digest(_ element: JSON) -> UInt64 {
        Digest(JSONPrinter(layout: .compact).bytes(element)).value
    }

    /// The current time in seconds, by the clock that all processes share.
    static var now: UInt32 { UInt32(truncatingIfNeeded: Glibc.time(nil)) }
}
