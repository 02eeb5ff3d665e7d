import Foundation
import HTTPServer
import LosslessJSON
import SessionMirror
import StoredValues

/// The page that shows and edits the settings: `/admin`.
///
/// Its files are embedded in the program, and load nothing from other servers.
struct AdminPage: Sendable {
    let editor: SettingsEditor
    let state: Session<Counters>
    let access: Access
    let events: LiveEvents

    /// Answers a request of a path under `/admin`.
    func reply(to request: HTTPRequest) -> HTTPReply {
        if request.path == "/admin/events", request.method == "GET", access.rejection(of: request) == nil {
            return .events(events.stream(after: request.lastEvent))
        }
        var response = response(to: request)
        response.headers.merge(Self.headers) { own, _ in own }
        return .response(response)
    }

    private static let files: [String: (type: String, bytes: [UInt8])] = [
        "/admin": ("text/html", PackageResources.page_html),
        "/admin/page.css": ("text/css", PackageResources.page_css),
        "/admin/values.js": ("text/javascript", PackageResources.values_js),
        "/admin/rows.js": ("text/javascript", PackageResources.rows_js),
        "/admin/tree.js": ("text/javascript", PackageResources.tree_js),
        "/admin/events.js": ("text/javascript", PackageResources.events_js),
    ]

    /// The headers of every response.
    private static let headers = [
        "Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff",
        "Content-Security-Policy": """
        default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; \
        form-action 'none'; frame-ancestors 'none'
        """,
    ]

    private func response(to request: HTTPRequest) -> HTTPResponse {
        if request.path == "/admin", let token = request.query["token"] { return signIn(token, request) }
        if let rejection = access.rejection(of: request) { return rejection }
        if let file = Self.files[request.path] {
            guard request.method == "GET" else { return .notAllowed("GET") }
            return HTTPResponse(200, ["Content-Type": "\(file.type); charset=utf-8"], body: file.bytes)
        }
        switch (request.path, request.method) {
        case ("/admin/scene", "GET"): return scene(request)
        case ("/admin/scene", "POST"): return edit(request, changeScene)
        case ("/admin/set", "POST"): return edit(request, set)
        case ("/admin/undo", "POST"): return edit(request, undo)
        case ("/admin/events", _): return .notAllowed("GET")
        case ("/admin/scene", _): return .notAllowed("GET, POST")
        case ("/admin/set", _), ("/admin/undo", _): return .notAllowed("POST")
        default: return .text(404, "there is nothing here")
        }
    }

    /// Sets a cookie that no script and no other site can use, and redirects to the URL without the token.
    private func signIn(_ token: String, _ request: HTTPRequest) -> HTTPResponse {
        if let rejection = Access.rejectionOfHost(of: request) { return rejection }
        guard access.isToken(token) else { return .text(403, "the token is wrong: see the log of the service") }
        let secure = request.isEncrypted ? "; Secure" : ""
        return HTTPResponse(
            303,
            [
                "Location": "/admin",
                "Set-Cookie": "\(access.cookieName)=\(access.cookie); Path=/; HttpOnly; SameSite=Strict\(secure)",
            ])
    }
}

extension HTTPRequest {
    /// The last event that the page has seen. A connection that the page itself opens names it in the query.
    fileprivate var lastEvent: String? { headers["last-event-id"] ?? query["after"] }
}

// Changing.
extension AdminPage {
    private func edit(
        _ request: HTTPRequest, _ body: (JSON) throws(SettingsEditor.Rejection) -> JSON?
    ) -> HTTPResponse {
        guard let message = try? JSON(parsing: request.body) else { return .text(400, "the body must be JSON") }
        do throws(SettingsEditor.Rejection) {
            return Self.answer(200, "value", try body(message))
        } catch {
            switch error {
            case .conflict(let theirs): return Self.answer(409, "theirs", theirs)
            case .invalid(let reason): return .text(422, reason)
            }
        }
    }

    private static func answer(_ status: Int, _ name: String, _ value: JSON?) -> HTTPResponse {
        let members = value.map { [(name, $0)] } ?? []
        return .json(status, .object(JSONObject(members)))
    }

    /// Sets a value, for `{"path", "value", "seen", "after"}`, and returns it. Without `value`, removes the value.
    /// Without `seen`, the page saw no value. Redacted secrets look the same after each change, so for them the last
    /// seen event decides.
    private func set(_ message: JSON) throws(SettingsEditor.Rejection) -> JSON? {
        let (path, seen) = (try Self.path(message), message["seen"])
        return try editor.set(path, to: message["value"]) { current in
            let redacted = current.map { Settings.secrets.redacting($0, at: path) }
            if redacted != current || Settings.secrets.contains(path),
                events.hasChanged(path, after: message["after"]?.string)
            {
                return false
            }
            return redacted == seen
        }
    }

    /// Sets the old value of a change, for its `{"number", "instance"}`, as a new edit.
    private func undo(_ message: JSON) throws(SettingsEditor.Rejection) -> JSON? {
        guard let number = message["number"]?.int, let entry = events.entry(number, of: message["instance"]?.string)
        else {
            throw .invalid("this change is no longer in the history")
        }
        let change = entry.change
        let old = entry.wasLeftOut ? nil : change.old
        return try editor.set(change.path, to: old, acceptsUnknown: true) { $0 == change.new }
    }

    private static func path(_ message: JSON) throws(SettingsEditor.Rejection) -> JSONPointer {
        guard let text = message["path"]?.string, let path = try? JSONPointer(parsing: text) else {
            throw .invalid("there is no such path")
        }
        return path
    }
}

// The selection of a browser tab is a scene, which survives a reload of the page and a restart of the service.
extension AdminPage {
    private func sceneValues(_ identifier: String?) -> (section: SceneStored<String>, filter: SceneStored<String>)? {
        guard let identifier, (1...64).contains(identifier.utf8.count) else { return nil }
        let scene = Scene(identifier, in: state)
        return (
            SceneStored(wrappedValue: "", "section", in: scene), SceneStored(wrappedValue: "", "filter", in: scene)
        )
    }

    private func scene(_ request: HTTPRequest) -> HTTPResponse {
        guard let values = sceneValues(request.query["scene"]) else { return .text(400, "there is no such scene") }
        return .json(200, ["section": JSON(values.section.value), "filter": JSON(values.filter.value)])
    }

    private func changeScene(_ message: JSON) throws(SettingsEditor.Rejection) -> JSON? {
        guard let values = sceneValues(message["scene"]?.string) else { throw .invalid("there is no such scene") }
        for name in ["section", "filter"] where (message[name]?.string?.utf8.count ?? 0) > 1_000 {
            throw .invalid("the \(name) is too long")
        }
        if let section = message["section"]?.string { values.section.value = section }
        if let filter = message["filter"]?.string { values.filter.value = filter }
        return nil
    }
}
