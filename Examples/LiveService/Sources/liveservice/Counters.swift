import LosslessJSON
import SessionMirror

/// The counters of the service, in a file of their own, because the settings may be read-only.
struct Counters: Codable, Sendable, Equatable {
    /// The numbers of answers to `/`, by the name of the service. If two services incremented one number with `update`,
    /// both could save the same number, and the session could not see that an increment is missing.
    var hits: [String: Int] = [:]
    /// The number of the last order, of all services.
    var orders = 0
}

extension Counters {
    /// Opens the file. Several services may use it.
    static func open(at path: String) throws(SessionError) -> Session<Counters> {
        var options = SessionOptions(start: .requireValid)
        options.replacing.createsDirectories = true
        return try Session(Counters(), at: path, options: options) { state throws(ValidationError) in
            // Other programs read larger numbers inexactly.
            let valid = 0...(1 << 53)
            if let name = state.hits.first(where: { !valid.contains($0.value) })?.key {
                throw ValidationError("must be 0 to 2^53", at: JSONPointer(["hits", name]))
            }
            if !valid.contains(state.orders) { throw ValidationError("must be 0 to 2^53", at: "orders") }
        }
    }
}
