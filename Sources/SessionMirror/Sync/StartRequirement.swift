// Whether a session can be opened with what its file has.
extension SessionOptions.Start {
    /// Whether the file does not meet the requirement yet, but may once its writer has finished.
    func isDoubtful(_ result: LoadResult) -> Bool {
        switch (self, result) {
        case (.useDefaults, _): false
        case (_, .loaded(let reconciliation)): reconciliation.document.isBlank
        case (.requireFile, .missing): true
        case (_, .invalid(_, let permanence)): permanence != .permanent
        case (_, .missing), (_, .unchanged), (_, .blocked): false
        }
    }

    /// Why a session cannot be opened; nil if it can.
    func error(of result: LoadResult, in file: String) -> SessionError? {
        switch (self, result) {
        case (.useDefaults, _): nil
        case (_, .invalid(let problem, _)): SessionError(unusable: problem)
        case (.requireFile, .missing): SessionError(missing: file)
        case (_, .missing), (_, .loaded), (_, .unchanged), (_, .blocked): nil
        }
    }
}
