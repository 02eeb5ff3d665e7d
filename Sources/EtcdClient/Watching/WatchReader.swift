internal import LosslessJSON
internal import Synchronization

/// Opens the stream of a watch and turns its lines into events, for one iterator.
final class WatchReader {
    private let watch: EtcdWatch
    private var stream: WatchStream?
    private var endpoint: Endpoint?
    /// Events of the last line that have not been returned, in reverse order.
    private var events: [EtcdWatchEvent] = []
    private var isCreated = false
    private var hasEnded = false

    init(_ watch: EtcdWatch) { self.watch = watch }

    deinit { stream?.cancel() }

    func next() async throws(EtcdError) -> EtcdWatchEvent? {
        while true {
            if let event = events.popLast() { return event }
            if hasEnded { return nil }
            do throws(EtcdError) {
                if Task.isCancelled { throw EtcdError(.cancelled, "the task of the watch was cancelled") }
                if stream == nil { try await open() } else { try await readLine() }
            } catch {
                hasEnded = true
                stream?.cancel()
                throw error
            }
        }
    }
}

extension WatchReader {
    /// Opens the stream at the first endpoint that accepts it.
    private func open() async throws(EtcdError) {
        try watch.client.requireValid(watch.key, isPrefix: watch.isPrefix)
        let order = watch.client.endpointOrder
        var (index, hasRenewed) = (0, false)
        while true {
            let token = try await watch.client.token()
            start(at: order[index], token)
            do throws(EtcdError) {
                return try await readLine()
            } catch  where error.isStaleToken && token != nil && !hasRenewed {
                hasRenewed = true
                watch.client.invalidate(token!)
            } catch {
                index += 1
                guard error.isOfEndpoint, index < order.count else { throw error }
            }
            stream?.cancel()
        }
    }

    private func start(at endpoint: Endpoint, _ token: TokenStore.Token?) {
        let body = RequestBody.watch(watch.key, isPrefix: watch.isPrefix, from: watch.revision)
        let request = TransferRequest(
            url: endpoint.url + "/v3/watch", body: body.bytes, token: token?.value, options: watch.client.options,
            isStream: true, isRepeatable: true)
        self.endpoint = endpoint
        stream = WatchStream(request)
    }

    /// Waits for the next line and keeps its events.
    private func readLine() async throws(EtcdError) {
        guard let stream, let endpoint else { return }
        do throws(EtcdError) {
            switch await stream.next() {
            case .line(let bytes):
                try take(watch.client.value(bytes, status: 200, at: endpoint), at: endpoint)
            case .ended(.completed(let status), let rest) where status != 200:
                _ = try watch.client.value(rest, status: status, at: endpoint)
            case .ended(.completed, let rest) where !rest.isEmpty:
                _ = try watch.client.value(rest, status: 200, at: endpoint)
                throw watch.client.error(.completed(status: 200), at: endpoint)
            case .ended(.completed, _) where isCreated: throw Self.noLeader(at: endpoint)
            case .ended(let end, _): throw watch.client.error(end, at: endpoint)
            }
        } catch {
            if error.isOfEndpoint { watch.client.endpointFailed(endpoint) }
            throw error
        }
    }

    /// The error for a stream that ended without one. So etcd 3.4 ends it when the member loses its leader; a connection
    /// that is lost or closed by a stopping member ends within a chunk, which libcurl reports.
    private static func noLeader(at endpoint: Endpoint) -> EtcdError {
        EtcdError(.noLeader, "\(endpoint.url): the member ended the watch, as it does without a leader; watch anew")
    }

    private func take(_ result: JSON, at endpoint: Endpoint) throws(EtcdError) {
        guard result["header"] != nil else {
            throw EtcdError(.invalidResponse, "\(endpoint.url): a line of the watch is not of etcd; check the endpoint")
        }
        let revision = GatewayAnswer(value: result).revision
        if result["canceled"]?.bool == true { throw cancellation(result, at: endpoint) }
        if result["created"]?.bool == true {
            isCreated = true
            events = [.created(revision: revision)]
            return
        }
        guard let items = result["events"]?.array else {
            events = [.progress(revision: revision)]
            return
        }
        events = try watch.client.read { () throws(MalformedAnswer) in
            var events: [EtcdWatchEvent] = []
            for item in items { if let event = try EtcdWatchEvent(item) { events.append(event) } }
            return events.reversed()
        }
    }

    private func cancellation(_ result: JSON, at endpoint: Endpoint) -> EtcdError {
        let compacted = result.number("compact_revision")
        guard compacted == 0 else {
            return EtcdError(
                .compacted,
                "\(endpoint.url): the history before revision \(compacted) is compacted; read the key and watch anew",
                compactRevision: compacted)
        }
        let reason = GatewayError(cancelReason: result["cancel_reason"]?.string ?? "the server cancelled the watch")
        return reason.etcdError(at: endpoint.url, credentialsFile: watch.client.options.credentialsFile)
    }
}

extension EtcdWatchEvent {
    /// Reads `mvccpb.Event`; nil if its key is not UTF-8.
    fileprivate init?(_ item: JSON) throws(MalformedAnswer) {
        guard let member = item["kv"] else { throw MalformedAnswer() }
        guard let keyValue = try EtcdKeyValue(member) else { return nil }
        if item["type"]?.string == "DELETE" {
            self = .deleted(key: keyValue.key, revision: keyValue.modRevision)
        } else {
            self = .put(keyValue, revision: keyValue.modRevision)
        }
    }
}
