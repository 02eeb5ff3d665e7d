import LosslessJSON
import SessionMirror

/// A value that can be wrong in many ways.
struct Gateway: Codable, Equatable, Sendable {
    var port = 8080
    var name = "gate"
    var routes: [Route] = []

    /// Has no defaults: what the file leaves out is missing.
    struct Route: Codable, Equatable, Sendable {
        var path: String
        var weight: Double
        var retries: Int?
    }

    /// What the file says before the broken edit, and after the repair.
    static let lastGood = #"{ "port": 1, "routes": [{ "path": "/a", "weight": 1 }] }"# + "\n"
    static let repaired = #"{ "port": 2, "routes": [{ "path": "/a", "weight": 1 }] }"# + "\n"

    @Sendable static func check(_ gateway: Gateway) throws {
        if gateway.port == 7 { throw Refusal("must not be 7", at: "port") }
        for (number, route) in gateway.routes.enumerated() where route.weight < 0 {
            throw Refusal("must be 0 or more", at: JSONPointer(["routes", "\(number)", "weight"]))
        }
        if gateway.routes.count > 3 { throw Refusal("has too many routes") }
    }
}
