/// A type whose `init()` makes its default value.
///
/// In arrays and dictionaries there is no default to take a missing key from: the elements of the defaults are
/// examples, not patterns. A type that is `Defaulted` brings its own, so that an element may leave keys out:
///
/// ```swift
/// struct Route: Defaulted {
///     var path = "/"
///     var retries = 3
/// }
/// struct Server: Codable {
///     var routes: [Route] = []        // {"routes": [{"path": "/api"}]} has 3 retries
/// }
/// ```
public protocol Defaulted: Codable {
    /// The default value.
    init()
}

extension JSON? {
    /// A default of null says no more than none, and leaves a type its own.
    var unlessNull: JSON? { self?.isNull == true ? .none : self }
}
