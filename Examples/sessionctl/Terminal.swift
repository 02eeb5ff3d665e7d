import Glibc
import LosslessJSON

/// Standard output, if it is a terminal.
struct Terminal {
    private let isColored: Bool

    /// Whether standard output is a terminal.
    static var isOutput: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Nil if standard output is no terminal.
    init?() {
        guard Self.isOutput else { return nil }
        isColored = Self.allowsColors
    }

    /// Whether the user wants colors: NO_COLOR is not set.
    static var allowsColors: Bool { getenv("NO_COLOR").map { $0.pointee == 0 } != false }

    /// The width, which may change at any time.
    var columns: Int {
        var size = winsize()
        return ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
    }

    /// The line in the color of a kind of change: green, red or yellow.
    func colored(_ line: String, _ kind: JSONChange.Kind) -> String {
        let color =
            switch kind {
            case .added: 32
            case .removed: 31
            case .changed: 33
            }
        return isColored ? "\u{1B}[\(color)m\(line)\u{1B}[0m" : line
    }

    /// The line without prominence, such as a time.
    func dimmed(_ text: String) -> String { isColored ? "\u{1B}[2m\(text)\u{1B}[0m" : text }
}
