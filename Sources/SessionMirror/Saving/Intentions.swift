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

    /// A note beyond 56 bytes costs ext4 a block of its own.
    private static let most = 48
    /// In seconds: nobody looks for what is older.
    private static let age: UInt32 = 10

    /// Of a path and a value, the newest last.
    private var marks: [UInt32] = []
    private var time: UInt32

    /// None.
    init(at time: UInt32 = Intentions.now) { self.time = time }

    /// What a note says of the bytes that it was found with.
    init(_ note: [UInt8]?, with bytes: [UInt8], at time: UInt32 = Intentions.now) {
        self.init(at: time)
        guard let note, note.count >= 12, note.count % 4 == 0 else { return }
        let words = stride(from: 0, to: note.count, by: 4).map { place in
            note[place..<(place + 4)].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        let digest = UInt64(words[1]) << 32 | UInt64(words[0])
        guard digest == Digest(bytes).value, time &- words[2] <= Self.age else { return }
        marks = Array(words[3...])
    }

    func contains(_ value: JSON?, at path: JSONPointer) -> Bool { marks.contains(Self.mark(value, at: path)) }

    mutating func add(_ changes: [ValueChange]) {
        marks += changes.suffix(Self.most).map { Self.mark($0.new, at: $0.path) }
        marks = marks.suffix(Self.most)
    }

    /// The note for the bytes that hold all of them.
    func note(for bytes: [UInt8]) -> [UInt8] {
        let digest = Digest(bytes).value
        let words = [UInt32(truncatingIfNeeded: digest), UInt32(truncatingIfNeeded: digest >> 32), time] + marks
        return words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
    }

    private static func mark(_ value: JSON?, at path: JSONPointer) -> UInt32 {
        let value = value.map { "\($0)" } ?? ""
        return UInt32(truncatingIfNeeded: Digest(Array("\(path)\0\(value)".utf8)).value)
    }

    /// Of the clock that all programs share, in seconds.
    static var now: UInt32 { UInt32(truncatingIfNeeded: Glibc.time(nil)) }
}
