/// A call of the gateway.
struct GatewayCall: Sendable {
    enum Kind: Sendable {
        /// Repeating it changes nothing.
        case repeatable
        case write
    }

    let path: String
    let body: RequestBody
    let kind: Kind
    var needsToken = true

    init(_ path: String, _ body: RequestBody, _ kind: Kind, needsToken: Bool = true) {
        (self.path, self.body, self.kind, self.needsToken) = (path, body, kind, needsToken)
    }

    /// Whether another endpoint may be asked after an error.
    func mayContinue(after error: EtcdError) -> Bool {
        switch kind {
        case .repeatable: error.isOfEndpoint
        case .write: error.isCertainAndLocal
        }
    }
}
