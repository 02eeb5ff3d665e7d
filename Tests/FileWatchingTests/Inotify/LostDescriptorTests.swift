import Glibc
import Testing

@testable import FileWatching

@Suite struct LostDescriptorTests {
    @Test("a descriptor that somebody has closed is not closed again, since it may be another one's by now")
    func kernel() throws {
        var kernel = KernelInotify()
        try kernel.start()
        let (number, other) = (kernel.descriptor, open("/", O_RDONLY | O_CLOEXEC))
        defer { close(other) }
        // In its place, as if it had been closed and its number given out again.
        #expect(dup2(other, number) == number)
        kernel.lost()
        #expect(kernel.descriptor < 0)
        #expect(fcntl(number, F_GETFD) >= 0)
        close(number)
    }

    #if InotifyTools
    @Test("libinotifytools is tried again with every start, and used as soon as nobody else does")
    func firstChoice() async {
        await #expect(processExitsWith: .success) {
            let library = try #require(dlopen("libinotifytools.so.0", RTLD_NOW))
            func call(_ name: String) throws {
                typealias Function = @convention(c) () -> Int32
                _ = unsafeBitCast(try #require(dlsym(library, name)), to: Function.self)()
            }
            var inotify = SystemInotify()
            try call("inotifytools_initialize")
            try inotify.start()
            #expect(inotify.backend == .kernelInotify && inotify.detour?.code == .system)
            inotify.stop()
            try call("inotifytools_cleanup")
            try inotify.start()
            #expect(inotify.backend == .inotifyTools && inotify.detour == nil)
            inotify.stop()
        }
    }
    #endif
}
