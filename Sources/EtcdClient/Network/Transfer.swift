internal import CCurl
internal import Locking

/// One HTTP request on the network thread.
final class Transfer: @unchecked Sendable {
    // Safe to share: other threads only pass it to the network thread, which alone touches what changes.
    let receiver: any TransferReceiver
    private let request: TransferRequest
    private(set) var handle: OpaquePointerBox?
    private var headers: UnsafeMutablePointer<curl_slist>?
    private var errorText: UnsafeMutablePointer<CChar>?
    private var sendCount = 0
    private var isRefused = false
    var isCancelled = false
    /// When a stream must have received its first bytes; nil once it has, and for other requests.
    private(set) var deadline: Instant?

    /// A handle of libcurl.
    typealias OpaquePointerBox = UnsafeMutableRawPointer

    init(_ request: TransferRequest, to receiver: any TransferReceiver) {
        (self.request, self.receiver) = (request, receiver)
    }
}

extension Transfer {
    /// Creates the handle; nil without memory. Retains the transfer until ``release()``.
    func prepare() -> OpaquePointerBox? {
        guard let handle = curl_easy_init() else { return nil }
        self.handle = handle
        let context = Unmanaged.passRetained(self).toOpaque()
        curl_set_pointer(handle, CURLOPT_PRIVATE, context)
        curl_set_text(handle, CURLOPT_URL, request.url)
        curl_set_text(handle, CURLOPT_PROTOCOLS_STR, "http,https")
        curl_set_text(handle, CURLOPT_NOPROXY, "*")  // no settings from environment variables
        // By ALPN a member would speak gRPC on HTTP/2 connections.
        curl_set_long(handle, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        curl_set_long(handle, CURLOPT_NOSIGNAL, 1)
        curl_set_body(handle, request.body, curl_off_t(request.body.count))
        setHeaders(handle)
        setLimits(handle)
        setCertificates(handle)
        curl_set_receive_function(handle, Self.receive, context)
        curl_set_send_function(handle, Self.willSend, context)
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText!.pointee = 0
        curl_set_pointer(handle, CURLOPT_ERRORBUFFER, errorText)
        return handle
    }

    private func setHeaders(_ handle: OpaquePointerBox) {
        headers = curl_slist_append(nil, "Content-Type: application/json")
        headers = curl_slist_append(headers, "Expect:")  // do not wait for the server's consent before a large body
        headers = curl_slist_append(headers, "Grpc-Metadata-hasleader: true")
        if let token = request.token { headers = curl_slist_append(headers, "Authorization: \(token)") }
        curl_set_pointer(handle, CURLOPT_HTTPHEADER, headers)
    }

    private func setCertificates(_ handle: OpaquePointerBox) {
        let options = request.options
        if let file = options.certificateAuthorityFile {
            curl_set_text(handle, CURLOPT_CAINFO, file)
            curl_set_pointer(handle, CURLOPT_CAPATH, nil)
        }
        guard let file = options.clientCertificateFile else { return }
        curl_set_text(handle, CURLOPT_SSLCERT, file)
        curl_set_text(handle, CURLOPT_SSLKEY, options.clientKeyFile ?? file)
        // An empty passphrase: without any, OpenSSL would ask for it on the terminal.
        curl_set_text(handle, CURLOPT_KEYPASSWD, "")
    }

    private func setLimits(_ handle: OpaquePointerBox) {
        curl_set_long(handle, CURLOPT_CONNECTTIMEOUT_MS, request.options.connectTimeout.wholeMilliseconds)
        curl_set_long(handle, CURLOPT_BUFFERSIZE, request.isStream ? 4_096 : 32_768)
        curl_set_long(handle, CURLOPT_UPLOAD_BUFFERSIZE, request.isStream ? 16_384 : 65_536)
        curl_set_keepalive(handle, 10, 5, 3)
        if request.isStream {
            curl_set_long(handle, CURLOPT_FORBID_REUSE, 1)
            deadline = .now + request.options.connectTimeout + request.options.requestTimeout
        } else {
            curl_set_long(handle, CURLOPT_TIMEOUT_MS, request.options.requestTimeout.wholeMilliseconds)
        }
    }

    /// Counts how often the request is sent: libcurl repeats it by itself if an idle connection proves to be closed, and
    /// then it cannot know whether the server has processed the first one.
    private static let willSend: curl_prereq_callback = { context, _, _, _, _ in
        let transfer = Unmanaged<Transfer>.fromOpaque(context!).takeUnretainedValue()
        transfer.sendCount += 1
        let isAllowed = transfer.sendCount == 1 || transfer.request.isRepeatable
        return isAllowed ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
    }

    private static let receive: curl_receive_function = { bytes, size, count, context in
        let transfer = Unmanaged<Transfer>.fromOpaque(context!).takeUnretainedValue()
        transfer.deadline = nil
        let part = UnsafeRawBufferPointer(start: bytes, count: size * count)
        let status = curl_get_long(transfer.handle, CURLINFO_RESPONSE_CODE)
        guard transfer.receiver.receive(part, status: status) else {
            transfer.isRefused = true
            return 0
        }
        return part.count
    }
}

extension Transfer {
    /// How the transfer ended, when libcurl is done with it.
    func end(_ result: CURLcode) -> TransferEnd {
        if result == CURLE_OK { return .completed(status: curl_get_long(handle, CURLINFO_RESPONSE_CODE)) }
        if isRefused { return .refused }
        if result == CURLE_SSL_CERTPROBLEM { return .unusableCertificate(message: message(result)) }
        return .failed(wasSent: sendCount > 0, message: message(result))
    }

    /// How the transfer ended if it has received nothing until the deadline.
    var endAtDeadline: TransferEnd {
        .failed(wasSent: sendCount > 0, message: "no answer within \(request.options.requestTimeout)")
    }

    private func message(_ result: CURLcode) -> String {
        if sendCount > 1, !request.isRepeatable { return "the server closed the connection without an answer" }
        let text = errorText.map { String(cString: $0) } ?? ""
        let reason = text.isEmpty ? String(cString: curl_easy_strerror(result)) : text
        return mayLackCertificate(result) ? "\(reason); the member may require a certificate of this client" : reason
    }

    /// Whether the transfer ended like one to a member that requires a certificate and gets none: with TLS 1.3, the member
    /// closes the connection after the request has been sent.
    private func mayLackCertificate(_ result: CURLcode) -> Bool {
        request.options.clientCertificateFile == nil && request.url.hasPrefix("https:") && sendCount > 0
            && curl_get_long(handle, CURLINFO_NUM_CONNECTS) > 0
            && curl_get_long(handle, CURLINFO_RESPONSE_CODE) == 0 && result != CURLE_OPERATION_TIMEDOUT
    }

    /// Releases the handle, which must have been removed from the multi handle, and itself.
    func release() {
        guard let handle else { return }
        curl_easy_cleanup(handle)
        curl_slist_free_all(headers)
        errorText?.deallocate()
        (self.handle, headers, errorText) = (nil, nil, nil)
        Unmanaged.passUnretained(self).release()
    }
}

extension Duration {
    /// At least one, since libcurl takes zero for no limit.
    fileprivate var wholeMilliseconds: Int {
        Int(clamping: min(max(self / .milliseconds(1), 1), 1_000_000_000))
    }
}

extension Int {
    fileprivate init(clamping value: Double) { self = Int(value) }
}
