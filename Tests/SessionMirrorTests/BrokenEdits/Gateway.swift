import LosslessJSON
import SessionMirror

/// A value that can be invalid in many ways.
struct Gateway: Codable, Equatable, Sendable {
    var port = 8080
    var name = "gate"
    var routes: [Route] = []

    /// Has no defaults: its keys are required.
    struct Route: Codable, Equatable, Sendable {
        var path: String
        var weight: Double
        var retries: Int?
    }

    /// The content of the file before the broken edit, and after the repair.
    static let lastGood = #"{ "port": 1, "routes": [{ "path": "/a", "weight": 1 }] }"# + "\n"
    static let repaired = #"{ "port": 2, "routes": [{ "path": "/a", "weight": 1 }] }"# + "\n"

    @Sendable static func check(_ gateway: Gateway) throws {
        if gateway.port == 7 { throw ValidationError("must not be 7", at: "port") }
        for (number, route) in gateway.routes.enumerated() where route.weight < 0 {
            throw ValidationError("must be 0 or more", at: JSONPointer(["routes", "\(number)", "weight"]))
        }
        if gateway.routes.count > 3 { throw ValidationError("has too many routes") }
    }
}
