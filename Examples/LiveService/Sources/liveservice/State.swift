import LosslessJSON
import SessionMirror

/// What the service counts. A file of its own, because the settings may be read-only.
struct State: Codable, Sendable, Equatable {
    /// The numbers of answers to `/`, by the name of the service. Two services that added to one number by `update` would
    /// have the same one in the end, each believing that the other has made its change.
    var hits: [String: Int] = [:]
    /// The number of the last order, of all services.
    var orders = 0
}

extension State {
    /// Opens the file. Several services may use it.
    static func open(at path: String) throws(SessionError) -> Session<State> {
        var options = SessionOptions(start: .requireValid)
        options.replacing.createsDirectories = true
        return try Session(State(), at: path, options: options) { state throws(ValidationError) in
            if let name = state.hits.first(where: { $0.value < 0 })?.key {
                throw ValidationError("must not be negative", at: JSONPointer(["hits", name]))
            }
            if state.orders < 0 { throw ValidationError("must not be negative", at: "orders") }
        }
    }
}
