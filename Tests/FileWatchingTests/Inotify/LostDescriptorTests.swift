import Glibc
import Testing

@testable import FileWatching

@Suite struct LostDescriptorTests {
    @Test("A descriptor that other code has closed is not closed again")
    func kernel() throws {
        let kernel = KernelInotify()
        try kernel.start()
        let (number, other) = (kernel.descriptor, open("/", O_RDONLY | O_CLOEXEC))
        defer { close(other) }
        // Simulates that the descriptor was closed and its number reused.
        #expect(dup2(other, number) == number)
        kernel.descriptorLost()
        #expect(kernel.descriptor < 0)
        #expect(fcntl(number, F_GETFD) >= 0)
        close(number)
    }

    #if InotifyTools
    @Test("Each start tries libinotifytools and uses it when no other code does")
    func firstChoice() async {
        await #expect(processExitsWith: .success) {
            let library = try #require(dlopen("libinotifytools.so.0", RTLD_NOW))
            func call(_ name: String) throws {
                typealias Function = @convention(c) () -> Int32
                _ = unsafeBitCast(try #require(dlsym(library, name)), to: Function.self)()
            }
            let inotify = AutomaticInotify()
            try call("inotifytools_initialize")
            try inotify.start()
            #expect(inotify.backend == .kernelInotify && inotify.fallbackReason?.code == .system)
            inotify.stop()
            try call("inotifytools_cleanup")
            try inotify.start()
            #expect(inotify.backend == .inotifyTools && inotify.fallbackReason == nil)
            inotify.stop()
        }
    }
    #endif
}
