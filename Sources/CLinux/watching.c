#define _GNU_SOURCE
#include "watching.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

int clinux_hold(const char *path) { return open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC); }

uint32_t clinux_file_system(const char *path) {
    struct statfs description;
    return statfs(path, &description) == 0 ? (uint32_t)description.f_type : 0;
}

int clinux_readable_bytes(int descriptor) {
    int count;
    return ioctl(descriptor, FIONREAD, &count) == 0 ? count : -1;
}

int clinux_poll(struct pollfd *requests, nfds_t count, int64_t nanoseconds) {
    struct timespec limit = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
    return ppoll(requests, count, nanoseconds < 0 ? NULL : &limit, NULL);
}

int clinux_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }
