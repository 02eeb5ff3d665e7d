internal import CLinux
internal import Glibc

/// One call of `posix_spawn`.
final class Spawn {
    private var attributes = posix_spawnattr_t()
    private var actions = posix_spawn_file_actions_t()
    /// Duplicated descriptors, closed once the program runs.
    private var copies: [Int32] = []

    init(keepingIgnored: [Int32]) throws(SpawnFailure) {
        try require(posix_spawnattr_init(&attributes))
        try require(posix_spawn_file_actions_init(&actions))
        var (none, defaults) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&defaults)
        for number in keepingIgnored { sigdelset(&defaults, number) }
        try require(posix_spawnattr_setsigmask(&attributes, &none))
        try require(posix_spawnattr_setsigdefault(&attributes, &defaults))
        try require(posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)))
    }

    deinit {
        for copy in copies { close(copy) }
        posix_spawn_file_actions_destroy(&actions)
        posix_spawnattr_destroy(&attributes)
    }

    /// Returns the process id. The program gets `descriptors` as 0, 1, 2 and so on.
    func run(
        _ program: String, _ arguments: [String], _ environment: [String]?, _ descriptors: [Int32]
    ) throws(SpawnFailure) -> pid_t {
        for (number, descriptor) in descriptors.enumerated() { try give(descriptor, as: Int32(number)) }
        try require(clinux_spawn_close_from(&actions, Int32(descriptors.count)))
        let words = try CStrings([program] + arguments)
        let variables = try environment.map { variables throws(SpawnFailure) in try CStrings(variables) }
        var process: pid_t = 0
        try require(
            posix_spawnp(
                &process, words.pointers[0]!, &actions, &attributes, words.pointers, variables?.pointers ?? environ))
        return process
    }

    /// Passes a duplicate above the target range if the numbers differ, because descriptors may be permuted.
    private func give(_ descriptor: Int32, as number: Int32) throws(SpawnFailure) {
        // A closed descriptor stays closed.
        if descriptor == number, fcntl(descriptor, F_GETFD) < 0 { return }
        var source = descriptor
        if descriptor != number {
            source = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
            guard source >= 0 else { throw SpawnFailure(number: errno) }
            copies.append(source)
        }
        try require(posix_spawn_file_actions_adddup2(&actions, source, number))
    }
}

/// An `errno`.
struct SpawnFailure: Error {
    let number: Int32
}

private func require(_ error: Int32) throws(SpawnFailure) {
    if error != 0 { throw SpawnFailure(number: error) }
}

/// A null-terminated array of C strings.
private final class CStrings {
    let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    private let count: Int

    init(_ texts: [String]) throws(SpawnFailure) {
        if texts.contains(where: { $0.utf8.contains(0) }) { throw SpawnFailure(number: EINVAL) }
        count = texts.count
        pointers = .allocate(capacity: count + 1)
        for (number, text) in texts.enumerated() { (pointers + number).initialize(to: strdup(text)) }
        (pointers + count).initialize(to: nil)
    }

    deinit {
        for number in 0..<count { free(pointers[number]) }
        pointers.deallocate()
    }
}
