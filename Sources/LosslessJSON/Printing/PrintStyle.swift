/// How the parts of a printed value are set apart.
struct PrintStyle {
    /// What stands before each line; nil prints everything on one line.
    var lines: Lines?
    var spacing = Spacing()

    /// How long a line with an array of scalars may become.
    var lineWidth = 80

    struct Lines {
        var newline: [UInt8] = [0x0A]
        /// What stands before the line on which the value begins.
        var indentation: [UInt8] = []
        /// What each level adds to that.
        var unit: [UInt8] = [0x20, 0x20]
        /// How far from its beginning the value begins on its line.
        var column = 0
    }

    static let compact = PrintStyle(lines: nil, spacing: .none)
}

/// Where spaces stand around colons, and behind commas that are followed by something on their line.
struct Spacing {
    var beforeColon = false
    var behindColon = true
    var behindComma = true

    static let none = Spacing(beforeColon: false, behindColon: false, behindComma: false)

    var colon: StaticString {
        switch (beforeColon, behindColon) {
        case (false, false): ":"
        case (false, true): ": "
        case (true, false): " :"
        case (true, true): " : "
        }
    }

    var comma: StaticString { behindComma ? ", " : "," }
}
