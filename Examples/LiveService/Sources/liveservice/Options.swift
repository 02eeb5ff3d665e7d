import Foundation
import StandardFolders

/// The options of the command line.
struct Options: Sendable {
    /// The paths of the files. systemd's `CONFIGURATION_DIRECTORY` and `STATE_DIRECTORY` apply, as for all programs.
    var settings = Folders.config / "settings.json"
    var state = Folders.state / "state.json"
    var name = "main"
    var isReadOnly = false

    /// The path of the token for the page and for orders, beside the state.
    var token: String {
        let directory = (state as NSString).deletingLastPathComponent
        return (directory.isEmpty ? "." : directory) + "/token"
    }

    private static let usage = """
        usage: liveservice [--settings FILE] [--state FILE] [--name NAME] [--read-only]

          --settings FILE  the settings; by default settings.json in the directory of the configuration
          --state FILE     the counters of the service; by default state.json in the directory of the state
          --name NAME      counts hits under this name; each of several services with one state needs its own
          --read-only      never writes the settings: for a file that is mounted read-only

        SIGHUP reloads both files, SIGTERM saves and ends the service.
        """

    /// The options of this program. Exits with status 2 if they are invalid.
    static var ofProgram: Options {
        var options = Options()
        var arguments = CommandLine.arguments.dropFirst()
        func value(_ name: String) -> String {
            guard let value = arguments.popFirst(), !value.isEmpty else { fail("\(name) needs a value") }
            return value
        }
        while let argument = arguments.popFirst() {
            switch argument {
            case "--settings": options.settings = value(argument)
            case "--state": options.state = value(argument)
            case "--name": options.name = value(argument)
            case "--read-only": options.isReadOnly = true
            case "--help":
                print(usage)
                exit(0)
            default: fail("there is no option \(argument)")
            }
        }
        return options
    }

    private static func fail(_ message: String) -> Never {
        try? FileHandle.standardError.write(contentsOf: Data("liveservice: \(message)\n\(usage)\n".utf8))
        exit(2)
    }
}
