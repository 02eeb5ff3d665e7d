import DurableFiles
import FoundationEssentials
import LosslessJSON

@testable import FileWatching
@testable import SessionMirror

/// Every kind of message that quotes untrusted text: keys, values, file names, and errors of programs.
struct Messages {
    /// A message, and its maximum number of lines.
    struct Message {
        let kind: String
        let text: String
        var lines = 1
    }

    private(set) var all: [Message] = []
    private let bytes: [UInt8]
    private let words: String

    /// All messages about these bytes, as a text, as a key, as a value and as the name of a file.
    static func all(quoting bytes: [UInt8]) -> [Message] {
        var messages = Messages(bytes)
        messages.addSyntax()
        messages.addPointers()
        messages.addDecoding()
        messages.addEncoding()
        messages.addSystem()
        messages.addProblems()
        messages.addRejections()
        return messages.all
    }

    private init(_ bytes: [UInt8]) { (self.bytes, words) = (bytes, String(decoding: bytes, as: UTF8.self)) }

    private mutating func add(_ kind: String, _ text: String, lines: Int = 1) {
        all.append(Message(kind: kind, text: text, lines: lines))
    }

    private mutating func add(_ kind: String, _ diagnostic: some JSONDiagnostic) {
        add("\(kind).message", diagnostic.message)
        add("\(kind).description", diagnostic.description, lines: diagnostic is SessionProblem ? 3 : 1)
        add("\(kind).report", diagnostic.report(file: words), lines: 3)
        if let excerpt = diagnostic.excerpt { add("\(kind).excerpt", excerpt.line) }
    }

    // MARK: Texts

    private mutating func addSyntax() {
        let inside = [Array("[".utf8), Array("{\"a\":1 ".utf8), Array("[1, \"".utf8), Array("/*".utf8), []]
        for dialect in [JSONDocument.Dialect.json, .jsonc] {
            for start in inside {
                let options = JSONDocument.Options(dialect: dialect)
                do throws(JSONSyntaxError) {
                    let document = try JSONDocument(parsing: start + bytes, options: options)
                    for warning in document.warnings { add("JSONWarning", warning) }
                } catch {
                    add("JSONSyntaxError", error)
                    for text in [error.expected, error.found, error.hint ?? ""] { add("JSONSyntaxError parts", text) }
                }
            }
        }
        let key = JSONPrinter(layout: .compact).string(JSON(words))
        let twice = try? JSONDocument(parsing: "{\(key): 1,\n\(key): {\(key): [], \(key): 2}}")
        for warning in twice?.warnings ?? [] { add("JSONWarning", warning) }
    }

    private mutating func addPointers() {
        for text in [words, "/" + words, "~" + words, "/~" + words, words + "..", "." + words] {
            do { _ = try JSONPointer(parsing: text) } catch { add("JSONPointerError", "\(error)") }
        }
        let value = document.value
        for path in [[words, "x"], ["none" + words], [words, words, words]] {
            do { _ = try value.removing(JSONPointer(path)) } catch { add("JSONEditError", "\(error)") }
            do { _ = try document.setting(JSONPointer(path), to: 1) } catch { add("JSONEditError", "\(error)") }
        }
        for change in ([words: [1]] as JSON).difference(from: value) { add("JSONChange", "\(change)") }
        for conflict in conflicts { add("JSONConflict", "\(conflict)") }
    }

    // MARK: Coding

    private var document: JSONDocument {
        let text = JSONPrinter().string([words: JSON(words), "a": [JSON(words)]])
        return try! JSONDocument(parsing: text)
    }

    private mutating func addDecoding() {
        decode([String: Int].self)
        decode([String: EchoingType].self)
        decode([String: [String: Bool]].self)
        decode([Int: String].self)
        decode([String: OneOrTwo].self)
        decode([String: Date].self)
        decode([String: Decimal].self)
        decode([String: Data].self)
    }

    private mutating func decode<Value: Decodable>(_ type: Value.Type) {
        do throws(JSONCodingError) {
            _ = try JSONValueDecoder(conversions: .standard).decode(type, from: document.value)
        } catch {
            add("JSONCodingError", error)
            add("JSONCodingError with place", document.locating(error))
        }
        for how in EchoingType.Failure.allCases {
            var decoder = JSONValueDecoder()
            decoder.userInfo[EchoingType.failure] = how
            do throws(JSONCodingError) {
                _ = try document.decode([String: EchoingType].self, with: decoder)
            } catch {
                add("JSONCodingError from a custom type, \(how)", error)
            }
        }
        add("JSONMismatch", "\(JSONMismatch(expected: words))")
    }

