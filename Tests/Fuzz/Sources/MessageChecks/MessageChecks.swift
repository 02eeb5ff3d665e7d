/// Invariants of every message, whatever it quotes. A failed check traps and names the failure.
package enum MessageChecks {
    /// Checks all messages that quote these bytes.
    package static func run(_ bytes: [UInt8]) {
        for message in Messages.all(quoting: bytes) {
            guard let violation = MessageRules.violation(in: message.text, lines: message.lines) else { continue }
            fatalError("\(message.kind) \(violation)")
        }
    }
}
