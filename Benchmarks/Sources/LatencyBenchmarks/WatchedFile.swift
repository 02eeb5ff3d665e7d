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

    /// Edits the file and returns the time until the line of `sessionctl watch` about it was read from a pipe.
    func edit(_ edit: EditMethod, _ interval: EditInterval, printedBy command: WatcherProcess) -> Int {
        let begin = replace(edit, interval)
        while true {
            let (line, moment) = (command.line(), now())
            if line.hasSuffix(" → \(sequence)") { return moment - begin }
        }
    }

    /// Edits the file and returns the time until the line of a raw watcher was read from a pipe.
    func edit(_ edit: EditMethod, _ interval: EditInterval, printedByRaw host: WatcherProcess) -> Int {
        let begin = replace(edit, interval)
        _ = host.line()
        return now() - begin
    }

    private func replace(_ edit: EditMethod, _ interval: EditInterval) -> Int {
        interval.wait(before: sequence)
        sequence += 1
        return edit.replace(path, with: document.bytes(sequence))
    }
}