    private mutating func addEncoding() {
        do throws(JSONCodingError) {
            _ = try JSONValueEncoder().encode([words: Double.infinity])
        } catch {
            add("JSONCodingError of encoding", error)
        }
        do throws(JSONCodingError) {
            _ = try JSONValueEncoder().encode([words: EchoingType(words: words)])
        } catch {
            add("JSONCodingError of a type's encoding", error)
        }
    }

    // MARK: The system

    private var fileError: FileError? {
        do throws(FileError) {
            _ = try DurableFile("/proc/none/" + words).read(limit: 0)
            return nil
        } catch {
            return error
        }
    }

    private mutating func addSystem() {
        if let fileError { add("FileError", "\(fileError)") }
        for reason in [FileWatchReason.unreadableDirectory(words), FileWatchReason(.system, words, advice: words)] {
            add("FileWatchReason", "\(reason)")
            add("FileWatchReason.summary", reason.summary)
            add("FileWatchError", "\(FileWatchError(words, reason))")
        }
        add("SessionError", "\(SessionError(.cannotWatch, words))")
        add("SessionError.message", SessionError(.cannotWatch, words).message)
    }

    // MARK: Problems

    private var conflicts: [JSONConflict] {
        let values: [JSON?] = [nil, JSON(words), [JSON(words)], [words: JSON(words)], 1]
        let paths = [JSONPointer(), JSONPointer([words]), JSONPointer([words, "0", words]), JSONPointer(["", words])]
        return paths.flatMap { path in
            values.indices.map { index in
                let (ours, theirs) = (values[(index + 1) % values.count], values[(index + 2) % values.count])
                return JSONConflict(path: path, base: values[index], ours: ours, theirs: theirs)
            }
        }
    }

    private mutating func addProblems() {
        for conflict in conflicts {
            for code in [SessionProblem.Code.restored(conflict), .reverted(conflict), .conflict(conflict)] {
                add("SessionProblem.\(code.name)", SessionProblem(code, in: words))
            }
            for merged in [conflict.ours, conflict.theirs, JSON(words)] {
                add("SessionProblem of a merge", SessionProblem(conflict: conflict, in: words, kept: merged))
            }
            let because = SessionProblem(.value, in: words, words)
            add(
                "SessionProblem of a rejected merge",
                SessionProblem(conflict: conflict, in: words, because: because))
        }
        if let fileError {
            add("SessionProblem.unsaved", SessionProblem(unsaved: fileError, in: words))
            add("SessionProblem.unsaved and not durable", SessionProblem(notDurable: fileError, in: words))
            add("SessionProblem.unreadable", SessionProblem(unreadable: fileError, .unreadable, in: words))
        }
        let edit = DisplacedEdit(base: nil, bytes: bytes, path: words)
        add("SessionProblem.unmerged", SessionProblem(unmergeable: edit, in: words))
        add(
            "SessionProblem.unwritable", SessionProblem(.unwritable, in: words, "the value cannot be written: \(words)")
        )
    }

    private mutating func addRejections() {
        let rejection = ValidationError(words, at: JSONPointer([words]))
        add("ValidationError", "\(rejection)")
        for error in [rejection, ValidationError(words), EchoingType.Error(words: words)] as [any Error] {
            add(
                "SessionProblem of a rejection",
                SessionProblem(rejection: error, in: words, of: document.value, document))
            add("SessionProblem of a rejection without a file", SessionProblem(rejection: error, in: words, of: nil))
        }
        do throws(JSONCodingError) {
            _ = try document.decode([String: Int].self)
        } catch {
            add("SessionProblem.value", SessionProblem(.value, in: words, at: error.path, document.locating(error)))
        }
    }
}

/// A type whose errors quote its input.
struct EchoingType: Codable {
    enum Failure: CaseIterable { case own, mismatch, swift }

    struct Error: Swift.Error, CustomStringConvertible {
        let words: String
        var description: String { words }
    }

    static let failure = CodingUserInfoKey(rawValue: "failure")!

    let words: String

    init(words: String) { self.words = words }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        words = (try? container.decode(String.self)) ?? "not a string"
        switch decoder.userInfo[EchoingType.failure] as? Failure {
        case .mismatch: throw JSONMismatch(expected: words)
        case .swift: throw DecodingError.dataCorruptedError(in: container, debugDescription: words)
        default: throw Error(words: words)
        }
    }

    func encode(to encoder: any Encoder) throws { throw Error(words: words) }
}

/// One of two words.
enum OneOrTwo: String, Codable, CaseIterable { case one, two }
