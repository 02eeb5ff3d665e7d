import CArguments
import Glibc

typealias ArgumentVector = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

/// Goes through a command line, argument by argument, the way GNU programs do.
///
/// Abbreviated options come out whole. What cannot be understood is thrown, with the nearest known option. There can be
/// one scan at a time.
struct ArgumentScan: ~Copyable {
    enum Found {
        case option(Option, value: String?)
        case operand(String, index: Int)
    }

    private let scan: OpaquePointer
    private let options: [Option]

    /// The first of the `arguments` is the name of the program or of the command.
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
        case ARGUMENT_OPERAND: return .operand(text, index: Int(found.index))
        case ARGUMENT_OPTION:
            return .option(options[Int(found.option)], value: try found.value.map(ArgumentScan.text))
        case ARGUMENT_VALUE_MISSING:
            let option = options[Int(found.option)]
            throw .misused("the option --\(option.name) needs a value: \(option.spelling)")
        case ARGUMENT_VALUE_UNEXPECTED:
            throw .misused("the option --\(options[Int(found.option)].name) takes no value")
        case ARGUMENT_UNKNOWN_LETTER: throw unknown(letter: found.letter, in: text)
        default: throw unknown(name: text)
        }
    }

    /// Names of files may be any bytes in Linux, but this program and its messages speak Unicode.
    private static func text(_ bytes: UnsafePointer<CChar>) throws(Failure) -> String {
        guard let text = String(validatingCString: bytes) else {
            throw .misused("the argument \(String(cString: bytes).shortened(to: 60).visible) is not UTF-8")
        }
        return text
    }

    private func unknown(letter: CChar, in text: String) -> Failure {
        let spelling = letter > 0x20 && letter < 0x7F ? "-\(Unicode.Scalar(UInt8(letter)))" : text
        // "-strict" is read as a group of letters, but most likely meant as a name
        let name = String(text.drop { $0 == "-" })
        return .misused("unknown option \(spelling.visible)\(name.count > 1 ? suggestion(for: name) : "")")
    }

    private func unknown(name text: String) -> Failure {
        let name = String(text.drop { $0 == "-" }.prefix { $0 != "=" })
        let spelling = "--\(name.shortened(to: 60).visible)"
        let abbreviated = options.filter { $0.name.hasPrefix(name) }.map { "--\($0.name)" }
        if abbreviated.count > 1 {
            return .misused("the option \(spelling) is ambiguous: \(abbreviated.joined(separator: ", "))")
        }
        return .misused("unknown option \(spelling)\(suggestion(for: name))")
    }

    private func suggestion(for name: String) -> String {
        Nearest(to: name).among(options.map(\.name), limit: 1).first.map { "; did you mean --\($0)?" } ?? ""
    }
}
