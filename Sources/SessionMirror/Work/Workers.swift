final class Workers: Sendable {
    static let shared = Workers()
    func run(_ job: @escaping @Sendable () -> Void) {}
    func run(at: Moment, _ job: @escaping @Sendable () -> Void) {}
}
