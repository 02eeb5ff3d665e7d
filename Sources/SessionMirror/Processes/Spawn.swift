internal import CLinux
internal import Glibc

/// One call of `posix_spawn`.
final class Spawn {
    private var attributes = posix_spawnattr_t()
    private var actions = posix_spawn_file_actions_t()
    /// Duplicated descriptors, closed once the program runs.
    private var copies: [Int32] = []

    init(keepingIgnored: [Int32], inNewGroup: Bool) throws(SpawnFailure) {
        try require(posix_spawnattr_init(&attributes))
        try require(posix_spawn_file_actions_init(&actions))
        var (none, defaults) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&defaults)
        for number in keepingIgnored { sigdelset(&defaults, number) }
        try require(posix_spawnattr_setsigmask(&attributes, &none))
        try require(posix_spawnattr_setsigdefault(&attributes, &defaults))
        // The group 0 is a new one.
        let group = inNewGroup ? POSIX_SPAWN_SETPGROUP : 0
        try require(
            posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | group)))
    }

    deinit {
        for copy in copies { close(copy) }
        posix_spawn_file_actions_destroy(&actions)
        posix_spawnattr_destroy(&attributes)
    }

    /// Returns the process id. The program gets `descriptors` as 0, 1, 2 and so on.
    func run(
        _ program: String, _ arguments: [String], _ variables: CStrings, _ descriptors: [Int32]
    ) throws(SpawnFailure) -> pid_t {
        for (number, descriptor) in descriptors.enumerated() { try give(descriptor, as: Int32(number)) }
        try require(clinux_spawn_close_from(&actions, Int32(descriptors.count)))
        let words = try CStrings([program] + arguments)
        var process: pid_t = 0
        try require(
            posix_spawnp(
                &process, words.pointers[0]!, &actions, &attributes, words.pointers, variables.pointers))
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
final class CStrings {
    let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    private let count: Int

    private init(_ strings: [UnsafeMutablePointer<CChar>?]) {
        count = strings.count
        pointers = .allocate(capacity: count + 1)
        for (number, string) in strings.enumerated() { (pointers + number).initialize(to: string) }
        (pointers + count).initialize(to: nil)
    }

    convenience init(_ texts: [String]) throws(SpawnFailure) { self.init(try texts.map(Self.copy)) }

    /// The variables of an environment, by default of this process, with others set or removed. Those of this process may
    /// be any bytes.
    convenience init(environment: [String]?, setting variables: [String: String?]) throws(SpawnFailure) {
        var strings: [UnsafeMutablePointer<CChar>?] = []
        if let environment {
            strings = try environment.filter { !Self.isAssignment($0, toOneOf: variables) }.map(Self.copy)
        } else {
            var next = environ
            while let string = next.pointee {
                if !Self.isAssignment(String(cString: string), toOneOf: variables) { strings.append(strdup(string)) }
                next += 1
            }
        }
        for case (let name, let value?) in variables { strings.append(try Self.copy("\(name)=\(value)")) }
        self.init(strings)
    }

    private static func copy(_ text: String) throws(SpawnFailure) -> UnsafeMutablePointer<CChar>? {
        if text.utf8.contains(0) { throw SpawnFailure(number: EINVAL) }
        return strdup(text)
    }

    private static func isAssignment(_ text: String, toOneOf variables: [String: String?]) -> Bool {
        !variables.isEmpty && variables.keys.contains { text.utf8.starts(with: "\($0)=".utf8) }
    }

    deinit {
        for number in 0..<count { free(pointers[number]) }
        pointers.deallocate()
    }
}
