/// How the parts of a printed value are set apart.
struct PrintStyle {
    /// What stands before each line; nil prints everything on one line.
    var lines: Lines?

    /// Whether a space stands behind colons and commas.
    var isSpaced = true

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

    static let compact = PrintStyle(lines: nil, isSpaced: false)
}
