internal import VisibleText

/// The validated URL of a member, without a slash at the end.
struct Endpoint: Sendable, Hashable {
    let url: String

    init(_ text: String) throws(EtcdError) {
        var scheme = "http"
        var rest = text[...]
        if let separator = text.firstRange(of: "://") {
            scheme = text[..<separator.lowerBound].lowercased()
            rest = text[separator.upperBound...]
            if rest.hasSuffix("/") { rest = rest.dropLast() }
        } else if Self.port(of: rest) == nil {
            throw Self.invalid(text, "has no port")
        }
        guard scheme == "http" || scheme == "https" else { throw Self.invalid(text, "is neither http nor https") }
        guard Self.isAuthority(rest) else { throw Self.invalid(text, "has no valid host and port") }
        url = "\(scheme)://\(rest)"
    }

    private static func invalid(_ text: String, _ problem: String) -> EtcdError {
        // What stands before an at sign may be a password.
        let shown = text.lastIndex(of: "@").map { "…\(text[$0...])" } ?? text
        return EtcdError(
            .invalidOptions,
            "the endpoint \"\(shown.visible(upTo: 100))\" \(problem); write it like https://etcd.example:2379")
    }

    private static func port(of authority: Substring) -> Int? {
        guard let colon = authority.lastIndex(of: ":") else { return nil }
        let digits = authority[authority.index(after: colon)...]
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = Int(digits) else { return nil }
        return (1...65_535).contains(port) ? port : nil
    }

    private static func isAuthority(_ text: Substring) -> Bool {
        let isBracketed = text.hasPrefix("[")
        let end = isBracketed ? text.lastIndex(of: "]").map(text.index(after:)) : text.lastIndex(of: ":")
        let host = text[..<(end ?? text.endIndex)]
        let after = text[host.endIndex...]
        guard isBracketed ? end != nil && host.utf8.count > 2 : !host.isEmpty else { return false }
        guard after.isEmpty || after.hasPrefix(":") && port(of: after) != nil else { return false }
        let name = isBracketed ? host.dropFirst().dropLast() : host
        return name.unicodeScalars.allSatisfy {
            $0.isASCII
                && ($0.properties.isAlphabetic || (0x30...0x39).contains($0.value) || "-._".unicodeScalars.contains($0))
                || isBracketed && ($0 == ":" || $0 == "%")
        }
    }
}
