import CLinux
import Glibc
import LosslessJSON
import VisibleText

/// Sends the signal of `--signal` to the process that a file names.
struct SignalSender {
    let signal: SignalNumber
    let file: InputFile

    /// The number of signals, and of attempts to send one.
    private(set) var count = 0
    private(set) var hasFailed = false

    init(_ signal: SignalNumber, pidFile: String) {
        (self.signal, file) = (signal, InputFile(pidFile, hiding: []))
    }

    mutating func send() {
        count += 1
        do throws(Failure) {
            try sendOnce()
            hasFailed = false
        } catch {
            hasFailed = true
            error.report()
        }
    }

    /// The descriptor of a process stands for no later process with the same number. So the number is read again once the
    /// descriptor is open: the process cannot have ended before the file was written.
    private func sendOnce() throws(Failure) {
        var number = try processNumber()
        while true {
            let process = clinux_open_process(number)
            if process < 0 { throw failure(number, errno) }
            defer { close(process) }
            let newest = try processNumber()
            if newest == number {
                if clinux_signal_process(process, signal.rawValue) < 0 { throw failure(number, errno) }
                return
            }
            number = newest
        }
    }

    private func failure(_ number: pid_t, _ error: Int32) -> Failure {
        if error == ESRCH { return .systemError("\(file.title): there is no process \(number)") }
        return .systemError("\(file.title): \(signal.title) to process \(number)", errorNumber: error)
    }

    /// The number in the file, which may have white space around it.
    private func processNumber() throws(Failure) -> pid_t {
        let text = String(decoding: try file.read(limit: 4_096), as: UTF8.self)
        let words = text.split { $0.isWhitespace }
        guard words.count == 1, let number = pid_t(words[0]), number > 1 else {
            let found = words.isEmpty ? "an empty file" : words.joined(separator: " ").visible(upTo: 40)
            throw .systemError("\(file.title): \(found) is not the number of a process")
        }
        return number
    }
}
