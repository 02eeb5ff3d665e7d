import Glibc

/// A question to the person at the terminal, answered by a letter and Return.
struct Question<Answer> {
    let text: String
    let answers: [String: Answer]
    /// What an empty line means.
    var preset: Answer?

    /// Asks until there is an answer; nil when there is nobody who could give one.
    func ask() throws(Failure) -> Answer? {
        while true {
            do throws(Failure) { try Output.messages.write("\(text.visibleLines): ") } catch {}
            guard let line = try line() else {
                Output.messages.say("")
                return nil
            }
            let word = line.filter { !$0.isWhitespace }.lowercased()
            if let answer = word.isEmpty ? preset : answers[word] { return answer }
        }
    }

    /// Byte by byte, since what comes after the line is for an editor.
    private func line() throws(Failure) -> String? {
        var bytes: [UInt8] = []
        while true {
            if let ring = SignalBell.wait(orInput: true) {
                if ring.number == SIGCHLD { continue }
                Output.messages.say("")
                throw .interrupted(by: ring.number)
            }
            var byte: UInt8 = 0
            let count = read(STDIN_FILENO, &byte, 1)
            if count < 0, Interruption.isOver(errno, STDIN_FILENO, waitingFor: POLLIN) { continue }
            if count <= 0 { return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self) }
            if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(byte)
        }
    }
}
