#if Curses
import CCurses
import Glibc
import VisibleText

/// The screen of the terminal, drawn with ncurses.
///
/// Only one may exist at a time. Its ``end()`` restores the terminal; so does the end of its life.
final class Screen {
    private let hasColors: Bool
    private var isEnded = false

    /// Enters the mode in which the screen is drawn.
    init() throws(Failure) {
        CharacterLocale.select()
        guard curses_knows_terminal() else {
            let name = getenv("TERM").map { String(cString: $0) } ?? ""
            throw .systemError(
                name.isEmpty
                    ? "--view: TERM is not set"
                    : "--view: the terminal \(name.visible(upTo: 60)) is unknown, or cannot move its cursor")
        }
        guard curses_begin() else { throw .systemError("--view: the terminal cannot be used") }
        let colors: [Int16] = [COLOR_RED, COLOR_GREEN, COLOR_YELLOW].map(Int16.init)
        hasColors = Terminal.allowsColors && curses_begin_colors(colors, Int16(colors.count))
    }

    deinit { end() }

    /// Restores the terminal.
    func end() {
        if !isEnded { curses_end() }
        isEnded = true
    }

    /// Restores the terminal until the next frame.
    func suspend() { curses_end() }

    /// Draws everything at the next frame, as the terminal may show anything.
    func forget() { curses_forget_screen() }

    /// The size of the window; adopts it.
    func adoptSize() -> ViewLayout.Size {
        var size = winsize()
        let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 && size.ws_row > 0
        if isKnown, size.ws_row != curses_rows() || size.ws_col != curses_columns() {
            resize_term(Int32(size.ws_row), Int32(size.ws_col))
            forget()
        }
        return ViewLayout.Size(columns: Int(curses_columns()), rows: Int(curses_rows()))
    }

    /// Draws a frame; only what differs from the last one is sent to the terminal.
    func draw(_ frame: Frame) {
        curses_erase()
        for (row, line) in frame.lines.enumerated() {
            var column = 0
            for span in line.spans {
                curses_write(Int32(row), Int32(column), span.text, attributes(of: span.style))
                column += span.text.columns
            }
        }
        curses_update()
    }

    private func attributes(of style: Style) -> chtype {
        var attributes: chtype = 0
        if hasColors, let color = style.color { attributes |= curses_color(color.rawValue) }
        if style.isBold { attributes |= curses_bold() }
        if style.isDim { attributes |= curses_dim() }
        if style.isReversed { attributes |= curses_reverse() }
        if style.isUnderlined { attributes |= curses_underline() }
        return attributes
    }
}

extension Screen {
    /// The keys that were pressed since the last call. Unknown keys are left out.
    func takeKeys() throws(Failure) -> [ViewKey] {
        var (keys, key, isCode, hasRead) = ([ViewKey](), wint_t(), false, false)
        while curses_next_key(&key, &isCode) {
            hasRead = true
            if let known = isCode ? Self.key(code: Int32(key)) : Self.key(character: key) { keys.append(known) }
        }
        if !hasRead {
            // Readable without a key: the terminal is gone, or has sent the beginning of one.
            var modes = termios()
            if tcgetattr(STDIN_FILENO, &modes) != 0 { throw .outputClosed }
        }
        return keys
    }

    private static func key(code: Int32) -> ViewKey? {
        switch code {
        case KEY_UP: .up
        case KEY_DOWN: .down
        case KEY_LEFT: .left
        case KEY_RIGHT: .right
        case KEY_PPAGE: .pageUp
        case KEY_NPAGE: .pageDown
        case KEY_HOME, KEY_FIND: .home
        case KEY_END, KEY_SELECT: .end
        case KEY_ENTER: .enter
        case KEY_BACKSPACE: .backspace
        default: nil
        }
    }

    private static func key(character: wint_t) -> ViewKey? {
        switch character {
        case 0x0A, 0x0D: .enter
        case 0x08, 0x7F: .backspace
        case 0x09: .tab
        case 0x1B: .escape
        case 0x00..<0x20: nil
        default: Unicode.Scalar(character).map(ViewKey.character)
        }
    }
}
#endif
