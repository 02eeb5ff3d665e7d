import Glibc

/// Reads the number at the beginning of a file.
enum FirstNumber {
    /// Returns the number; nil if the file does not exist or does not begin with digits.
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
