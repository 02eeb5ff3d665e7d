import CArguments
import Glibc
import LosslessJSON
import VisibleText

typealias ArgumentVector = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

/// Parses a command line argument by argument, with GNU conventions.
///
/// Expands abbreviated options. Throws for unknown options, and suggests the nearest known one. Only one scan may exist
/// at a time, because the state of getopt is global.
struct ArgumentScan: ~Copyable {
    enum Found {
        case option(Option, value: String?)
        /// `isAfterDashes`: after the argument "--".
        case operand(String, index: Int, isAfterDashes: Bool)
    }

    private let scan: OpaquePointer
    private let options: [Option]

    /// The first of the `arguments` is the name of the program or command.
    init(_ arguments: ArgumentVector, count: Int32, options: [Option]) {
        let table = options.map {
            argument_option(
                name: strdup($0.name), letter: $0.letter.map { CChar($0.value) } ?? 0, takes_value: $0.value != nil)
        }
        defer { for option in table { free(UnsafeMutablePointer(mutating: option.name)) } }
        guard let scan = argument_scan_begin(count, arguments, table, Int32(table.count)) else {
            fatalError("no memory for the command line")
        }
        self.scan = scan
        self.options = options
    }

    deinit { argument_scan_end(scan) }

    mutating func next() throws(Failure) -> Found? {
        guard let found = argument_scan_next(scan)?.pointee else { return nil }
        let text = try ArgumentScan.text(found.text)
        switch found.kind {
        case ARGUMENT_OPERAND:
            return .operand(text, index: Int(found.index), isAfterDashes: found.after_dashes)
        case ARGUMENT_OPTION:
            return .option(options[Int(found.option)], value: try found.value.map(ArgumentScan.text))
        case ARGUMENT_VALUE_MISSING:
            let option = options[Int(found.option)]
            throw .usageError("the option --\(option.name) needs a value: \(option.spelling)")
        case ARGUMENT_VALUE_UNEXPECTED:
            throw .usageError("the option --\(options[Int(found.option)].name) takes no value")
        case ARGUMENT_UNKNOWN_LETTER: throw unknown(letter: found.letter, in: text)
        default: throw unknown(name: text)
        }
    }

    /// Linux file names may be any bytes; this program accepts UTF-8 only.
    private static func text(_ bytes: UnsafePointer<CChar>) throws(Failure) -> String {
        guard let text = String(validatingCString: bytes) else {
            throw .usageError("the argument \(String(cString: bytes).visible(upTo: 60)) is not UTF-8")
        }
        return text
    }

    private func unknown(letter: CChar, in text: String) -> Failure {
        let spelling = letter > 0x20 && letter < 0x7F ? "-\(Unicode.Scalar(UInt8(letter)))" : text
        // "-strict" parses as a group of letters, but most likely means "--strict".
        let name = String(text.drop { $0 == "-" })
        if name.count <= 1 { return .usageError("unknown option \(spelling.visible)") }
        let meant = suggestion(for: name)
        let isFirst = text.hasPrefix(spelling)
        let advice = meant.isEmpty && isFirst ? "; write -- before an operand that begins with a dash" : meant
        return .usageError("unknown option \(spelling.visible)\(advice)")
    }

    private func unknown(name text: String) -> Failure {
        let name = String(text.drop { $0 == "-" }.prefix { $0 != "=" })
        let spelling = "--\(name.visible(upTo: 60))"
        let abbreviated = options.filter { $0.name.hasPrefix(name) }.map { "--\($0.name)" }
        if abbreviated.count > 1 {
            return .usageError("the option \(spelling) is ambiguous: \(abbreviated.joined(separator: ", "))")
        }
        return .usageError("unknown option \(spelling)\(suggestion(for: name))")
    }

    private func suggestion(for name: String) -> String {
        NearestName(to: name).among(options.map(\.name), limit: 1).first.map { "; did you mean --\($0)?" } ?? ""
    }
}
