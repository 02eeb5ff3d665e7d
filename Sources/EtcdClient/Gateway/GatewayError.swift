internal import LosslessJSON
internal import VisibleText

/// An error answer of the gateway: a gRPC code and a text.
///
/// A unary call has them at the top level, a stream inside of `error`.
struct GatewayError {
    /// The codes of gRPC that matter here.
    private enum Code {
        static let permissionDenied = 7
        static let resourceExhausted = 8
        static let unauthenticated = 16
        /// Cancelled, unknown, deadline exceeded, aborted, internal, unavailable, data loss: the request may have been
        /// applied.
        static let inconclusive: Set = [1, 2, 4, 10, 13, 14, 15]
    }

    let code: Int
    let text: String

    init(code: Int, text: String) { (self.code, self.text) = (code, text) }

    /// Nil if the value is not an error.
    init?(_ value: JSON) {
        guard let error = value["error"] else { return nil }
        if error.object != nil {
            self.init(code: error["grpc_code"]?.int ?? error["code"]?.int ?? 2, text: error["message"]?.string ?? "")
        } else {
            self.init(code: value["code"]?.int ?? 2, text: value["message"]?.string ?? error.string ?? "")
        }
    }

    /// Reads the reason of a cancelled watch, such as "rpc error: code = Unauthenticated desc = etcdserver: …".
    init(cancelReason reason: String) {
        let codes = ["Unauthenticated": 16, "PermissionDenied": 7, "InvalidArgument": 3, "OutOfRange": 11]
        let code = codes.first { reason.contains("code = \($0.key) ") }?.value ?? 14
        let text = reason.firstIndex(of: "=").map { _ in reason.components(after: "desc = ") } ?? reason
        self.init(code: code, text: text)
    }

    func etcdError(at endpoint: String, credentialsFile: String?) -> EtcdError {
        let what = "\(endpoint): \(text.visible(upTo: 300))"
        switch code {
        case Code.unauthenticated: return unauthenticated(what, credentialsFile)
        case _ where text.hasSuffix("user name is empty") || text.hasSuffix("revision of auth store is old"):
            return unauthenticated(what, credentialsFile)
        case Code.permissionDenied:
            return EtcdError(.permissionDenied, "\(what); grant the permission for the key to a role of the user")
        case _ where text.hasSuffix("required revision has been compacted"):
            return EtcdError(.compacted, "\(what); read the current value and continue from its revision")
        case _ where text.hasSuffix("no leader"):
            return EtcdError(.noLeader, "\(what); try again after the election, which needs a majority of the members")
        case _ where text.contains("request is too large") || text.contains("larger than max"):
            return EtcdError(.tooLarge, "\(what); raise --max-request-bytes of etcd or store less")
        case _ where Code.inconclusive.contains(code):
            return EtcdError(.uncertain, "\(what); read the key to see what is applied")
        default: return EtcdError(.rejected, what)
        }
    }

    private func unauthenticated(_ what: String, _ credentialsFile: String?) -> EtcdError {
        let advice = credentialsFile.map { "check \($0.visible)" } ?? "set a credentials file in the options"
        return EtcdError(.unauthenticated, "\(what); \(advice)", isStaleToken: true)
    }
}

extension String {
    /// What follows the first occurrence of `separator`; the whole text if there is none.
    fileprivate func components(after separator: String) -> String {
        firstRange(of: separator).map { String(self[$0.upperBound...]) } ?? self
    }
}
