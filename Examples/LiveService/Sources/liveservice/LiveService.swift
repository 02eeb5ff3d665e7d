import Dispatch
import Foundation
import HTTPServer
import SessionMirror
import StandardFolders
import StoredValues

/// A small HTTP service that reads its settings from a session on every request.
@main
struct LiveService {
    static func main() async {
        let options = Options.ofProgram
        // Writing to a client or log reader that has gone returns an error instead.
        signal(SIGPIPE, SIG_IGN)
        raiseDescriptorLimit()
        let signals = Signals()
        do {
            try await run(options, signals)
            exit(0)
        } catch {
            try? FileHandle.standardError.write(contentsOf: Data("liveservice: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func run(_ options: Options, _ signals: Signals) async throws {
        let settings = try openSettings(options)
        let state = try Counters.open(at: options.state)
        let log = Log.standardError { settings.logLevel }
        let access = try Access(secretsAt: options.token, log)
        let service = Service(options, settings, state, access, log)
        let manager = SystemManager()
        let server = HTTPServer(log: { log.debug($0) }, handler: { service.reply(to: $0, of: $1) })
        let listening = Listening(server, log) { address in
            log.notice("listening", ["address": address])
            log.notice("administration", ["page": "\(address)/admin?token=\(access.token)"])
            service.events.addressChanged(address)
            manager.status(service.health.problem ?? "listening on \(address)")
        }
        let status: @Sendable () -> String = { service.health.problem ?? listening.status }
        let subscriptions =
            [
                observe(settings.mirror, "settings", service) { manager.status(status()) },
                observe(state.mirror, "state", service) { manager.status(status()) },
                settings.observe(\.tenants) { service.tenantsChanged($0.new) },
            ] + service.events.observe()
        try listening.start(settings.listen)
        let listenSubscription = settings.observe(\.listen, initial: true) {
            listening.change(to: $0.new)
            manager.status(status())
        }
        manager.ready(status())
        let maintenance = Task {
            var nextCleaning = ContinuousClock.now
            while (try? await Task.sleep(for: .seconds(1))) != nil {
                server.performMaintenance()
                listening.retry()
                service.events.ping()
                if ContinuousClock.now > nextCleaning {
                    // Remove the scenes of tabs that were not opened for a month.
                    _ = try? Scene.discard(olderThan: .seconds(30 * 86_400), in: state)
                    nextCleaning = .now + .seconds(86_400)
                }
            }
        }

        for await signal in signals.received {
            if signal != SIGHUP { break }
            log.notice("reloading")
            manager.reloading()
            for mirror in [settings.mirror, state.mirror] where !Signals.isStopping { await reload(mirror) }
            listening.reloadTLS()
            manager.ready(status())
        }

        // Start the watchdog first, on a thread of its own: no blocking call may delay the exit.
        let watchdog = DispatchWorkItem { _exit(1) }
        DispatchQueue(label: "watchdog").asyncAfter(deadline: .now() + .milliseconds(4_800), execute: watchdog)
        log.notice("stopping")
        manager.stopping()
        listenSubscription.cancel()
        maintenance.cancel()
        await maintenance.value
        await server.stop(within: .seconds(3))
        for subscription in subscriptions { subscription.cancel() }
        // Close both, even if one fails.
        async let isStateClosed: Void = state.close()
        async let areSettingsClosed: Void = settings.close()
        _ = try await (isStateClosed, areSettingsClosed)
        watchdog.cancel()
        log.notice("stopped")
    }

    /// Raises the limit of descriptors to the maximum: each connection takes one.
    private static func raiseDescriptorLimit() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    private static func openSettings(_ options: Options) throws -> Session<Settings> {
        // A typing error in the file must not make a service run with its defaults.
        var session = SessionOptions(start: .requireValid)
        session.secrets = Settings.secrets
        session.isReadOnly = options.isReadOnly
        session.replacing.createsDirectories = true
        return try Session(Settings(), at: options.settings, options: session) { try $0.check() }
    }

    /// Logs what a session reports about its file, and records its status.
    private static func observe(
        _ mirror: FileMirror, _ name: String, _ service: Service, then body: @escaping @Sendable () -> Void
    ) -> Subscription {
        mirror.observe { report in
            switch report {
            case .problem(let problem):
                service.log.log(problem.severity == .error ? .error : .warning, problem.description)
            case .recovered(let problem): service.log.notice("solved: \(problem.message)", ["file": problem.file])
            case .status(let status):
                switch service.health.record(status, of: name) {
                case true?: service.log.warning("the file was deleted: the last values stay in effect", ["file": name])
                case false?: service.log.notice("the file is there again", ["file": name])
                case nil: service.log.debug("\(name): \(status)")
                }
            }
            body()
        }
    }

    /// Reloads a file, and waits until it is loaded.
    private static func reload(_ mirror: FileMirror) async {
        let before = mirror.metrics.loads
        mirror.reload()
        let end = ContinuousClock.now + .seconds(2)
        while mirror.metrics.loads == before, ContinuousClock.now < end, !Signals.isStopping {
            try? await Task.sleep(for: .milliseconds(2))
        }
    }
}
