internal import DurableFiles
internal import Glibc
internal import LosslessJSON

/// Which values of a file programs that use this library have put there on purpose, as it stands in a note beside the bytes.
///
/// Such a program has read the file under the lock, so what it writes is never stale, also where a value becomes again
/// what another one has just replaced. The note belongs to exactly the bytes that its digest is of: when anybody else
/// writes, it says nothing any more.
struct Intentions: Sendable {
    /// Of the attribute.
    static let note = "user.sessionmirror"

    /// A note of more than 56 bytes costs ext4 a block of its own, and a commit a quarter more time.
    private static let most = 20
    /// In seconds: nobody looks for what is older.
    private static let age: UInt32 = 10

    /// Of a path and a value, the newest last. So short that one in thousands of stale saves is taken for intended: it is
    /// told all the same.
    private var marks: [UInt16] = []
    private var time: UInt32

    /// None.
    init(at time: UInt32 = Intentions.now) { self.time = time }

    /// What a note says of the bytes that it was found with.
    init(_ note: [UInt8]?, with bytes: [UInt8], at time: UInt32 = Intentions.now) {
        self.init(at: time)
        guard let note, note.count >= 12, note.count % 2 == 0 else { return }
        let words = note.withUnsafeBytes { note in
            (0..<note.count / 2).map { note.loadUnaligned(fromByteOffset: $0 * 2, as: UInt16.self).littleEndian }
        }
        let digest = words[..<4].reversed().reduce(UInt64(0)) { $0 << 16 | UInt64($1) }
        let written = UInt32(words[5]) << 16 | UInt32(words[4])
        guard digest == Digest(bytes).value, time &- written <= Self.age else { return }
        marks = Array(words[6...])
    }

    func contains(_ value: JSON?, at path: JSONPointer) -> Bool { marks.contains(Self.mark(value, at: path)) }

    mutating func add(_ changes: [ValueChange]) {
        marks += changes.suffix(Self.most).map { Self.mark($0.new, at: $0.path) }
        marks = marks.suffix(Self.most)
    }

    /// The note for the bytes that hold all of them.
    func note(for bytes: [UInt8]) -> [UInt8] {
        let digest = Digest(bytes).value
        let head = (0..<4).map { UInt16(truncatingIfNeeded: digest >> (16 * $0)) }
        let words = head + [UInt16(truncatingIfNeeded: time), UInt16(truncatingIfNeeded: time >> 16)] + marks
        return words.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    }

    private static func mark(_ value: JSON?, at path: JSONPointer) -> UInt16 {
        let value = value.map { "\($0)" } ?? ""
        return UInt16(truncatingIfNeeded: Digest(Array("\(path)\0\(value)".utf8)).value)
    }

    /// Of the clock that all programs share, in seconds.
    static var now: UInt32 { UInt32(truncatingIfNeeded: Glibc.time(nil)) }
}
