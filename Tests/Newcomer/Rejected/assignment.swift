// error: use update { }
import SessionMirror

struct Server: Codable, Sendable {
    var port = 8080
}

func assign(_ session: Session<Server>) {
    session.port = 1
}
