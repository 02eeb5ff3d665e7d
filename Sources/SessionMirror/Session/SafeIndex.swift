extension MutableCollection where Self: RandomAccessCollection {
    /// The element at an index; nil when the index is out of range.
    ///
    /// For arrays decoded from a file: an edit of the file may make them shorter, and `list[0]` then ends the process,
    /// also in an observed key path.
    ///
    /// ```swift
    /// session.observe(\.hosts[at: 0]?.name) { … }                    // nil if there is no host
    /// try session.update { $0.hosts[at: 0]?.name = "localhost" }    // does nothing then
    /// ```
    ///
    /// Setting replaces an existing element. If the index is out of range, or the new value is nil, it does nothing.
    @inlinable
    public subscript(at index: Index) -> Element? {
        get { index >= startIndex && index < endIndex ? self[index] : nil }
        set {
            guard let newValue, index >= startIndex, index < endIndex else { return }
            self[index] = newValue
        }
    }
}
