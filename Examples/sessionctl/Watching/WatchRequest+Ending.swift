import LosslessJSON

extension WatchRequest {
    /// Whether all files have the value of `--until`; false without files, or without the option.
    func isValueReached(in values: [JSON]) -> Bool {
        guard let awaitedValue, !values.isEmpty else { return false }
        return values.allSatisfy(awaitedValue.isReached)
    }

    /// The message after a timeout. Names the first file that lacks the value.
    ///
    /// - Parameter count: What `--count` counts: printed changes, or runs and signals.
    func timeoutMessage(_ files: [(title: String, value: JSON)], count: Int) -> String {
        let time = limit?.text ?? ""
        if let awaitedValue, let file = files.first(where: { !awaitedValue.isReached(in: $0.value) }) {
            return "\(file.title): after \(time): \(awaitedValue.difference(in: file.value, hiding: secrets))"
        }
        let title = files.count == 1 ? files[0].title : "\(files.count) files"
        guard let wanted = self.count else { return "\(title): timed out after \(time)" }
        return "\(title): after \(time): \(count) of \(wanted) \(action == nil ? "changes" : "runs")"
    }
}
