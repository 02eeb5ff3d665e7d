/// The text of sessionmirror(7). Text between backticks is literal.
enum FileFormatText {
    struct Section {
        let title: String
        let text: String
        var items: [(term: String, text: String)] = []
    }

    static let description = """
        A program that uses the library SessionMirror keeps its settings or its state in a JSON file, which
        it reads again after each change, and which people, scripts and other programs may edit at any time,
        with any editor. sessionctl(1) checks, reads, changes and watches such files.
        """

    static let sections = [text, comments, limits, invalid, saving, paths, patterns, values]

    private static let text = Section(
        title: "Text",
        text: """
            The text is JSON as in RFC 8259, in UTF-8, with two additions: comments, `// to the end of the line`
            and `/* over several lines */`, and a trailing comma after the last member or element. `sessionctl
            check --strict` rejects both. `sessionctl get` prints JSON without them, for programs that accept
            RFC 8259 only.

            The text may begin with a byte-order mark, which is preserved. Line ends of any kind are accepted.
            There is exactly one value. Escapes must denote Unicode characters: half of a surrogate pair is an
            error.

            Numbers keep their spelling, and have any number of digits. Two numbers are equal if their decimal
            values are: `1.0` equals `1`. Strings and keys are compared byte by byte, after their escapes are
            resolved. The order of the members of an object is preserved, but does not matter.

            A key that occurs twice in an object is a warning; the last member counts.
            """)

    private static let comments = Section(
        title: "Comments",
        text: """
            A comment belongs to a member or an element, and is removed with it, if it is inside it, after it on
            its last line, or on the lines directly above it, without a blank line in between. A comment after
            an opening bracket on its line, above a blank line, or on its own line after the last member belongs
            to none, and stays.
            """)

    private static let limits = Section(
        title: "Limits",
        text: """
            A text has at most 256 MiB, and at most 512 nested objects and arrays. A file beyond a limit is
            invalid. Programs can set lower limits.
            """)

    private static let invalid = Section(
        title: "Blank, missing and invalid files",
        text: """
            For a program, a file that is empty, or has white space and comments only, is an object without
            members: all values have their defaults, and the next save puts an object after the comments. The
            same holds for commands that change values. Commands that only read report that there is no value.

            A missing file means the defaults, too. If a file is deleted, the program keeps the values, and
            creates the file again when it next saves.

            While a file is invalid, the program keeps the last valid values, and saves nothing. A text that is
            not complete yet gets a moment to be completed.
            """)

    private static let saving = Section(
        title: "Saving",
        text: """
            A save changes only the bytes of changed values: comments, layout, order, line ends and the spelling
            of other values stay as they are. New members follow the layout of the object. Defaults are not
            written, and members that the program does not know are kept.

            The file is one complete version at any time. It is replaced by a new file with its name, owner,
            permissions and extended attributes. Changes that others make at the same time are merged member by
            member. If both sides changed the same value, the program decides which one is kept, and reports the
            other. A value of the program that is changed back within a second to what it was is treated as the
            write of a program that had read the file before, and is restored once; to change it back, write it
            again.
            """)

    private static let paths = Section(
        title: "Paths",
        text: """
            A path leads from the root to a value. It has one of two forms. A path that begins with a slash has
            the second one. Indices of arrays start at 0. The empty path is the whole value.
            """,
        items: [
            (
                "http.port",
                "Dotted form: keys and indices, separated by dots. It cannot express keys that are empty or "
                    + "contain dots, nor a first key that begins with a slash."
            ),
            (
                "/http/port",
                "JSON pointer (RFC 6901): a slash before each key or index. In a key, `~1` stands for a "
                    + "slash, and `~0` for a tilde. The key `a.b` is `/a.b`, and an empty key is `/`."
            ),
            (
                "/list/-",
                "The element after the last one, to append to an array. It is accepted by `sessionctl set`, "
                    + "as is the index that equals the number of elements."
            ),
        ])

    private static let patterns = Section(
        title: "Patterns",
        text: """
            In the paths of `sessionctl get`, and of the option --redact of all commands, a key or index that is
            an asterisk stands for every one. It is special only by itself: `a*` is an ordinary key.
            """,
        items: [
            ("users.*.name", "The name of every user."),
            ("/users/~2/name", "The name of the user whose key is an asterisk. `~2` is accepted in patterns only."),
        ])

    private static let values = Section(
        title: "Forms of values",
        text: """
            JSON has no types for the following values. Programs in Swift read and write them as:
            """,
        items: [
            (
                "\"250ms\", \"1h30m\", 2.5",
                "A duration: numbers with the units d, h, m, s, ms, us and ns, the largest first, of which "
                    + "the last may have a fraction; or a number of seconds. A program keeps the form that it "
                    + "finds."
            ),
            ("\"2026-01-31T12:00:00Z\"", "A date and time (RFC 3339)."),
            ("\"https://example.org/a\", \"/srv/a\"", "A URL: with a scheme, or an absolute path."),
            ("\"aGVsbG8=\"", "Data (Base64)."),
            ("12.30", "A decimal number, which is not rounded."),
        ])

    static let examples = """
        $ cat server.json
        {
          // where it listens
          "http": {
            "port": 8080,
            "host": "localhost"
          },
          "log": "info"
        }
        $ sessionctl set server.json /a.b '[1]'
        $ sessionctl set server.json /a.b/- 2
        $ sessionctl unset server.json http
        $ cat server.json
        {
          "log": "info",
          "a.b": [1, 2]
        }
        """

    static let standards = """
        RFC 8259 (JSON), RFC 6901 (JSON pointer), RFC 3339 (dates), RFC 4648 (Base64).
        """
}
