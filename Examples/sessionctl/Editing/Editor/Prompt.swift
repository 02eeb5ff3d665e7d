import Glibc
import VisibleText

/// A question on the terminal, answered with a letter and Return.
struct Prompt<Choice> {
    let text: String
    let answers: [String: Choice]
    /// The answer for an empty line.
    var defaultAnswer: Choice?

    /// Prompts until a valid answer is read; nil at the end of standard input.
    func readAnswer() throws(Failure) -> Choice? {
        while true {
            do throws(Failure) { try Output.messages.write("\(text.visibleLines): ") } catch {}
            guard let line = try line() else {
                Output.messages.writeLine("")
                return nil
            }
            let word = line.filter { !$0.isWhitespace }.lowercased()
            if let answer = word.isEmpty ? defaultAnswer : answers[word] { return answer }
        }
    }

    /// Reads byte by byte, since input after the line belongs to the editor.
    private func line() throws(Failure) -> String? {
        var bytes: [UInt8] = []
        while true {
            if let signal = SignalPipe.wait(orInput: true) {
                if signal.number == SIGCHLD { continue }
                Output.messages.writeLine("")
                throw .interrupted(by: signal.number)
            }
            var byte: UInt8 = 0
            let count = read(STDIN_FILENO, &byte, 1)
            if count < 0, RetryableError.shouldRetry(errno, STDIN_FILENO, waitingFor: POLLIN) { continue }
            if count <= 0 { return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self) }
            if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(byte)
        }
    }
}
