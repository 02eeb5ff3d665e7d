import Glibc
import Locking
import TestSupport

/// One process of an ``EtcdCluster``, which can be killed and started again.
final class EtcdMember: Sendable {
    struct Ports {
        let client, peer, status: UInt16

        init() throws {
            client = try LoopbackSocket.freePort()
            peer = try LoopbackSocket.freePort()
            status = try LoopbackSocket.freePort()
        }
    }

    enum Condition { case running, paused, killed }

    private struct State {
        var program: RunningProgram?
        var isPaused = false
        var isIsolated = false
    }

    let ports: Ports
    private let arguments: [String]
    private let folder: TemporaryFolder
    private let state = Lock(State())

    /// A member that is not started yet. `folder` is that of the cluster.
    init(ports: Ports, arguments: [String], folder: TemporaryFolder) {
        (self.ports, self.arguments, self.folder) = (ports, arguments, folder)
    }

    /// Starts etcd and, beside it, a shell that waits for the end of the test process: it then kills etcd and removes the
    /// folder, even if the test process was killed.
    ///
    /// PR_SET_PDEATHSIG would not do, because it already fires when the thread ends that has started the process.
    private static let script = """
        etcd=$$
        exec 4<&0 </dev/null
        { read -r _ <&4; kill -KILL "$etcd"; rm -rf "$0"; } &
        exec 4<&-
        exec env "$@"
        """

    func start() throws {
        let etcd = try Programs.etcd.program.path
        try state.withLock { state in
            guard state.program == nil else { throw TestSupportError("this member is running already") }
            // Without variables such as ETCD_NAME, which contradict the options.
            let command = Program.emptyEnvironment + [etcd] + arguments
            state.program = try Program.shell.start(
                ["-c", Self.script, folder.path] + command, in: folder, input: .lines)
            state.isPaused = false
        }
    }

    func kill() {
        state.withLock {
            $0.program = nil
            $0.isPaused = false
        }
    }

    func pause(_ isPaused: Bool) throws {
        try state.withLock { state in
            guard let program = state.program else { throw TestSupportError("a killed member cannot be paused") }
            program.send(isPaused ? SIGSTOP : SIGCONT)
            state.isPaused = isPaused
        }
    }

    var condition: Condition {
        state.withLock { $0.program == nil ? .killed : $0.isPaused ? .paused : .running }
    }

    /// Whether the cluster holds back its traffic with other members.
    var isIsolated: Bool {
        get { state.withLock { $0.isIsolated } }
        set { state.withLock { $0.isIsolated = newValue } }
    }

    /// The ID of the process; nil if it is killed.
    var process: Int32? { state.withLock { $0.program?.identifier } }

    /// What it has written before it exited by itself; nil if it has not.
    var lastMessages: String? {
        state.withLock { state in
            guard let program = state.program, program.hasExited else { return nil }
            return (try? program.readMessages()) ?? ""
        }
    }

    /// Whether it has a leader and can make a change.
    var isHealthy: Bool {
        condition == .running
            && PlainHTTP.body(ofPort: ports.status, path: "/health", within: .seconds(2))?.contains(#""true""#) == true
    }

    /// Whether it takes itself for the leader.
    var isLeader: Bool { metrics?.contains("\netcd_server_is_leader 1\n") == true }

    /// The text of its metrics; nil if it does not answer.
    var metrics: String? { PlainHTTP.body(ofPort: ports.status, path: "/metrics", within: .seconds(2)) }
}
