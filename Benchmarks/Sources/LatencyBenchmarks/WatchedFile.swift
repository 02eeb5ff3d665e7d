import Glibc
import ManualTiming

/// A file that is edited repeatedly.
final class WatchedFile {
    let path: String
    private let document: SettingsDocument
    private var sequence = 0

    init(_ folder: String, named name: String = "settings", _ document: SettingsDocument) {
        path = "\(folder)/\(name).json"
        self.document = document
        _ = EditMethod.write.replace(path, with: document.bytes(0))
    }

    /// Edits the file and returns the time until the subscriber's callback.
    func edit(_ edit: EditMethod, _ interval: EditInterval = .idle, seenBy host: WatcherProcess) -> Int {
        let begin = replace(edit, interval)
        while true {
            let reported = host.numbers()
            if reported.count == 2, reported[0] == sequence { return reported[1] - begin }
        }
    }

    /// Edits the file and returns the time until the inotify event was read.
    func edit(_ edit: EditMethod, _ interval: EditInterval, seenByRaw host: WatcherProcess) -> Int {
        let begin = replace(edit, interval)
        return host.numbers()[0] - begin
    }

    /// Edits the file and returns the time until the handler call after which the file had the edit.
    func edit(_ edit: EditMethod, _ interval: EditInterval, seenBy host: WatchProbeProcess) -> Int {
        let begin = replace(edit, interval)
        while true {
            let call = host.nextCall()
            // Skips calls for earlier edits and other files.
            if call.number == sequence, call.moment >= begin { return call.moment - begin }
        }
    }

    /// The line that a program prints about an edit.
    enum Line {
        /// The next line.
        case any
        /// The name of the file; other lines are about the new file that is renamed.
        case fileName
        /// A line of `sessionctl watch` with the number of the edit.
        case changedNumber
    }

    /// Edits the file and returns the time until the line about it was read from a pipe.
    func edit(
        _ edit: EditMethod, _ interval: EditInterval, printedBy process: WatcherProcess, _ expected: Line
    ) -> Int {
        let begin = replace(edit, interval)
        while true {
            let (line, moment) = (process.line(), now())
            switch expected {
            case .any: return moment - begin
            case .fileName: if path.hasSuffix("/\(line)") { return moment - begin }
            case .changedNumber: if line.hasSuffix(" → \(sequence)") { return moment - begin }
            }
        }
    }

    private func replace(_ edit: EditMethod, _ interval: EditInterval) -> Int {
        interval.wait(before: sequence)
        sequence += 1
        return edit.replace(path, with: document.bytes(sequence))
    }
}
