import LosslessJSON

/// What the library and the reference make of one text.
struct Agreement {
    let reference: ReferenceJSON?
    let document: Result<JSONDocument, JSONSyntaxError>

    init(on text: [UInt8], _ dialect: JSONDocument.Dialect) {
        reference = ReferenceJSON(parsing: text, isLenient: dialect == .jsonc)
        document = Result { () throws(JSONSyntaxError) in
            try JSONDocument(parsing: text, options: JSONDocument.Options(dialect: dialect))
        }
    }

    var isAccepted: Bool { reference != nil }

    /// Both refuse it, or both read the same.
    var holds: Bool {
        switch (reference, document) {
        case (let reference?, .success(let document)): reference.agrees(with: document.value)
        case (nil, .failure): true
        default: false
        }
    }
}
