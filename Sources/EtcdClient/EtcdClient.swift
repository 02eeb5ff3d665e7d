internal import Glibc
internal import LosslessJSON
internal import Synchronization
internal import VisibleText

/// A client of etcd's v3 API, by the JSON gateway that every member serves beside gRPC.
///
/// ```swift
/// let client = try EtcdClient(EtcdOptions(endpoints: ["https://etcd1.example:2379", "https://etcd2.example:2379"]))
/// let reading = try await client.get("/settings")
/// for try await event in client.watch("/settings", from: reading.revision + 1) { … }
/// ```
///
/// A client stays with one endpoint, a random one at first, until that fails. The order of the others is random for each
/// client, so that those of a member that stops spread over all others. Reads then try all others. Writes go on to
/// another one only if they have certainly not been applied; otherwise they throw ``EtcdError/Code/uncertain``, and the
/// caller reads what is true. A write whose task is cancelled may have been applied, too.
///
/// All clients of a process share one thread and its connections; a request takes a connection for its duration, a watch
/// for its life. A key must not contain NUL, and lists and watches leave out keys that are not UTF-8.
package final class EtcdClient: Sendable {
    let options: EtcdOptions
    private let endpoints: [Endpoint]
    private let current: Atomic<Int>
    private let tokens = TokenStore()

    /// Validates the options and the files that they name. Connects to nothing.
    package init(_ options: EtcdOptions) throws(EtcdError) {
        guard !options.endpoints.isEmpty else {
            throw EtcdError(.invalidOptions, "no endpoint; name at least one, such as https://etcd.example:2379")
        }
        var endpoints: [Endpoint] = []
        for text in options.endpoints { endpoints.append(try Endpoint(text)) }
        try options.checkFiles()
        (self.options, self.endpoints) = (options, endpoints.shuffled())
        current = Atomic(0)
    }
}

extension EtcdClient {
    /// The endpoints in the order in which to try them.
    var endpointOrder: [Endpoint] {
        let first = current.load(ordering: .relaxed)
        return Array(endpoints[first...] + endpoints[..<first])
    }

    /// Moves on to the next endpoint, unless another request has done so.
    func endpointFailed(_ endpoint: Endpoint) {
        let index = current.load(ordering: .relaxed)
        guard endpoints[index] == endpoint else { return }
        let next = (index + 1) % endpoints.count
        _ = current.compareExchange(expected: index, desired: next, ordering: .relaxed)
    }

    /// Returns the token for requests, after an authentication if there is none; nil without credentials.
    func token() async throws(EtcdError) -> TokenStore.Token? {
        guard let file = options.credentialsFile else { return nil }
        return try await tokens.token { () async throws(EtcdError) in try await self.authenticate(file) }
    }

    func invalidate(_ token: TokenStore.Token) { tokens.invalidate(token) }

    private func authenticate(_ file: String) async throws(EtcdError) -> TokenStore.Token {
        let credentials = try Credentials(readFrom: file)
        let body = JSON.object(["name": JSON(credentials.user), "password": JSON(credentials.password)])
        let bytes = RequestBody(copying: JSONPrinter(layout: .compact).bytes(body))
        let call = GatewayCall("/v3/auth/authenticate", bytes, .repeatable, needsToken: false)
        do throws(EtcdError) {
            let answer = try await send(call)
            guard let token = answer.value["token"]?.string, !token.utf8.contains(where: { $0 < 0x20 }) else {
                throw EtcdError(.invalidResponse, "the answer to the authentication has no token")
            }
            return TokenStore.Token(value: token)
        } catch  where error.code == .rejected && error.message.hasSuffix("authentication is not enabled") {
            return TokenStore.Token(value: nil)
        } catch  where error.code == .rejected {
            throw EtcdError(.unauthenticated, "\(error.message); check the name and password in \(file.visible)")
        }
    }
}

extension EtcdClient {
    /// Makes a call at the current endpoint, and at others as far as that is safe.
    func send(_ call: GatewayCall) async throws(EtcdError) -> GatewayAnswer {
        let order = endpointOrder
        var (index, hasRenewed) = (0, false)
        while true {
            let token = call.needsToken ? try await token() : nil
            do throws(EtcdError) {
                return try await exchange(call, at: order[index], token?.value)
            } catch  where error.isStaleToken && token != nil && !hasRenewed {
                hasRenewed = true
                invalidate(token!)
            } catch {
                if error.isOfEndpoint { endpointFailed(order[index]) }
                index += 1
                guard call.mayContinue(after: error), index < order.count else { throw error }
            }
        }
    }

    private func exchange(
        _ call: GatewayCall, at endpoint: Endpoint, _ token: String?
    ) async throws(EtcdError) -> GatewayAnswer {
        let request = TransferRequest(
            url: endpoint.url + call.path, body: call.body.bytes, token: token,
            options: options, isRepeatable: call.kind == .repeatable)
        let answer = await AnswerCollector.answer(to: request)
        guard case .completed(let status) = answer.end else { throw error(answer.end, at: endpoint) }
        return GatewayAnswer(value: try value(answer.body, status: status, at: endpoint))
    }

    /// The error for a transfer that has not been completed.
    func error(_ end: TransferEnd, at endpoint: Endpoint) -> EtcdError {
        switch end {
        case .failed(wasSent: false, let message):
            EtcdError(
                .unreachable, "\(endpoint.url): \(message.visible); check that etcd runs there and can be reached")
        case .failed(wasSent: true, let message):
            EtcdError(.uncertain, "\(endpoint.url): \(message.visible); read the key to see what is applied")
        case .unusableCertificate(let message):
            EtcdError(
                .unreachable, "\(endpoint.url): \(message.visible); check the certificate of this client and its key")
        case .cancelled: EtcdError(.cancelled, "\(endpoint.url): the task was cancelled")
        case .refused: EtcdError(.invalidResponse, "\(endpoint.url): the answer is too large")
        case .completed: EtcdError(.uncertain, "\(endpoint.url): the server ended the stream; watch anew")
        }
    }

    /// Parses the answer, or throws the error that it contains.
    func value(_ body: [UInt8], status: Int, at endpoint: Endpoint) throws(EtcdError) -> JSON {
        guard let value = try? JSON(parsing: body, dialect: .json), value.object != nil else {
            throw notJSON(body, status: status, at: endpoint)
        }
        if let error = GatewayError(value) {
            throw error.etcdError(at: endpoint.url, credentialsFile: options.credentialsFile)
        }
        guard status == 200 else { throw notJSON(body, status: status, at: endpoint) }
        return value["result"] ?? value
    }

    private func notJSON(_ body: [UInt8], status: Int, at endpoint: Endpoint) -> EtcdError {
        let beginning = String(decoding: body.prefix(80), as: UTF8.self).visible
        let what = "\(endpoint.url): HTTP status \(status) with \"\(beginning)\" instead of an answer of etcd"
        switch status {
        case 400 where beginning.hasPrefix("CommonName of client"):
            return EtcdError(
                .unauthenticated,
                "\(endpoint.url): with authentication, etcd's gateway refuses client certificates that have a common name; "
                    + "use one that has none, beside the credentials")
        case 500...: return EtcdError(.uncertain, "\(what); read the key to see what is applied")
        case 200..<300: return EtcdError(.invalidResponse, "\(what); check that the endpoint is an etcd member")
        default: return EtcdError(.rejected, "\(what); check that its gRPC gateway is enabled")
        }
    }
}
