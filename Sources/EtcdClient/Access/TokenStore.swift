internal import Locking

/// The token of a client, which concurrent requests share as they share one authentication.
final class TokenStore: Sendable {
    /// A token, or the fact that the cluster does not authenticate.
    struct Token: Sendable, Hashable {
        let value: String?
    }

    private typealias Authentication = Task<Result<Token, EtcdError>, Never>

    private struct State {
        var token: Token?
        var authentication: Authentication?
    }

    private let state = Lock(State())

    /// Returns the token, after an authentication if there is none.
    func token(
        _ authenticate: @escaping @Sendable () async throws(EtcdError) -> Token
    ) async throws(EtcdError) -> Token {
        let (token, authentication) = state.withLock { state -> (Token?, Authentication?) in
            if let token = state.token { return (token, nil) }
            if let running = state.authentication { return (nil, running) }
            let task = Authentication { [self] in
                let result: Result<Token, EtcdError>
                do throws(EtcdError) { result = .success(try await authenticate()) } catch { result = .failure(error) }
                finish(result)
                return result
            }
            state.authentication = task
            return (nil, task)
        }
        if let token { return token }
        return try await authentication!.value.get()
    }

    private func finish(_ result: Result<Token, EtcdError>) {
        state.withLock {
            $0.token = try? result.get()
            $0.authentication = nil
        }
    }

    /// Forgets a token that the cluster has rejected, unless it has been replaced already.
    func invalidate(_ token: Token) {
        state.withLock { if $0.token == token { $0.token = nil } }
    }
}
