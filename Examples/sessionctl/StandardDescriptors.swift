import Glibc

/// Standard input, output and error, as the program finds them.
enum StandardDescriptors {
    /// Fills those that are closed with what cannot be used, so that no file which is opened later takes their number
    /// and is then written to as the output.
    static func occupy() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 && errno == EBADF {
            // the lowest free number, which is this one
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}
