#define _GNU_SOURCE
#include "watching.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

int clinux_open_path(const char *path) { return open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC); }

uint32_t clinux_file_system_type(const char *path) {
    struct statfs description;
    return statfs(path, &description) == 0 ? (uint32_t)description.f_type : 0;
}

void clinux_get_status(const char *path, struct clinux_status *status) {
    struct statx seen;
    *status = (struct clinux_status){0};
    if (statx(AT_FDCWD, path, AT_STATX_FORCE_SYNC, STATX_TYPE | STATX_INO | STATX_SIZE | STATX_MTIME | STATX_CTIME, &seen) < 0) {
        status->error = errno;
        return;
    }
    status->device = (uint64_t)seen.stx_dev_major << 32 | seen.stx_dev_minor;
    status->inode = seen.stx_ino;
    status->size = seen.stx_size;
    status->modified = seen.stx_mtime.tv_sec;
    status->modified_nanoseconds = seen.stx_mtime.tv_nsec;
    status->changed = seen.stx_ctime.tv_sec;
    status->changed_nanoseconds = seen.stx_ctime.tv_nsec;
    status->has_whole_seconds = seen.stx_mtime.tv_nsec == 0 && seen.stx_ctime.tv_nsec == 0;
}

bool clinux_status_is_equal(struct clinux_status a, struct clinux_status b) {
    return a.device == b.device && a.inode == b.inode && a.size == b.size && a.modified == b.modified &&
           a.modified_nanoseconds == b.modified_nanoseconds && a.changed == b.changed &&
           a.changed_nanoseconds == b.changed_nanoseconds && a.error == b.error;
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
