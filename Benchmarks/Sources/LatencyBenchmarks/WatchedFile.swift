import Glibc

/// A file that is edited again and again.
final class WatchedFile {
    let path: String
    private let document: Document
    private var sequence = 0

    init(_ folder: String, named name: String = "settings", _ document: Document) {
        path = "\(folder)/\(name).json"
        self.document = document
        _ = Edit.write.replace(path, with: document.bytes(0))
    }

    /// Edits it, and says how long it took until the subscriber was called.
    func edit(_ edit: Edit, _ pace: Pace = .rested, seenBy host: Host) -> Int {
        let begin = replace(edit, pace)
        while true {
            let told = host.numbers()
            if told.count == 2, told[0] == sequence { return told[1] - begin }
        }
    }

    /// Edits it, and says how long it took until the kernel's event was read.
    func edit(_ edit: Edit, _ pace: Pace, seenByRaw host: Host) -> Int {
        let begin = replace(edit, pace)
        return host.numbers()[0] - begin
    }

    /// Edits it, and says how long it took until a handler was called that then found the edit in the file.
    func edit(_ edit: Edit, _ pace: Pace, seenBy host: HubProbe) -> Int {
        let begin = replace(edit, pace)
        while true {
            let call = host.nextCall()
            // Calls that something else caused: of before, and of other files.
            if call.number == sequence, call.moment >= begin { return call.moment - begin }
        }
    }

    private func replace(_ edit: Edit, _ pace: Pace) -> Int {
        pace.pass(before: sequence)
        sequence += 1
        return edit.replace(path, with: document.bytes(sequence))
    }
}
