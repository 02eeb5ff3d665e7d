public import LosslessJSON

/// How a session treats its file.
///
/// ```swift
/// var options = SessionOptions()
/// options.parsing.dialect = .json
/// let session = try Session(Server(), at: "server.json", options: options)
/// ```
public struct SessionOptions: Sendable {
    /// What texts are accepted: the dialect, the depth and the size.
    public var parsing = JSONDocument.Options()

    /// How long content that cannot be used may be half written: it counts as refused when nothing more happened to the
    /// file for this long.
    public var settlingTime = Duration.milliseconds(100)

    /// How long it may be half written at most, while things go on happening to it.
    public var settlingLimit = Duration.seconds(1)

    /// How values are written whose own form people should not have to read; by default URLs, dates, bytes and decimals.
    public var conversions = JSONConversions.standard

    /// The defaults: comments are accepted, 512 levels, 256 MiB, 100 ms to settle and 1 s at most.
    public init() {}
}
