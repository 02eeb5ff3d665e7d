import Glibc

/// The first digits of a file.
enum FirstNumber {
    /// Nil if there is no such file, or no digit at its beginning.
    static func read(_ path: String) -> Int? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 64) { buffer in
            let count = Glibc.read(descriptor, buffer.baseAddress!, buffer.count)
            let digits = buffer[..<max(count, 0)].drop { !isDigit($0) }.prefix(while: isDigit)
            return digits.isEmpty ? nil : digits.reduce(0) { 10 * $0 + Int($1 - UInt8(ascii: "0")) }
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }
}
