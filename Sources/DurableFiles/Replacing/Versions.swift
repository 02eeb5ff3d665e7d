/// What a file held before it was written in place and what it was to hold, as a copy beside it tells.
struct Versions {
    let old: [UInt8]
    let new: [UInt8]

    /// Nil when `both` is not the two of them one after the other.
    init?(_ both: [UInt8], _ old: Mark.Version, _ new: Mark.Version) {
        guard old.inode <= both.count, new.inode == UInt64(both.count) - old.inode else { return nil }
        self.old = Array(both.prefix(Int(old.inode)))
        self.new = Array(both.dropFirst(Int(old.inode)))
        guard Digest(self.old) == old.digest, Digest(self.new) == new.digest else { return nil }
    }

    /// Whether `bytes` can have come from writing the new version over the old one and being interrupted: every byte is
    /// that of one of them, or 0 where the file had grown and the disk had not got what belongs there.
    func areMixed(in bytes: [UInt8]) -> Bool {
        guard bytes.count >= min(old.count, new.count), bytes.count <= max(old.count, new.count) else { return false }
        return bytes.indices.allSatisfy { index in
            let byte = bytes[index]
            if index < old.count, byte == old[index] { return true }
            if index < new.count, byte == new[index] { return true }
            return index >= old.count && byte == 0
        }
    }
}
