/// A key that the view knows.
enum ViewKey: Equatable {
    case up, down, left, right, pageUp, pageDown, home, end, enter, tab, escape, backspace
    case character(Unicode.Scalar)

    /// The keys and what they do, for help.
    static let help = [
        ("↑ ↓  k j", "select the row above or below"),
        ("PgUp PgDn", "move by a page"),
        ("Home End  g G", "go to the first or the last row"),
        ("← →", "close or open; go to the container or into it"),
        ("Enter Space", "open or close; in the changes, go to the value"),
        ("/", "search keys and values"),
        ("n N", "next or previous match"),
        ("Tab", "switch between the tree and the changes"),
        ("p", "pause: show no newer values until the next p"),
        ("? h", "this help; any key ends it"),
        ("q", "quit"),
    ]
}
