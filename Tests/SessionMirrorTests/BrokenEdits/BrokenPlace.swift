import TestSupport
import Testing

/// Something that is no text, in the place of the file.
struct BrokenPlace: Sendable {
    let name: String
    var needs: [Need] = []
    /// Shell that puts it there.
    let lines: String
    let code: String
    /// A part of the message.
    let words: String

    static let all: [BrokenPlace] = [
        BrokenPlace(name: "a folder", lines: "rm server.json; mkdir server.json", code: "notAFile", words: "directory"),
        BrokenPlace(name: "a pipe", lines: "rm server.json; mkfifo server.json", code: "notAFile", words: "pipe"),
        BrokenPlace(
            name: "a socket", needs: [.program(.python3)],
            lines: """
                rm server.json
                python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("server.json")'
                """,
            code: "notAFile", words: "socket"),
        BrokenPlace(name: "a device", lines: "ln -sf /dev/zero server.json", code: "notAFile", words: "device"),
        BrokenPlace(
            name: "a link that leads to itself",
            lines: "rm server.json; ln -s server.json loop; ln -s loop server.json",
            code: "unreadable", words: "symbolic links"),
        BrokenPlace(
            name: "a link to a folder", lines: "mkdir real; ln -sfT real server.json", code: "notAFile",
            words: "directory"
        ),
        BrokenPlace(
            name: "a gigabyte of nothing", lines: "rm server.json; truncate --size 1G server.json", code: "tooLarge",
            words: "1073741824"),
    ]
}

extension BrokenPlace: CustomTestStringConvertible {
    var testDescription: String { name }
}
