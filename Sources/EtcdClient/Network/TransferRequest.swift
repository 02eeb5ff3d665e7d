/// What one HTTP request sends, and its limits.
struct TransferRequest: Sendable {
    var url: String
    var body: [UInt8]
    var token: String?
    /// The files for TLS, and the time limits. Of a stream, the limit of a request is that of its first bytes.
    var options: EtcdOptions
    var isStream = false
    /// Whether the request may be sent again, on a new connection, if the server closed an idle one.
    var isRepeatable: Bool
}

/// How a transfer ended.
enum TransferEnd: Sendable {
    /// The whole answer was received.
    case completed(status: Int)
    /// `wasSent` is false if the request has certainly not been sent.
    case failed(wasSent: Bool, message: String)
    /// The certificate of the client or its key cannot be used.
    case unusableCertificate(message: String)
    case cancelled
    /// The receiver has refused bytes of the answer.
    case refused
}

/// Receives an answer, on the network thread. Must not block.
protocol TransferReceiver: AnyObject, Sendable {
    /// Takes the next bytes of the body. Returns false to end the transfer.
    func receive(_ bytes: UnsafeRawBufferPointer, status: Int) -> Bool

    /// Is called once, after all bytes.
    func finish(_ end: TransferEnd)
}
