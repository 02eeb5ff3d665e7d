internal import Glibc

/// Whether a new version is parsed, decoded and encoded only where it differs from the last one.
enum PartialWork {
    /// Tests and measurements turn it off, for comparison.
    static let isEnabled = getenv("SESSIONMIRROR_IN_FULL") == nil
}
