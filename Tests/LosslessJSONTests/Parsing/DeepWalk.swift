import Foundation
import LosslessJSON

/// What can be done with a value, and goes down it level by level.
enum DeepWalk: String, CaseIterable, Codable, Sendable {
    case release, print, compare, hash, difference, reparse, visit, locate

    /// Does it with arrays and with objects that lie `levels` deep inside each other; says whether all went well.
    func succeeds(levels: Int) -> Bool {
        [("[", "]"), ("{\"a\":", "}"), ("{\"a\":[", "]}")].allSatisfy { open, close in
            let times = open.contains("[") && open.contains("{") ? levels / 2 : levels
            let text = { (scalar: Int) in
                String(repeating: open, count: times) + "\(scalar)" + String(repeating: close, count: times)
            }
            guard let first = DeepWalk.document(text(1)), let equal = DeepWalk.document(text(1)),
                let other = DeepWalk.document(text(2))
            else { return false }
            return succeeds(first, equal, other)
        }
    }

    private static func document(_ text: String) -> JSONDocument? {
        try? JSONDocument(parsing: text, options: JSONDocument.Options(depthLimit: JSONDocument.deepestNesting))
    }

    private func succeeds(_ first: JSONDocument, _ equal: JSONDocument, _ other: JSONDocument) -> Bool {
        switch self {
        case .release: return true
        case .print:
            let printed = JSONPrinter(layout: .compact).bytes(first.value)
            return printed == first.bytes && JSONPrinter().bytes(first.value).count > printed.count
        case .compare: return first.value == equal.value && first.value != other.value
        case .hash: return first.value.hashValue == equal.value.hashValue
        case .difference: return first.value.difference(from: other.value).count == 1
        case .reparse: return (try? first.reparsed(other.bytes).value) == other.value
        case .visit: return DeepWalk.path(to: 2, in: other.value) != nil
        case .locate:
            guard let path = DeepWalk.path(to: 2, in: other.value) else { return false }
            return other.location(of: path) != nil && other.value[path] == 2
        }
    }

    private static func path(to scalar: JSON, in value: JSON) -> JSONPointer? {
        var (tokens, here): ([String], JSON) = ([], value)
        while true {
            switch here {
            case .array(let array):
                tokens.append("0")
                here = array[0]
            case .object(let object):
                guard let member = object.first else { return nil }
                tokens.append(member.key)
                here = member.value
            default: return here == scalar ? JSONPointer(tokens) : nil
            }
        }
    }

    /// Runs `body` on a thread with a stack of `size` bytes and waits for it.
    static func onStack(of size: Int, _ body: @escaping @Sendable () -> Bool) -> Bool {
        let answer = Answer()
        let thread = Thread { answer.give(body()) }
        thread.stackSize = size
        thread.start()
        return answer.wait()
    }

    /// What one thread tells another.
    private final class Answer: @unchecked Sendable {  // the condition guards the value
        private let condition = NSCondition()
        private var value: Bool?

        func give(_ value: Bool) {
            condition.withLock {
                self.value = value
                condition.signal()
            }
        }

        func wait() -> Bool {
            condition.withLock {
                while true {
                    if let value { return value }
                    condition.wait()
                }
            }
        }
    }
}
