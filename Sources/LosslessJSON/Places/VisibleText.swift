extension Unicode.Scalar {
    /// Itself, or a replacement for what a terminal might obey: control characters and direction marks.
    var visible: Unicode.Scalar {
        if (0x20..<0x7F).contains(value) { return self }  // looking properties up is slow
        return switch properties.generalCategory {
        case .control where self == "\t": " "
        case .control, .format, .lineSeparator, .paragraphSeparator: "\u{FFFD}"
        default: self
        }
    }
}

extension String {
    /// Fit to be shown in a message: nothing that a terminal might obey.
    var visible: String { String(String.UnicodeScalarView(unicodeScalars.map(\.visible))) }
}
