import TestSupport
import Testing

/// Something at the path that a session cannot load: not a regular file, or one that is too large.
struct NonRegularFile: Sendable {
    let name: String
    var needs: [Requirement] = []
    /// The shell command that creates it.
    let lines: String
    let code: String
    /// A part of the message.
    let words: String

    static let all: [NonRegularFile] = [
        NonRegularFile(
            name: "a directory", lines: "rm server.json; mkdir server.json", code: "notAFile", words: "directory"),
        NonRegularFile(name: "a pipe", lines: "rm server.json; mkfifo server.json", code: "notAFile", words: "pipe"),
        NonRegularFile(
            name: "a socket", needs: [.program(.python3)],
            lines: """
                rm server.json
                python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("server.json")'
                """,
            code: "notAFile", words: "socket"),
        NonRegularFile(name: "a device", lines: "ln -sf /dev/zero server.json", code: "notAFile", words: "device"),
        NonRegularFile(
            name: "a link that leads to itself",
            lines: "rm server.json; ln -s server.json loop; ln -s loop server.json",
            code: "unreadable", words: "symbolic links"),
        NonRegularFile(
            name: "a link to a directory", lines: "mkdir real; ln -sfT real server.json", code: "notAFile",
            words: "directory"
        ),
        NonRegularFile(
            name: "a sparse file of 1 GiB", lines: "truncate --size 1G huge; mv huge server.json", code: "tooLarge",
            words: "1073741824"),
    ]
}

extension NonRegularFile: CustomTestStringConvertible {
    var testDescription: String { name }
}
