import LosslessJSON
import VisibleText

extension PathValue {
    /// The paths and values of the command `set`, at least one.
    static func list(_ arguments: Arguments) throws(Failure) -> [PathValue] {
        let operands = Array(arguments.operands.dropFirst())
        let (isString, isSecret) = (arguments.has(.string), arguments.has(.redact))
        if let name = arguments.value(of: .from) {
            if operands.count > 1 { throw .usageError("unexpected argument \(operands[1].visible(upTo: 60))") }
            if name == "-", arguments.operands[0] == "-" {
                throw .usageError("standard input (-) can be read only once")
            }
            if let path = pathBeforeEqualsSign(operands[0]) {
                throw .usageError("--from takes a PATH only: write \(path); a key with an equals sign is written /a=b")
            }
            let value = try value(in: InputFile(name, hiding: try arguments.secrets), isString: isString)
            return [PathValue(path: try JSONPointer(operand: operands[0]), value: value)]
        }
        if operands.allSatisfy({ $0.utf8.contains(UInt8(ascii: "=")) }) {
            var values: [PathValue] = []
            for text in operands {
                let value =
                    try isString ? PathValue(parsingString: text) : PathValue(parsing: text, .json, isSecret: isSecret)
                if value.path.isRoot {
                    throw .usageError("PATH is missing before =; for the whole value, write '' JSON")
                }
                values.append(value)
            }
            return values
        }
        if operands.count == 1 { throw .usageError("JSON is missing") }
        if operands.count > 2 {
            let wrong = operands.first { !$0.utf8.contains(UInt8(ascii: "=")) }!  // not all have one
            throw .usageError("\(wrong.visible(upTo: 60)) is not PATH=JSON")
        }
        let text = operands[1]
        if operands[0].hasSuffix("="), let path = pathBeforeEqualsSign(operands[0]) {
            let pair = isSecret ? "PATH=JSON" : "\(path)=\(text.visible(upTo: 60))"
            throw .usageError("\(path)= and its value are two operands: write \(pair) or \(path) JSON")
        }
        let value =
            isString ? JSON(text) : try JSON(operand: text, isSecret: isSecret, advice: "use --string for a string")
        return [PathValue(path: try JSONPointer(operand: operands[0]), value: value)]
    }

    private static func value(in file: InputFile, isString: Bool) throws(Failure) -> JSON {
        if !isString {
            guard let document = try file.document() else { throw .negative("\(file.title) has no value to set") }
            return document.value
        }
        let bytes = try file.read(limit: JSONDocument.Options().sizeLimit)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .negative("\(file.title) is not UTF-8, and cannot be a string")
        }
        return JSON(text)
    }

    /// What precedes the first equals sign of a path in dotted form; nil if there is none.
    private static func pathBeforeEqualsSign(_ text: String) -> String? {
        guard !text.hasPrefix("/"), let place = text.firstIndex(of: "=") else { return nil }
        return String(text[..<place]).visible(upTo: 60)
    }
}
