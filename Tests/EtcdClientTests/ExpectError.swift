import EtcdClient
import Testing

/// Expects that `body` throws an ``EtcdError`` with a code, and returns it.
@discardableResult
func expectError(
    _ code: EtcdError.Code, sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
) async -> EtcdError? {
    do {
        try await body()
        Issue.record("no error instead of \(code)", sourceLocation: sourceLocation)
    } catch let error as EtcdError {
        #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
        return error
    } catch {
        Issue.record(error, sourceLocation: sourceLocation)
    }
    return nil
}
