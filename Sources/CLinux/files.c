#define _GNU_SOURCE
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/openat2.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

int clinux_open_without_links(int directory, const char *path, int flags) {
    struct open_how how = {.flags = (uint64_t)flags, .resolve = RESOLVE_NO_SYMLINKS};
    return (int)syscall(SYS_openat2, directory, path, &how, sizeof how);
}

int clinux_open_unnamed(int directory, mode_t mode) {
    return openat(directory, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
}

int clinux_link_unnamed(int descriptor, int directory, const char *name) {
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    int result = linkat(AT_FDCWD, path, directory, name, AT_SYMLINK_FOLLOW);
    /* /proc is not mounted. Unprivileged processes may do this since Linux 6.10. */
    if (result < 0 && errno == ENOENT) result = linkat(descriptor, "", directory, name, AT_EMPTY_PATH);
    return result;
}

int clinux_exchange(int directory, const char *one, const char *other) {
    return renameat2(directory, one, directory, other, RENAME_EXCHANGE);
}

int clinux_rename_to_unused(int directory, const char *name, const char *new_name) {
    return renameat2(directory, name, directory, new_name, RENAME_NOREPLACE);
}

int clinux_may_write(int directory, const char *name) {
    return faccessat(directory, name, W_OK, AT_EACCESS | AT_SYMLINK_NOFOLLOW);
}

/* Returns whether no process has the unlinked file open: the kernel sends IN_DELETE_SELF after the last close. */
static int was_closed(int watch) {
    char events[16 * sizeof(struct inotify_event)] __attribute__((aligned(__alignof__(struct inotify_event))));
    ssize_t count = read(watch, events, sizeof events);
    uint32_t seen = 0;
    for (ssize_t offset = 0; offset < count;) {
        struct inotify_event event;
        memcpy(&event, events + offset, sizeof event);
        seen |= event.mask;
        offset += (ssize_t)(sizeof event + event.len);
    }
    return (seen & IN_DELETE_SELF) && !(seen & IN_MODIFY);
}

int clinux_remove_if_unchanged(int directory, const char *name, struct timespec moment) {
    char path[32 + 256];
    snprintf(path, sizeof path, "/proc/self/fd/%d/%s", directory, name);
    int watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (watch >= 0) inotify_add_watch(watch, path, IN_DELETE_SELF | IN_MODIFY | IN_DONT_FOLLOW);
    struct stat status;
    int result = fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW);
    if (result == 0 && (status.st_ctim.tv_sec != moment.tv_sec || status.st_ctim.tv_nsec != moment.tv_nsec)) result = 2;
    if (result == 0) result = unlinkat(directory, name, 0);
    int error = errno;
    if (result == 0 && (watch < 0 || !was_closed(watch))) result = 1;
    if (watch >= 0) close(watch);
    errno = error;
    return result;
}

int clinux_lock(int descriptor, int operation) { return flock(descriptor, operation); }

int64_t clinux_largest_file(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) < 0 || limit.rlim_cur > INT64_MAX) return INT64_MAX;
    return (int64_t)limit.rlim_cur;
}

ssize_t clinux_attribute_names(int descriptor, char *names, size_t capacity) {
    return flistxattr(descriptor, names, capacity);
}

ssize_t clinux_attribute(int descriptor, const char *name, void *value, size_t capacity) {
    return fgetxattr(descriptor, name, value, capacity);
}

int clinux_attribute_set(int descriptor, const char *name, const void *value, size_t count) {
    return fsetxattr(descriptor, name, value, count, 0);
}

int clinux_attribute_remove(int descriptor, const char *name) { return fremovexattr(descriptor, name); }

int clinux_is_append_only(int directory) {
    struct statx status;
    if (statx(directory, "", AT_EMPTY_PATH, STATX_TYPE, &status) < 0) return 0;
    return (status.stx_attributes & STATX_ATTR_APPEND) != 0;
}

int clinux_has_exact_times(int directory) {
    struct utsname system;
    struct statfs description;
    if (uname(&system) < 0 || fstatfs(directory, &description) < 0) return 0;
    char *rest;
    long major = strtol(system.release, &rest, 10), minor = *rest == '.' ? strtol(rest + 1, NULL, 10) : 0;
    if (major < 6 || (major == 6 && minor < 13)) return 0;
    switch ((unsigned long)description.f_type) {
    case 0x01021994: /* tmpfs */
    case 0x58465342: /* xfs */
    case 0x9123683E: /* btrfs */
    case 0xEF53:     /* ext4 */
        return 1;
    default: return 0;
    }
}

static bool has_capabilities(void) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3];
    /* If the capabilities are unknown, apply the stricter rules. */
    if (syscall(SYS_capget, &header, sets) < 0) return true;
    const uint32_t files = 1u << CAP_CHOWN | 1u << CAP_DAC_OVERRIDE | 1u << CAP_DAC_READ_SEARCH | 1u << CAP_FOWNER;
    return (sets[0].permitted & files) != 0;
}

bool clinux_overrides_permissions(uid_t user) {
    /* Bits: the last user, the answer, and whether there is one. */
    static _Atomic uint64_t known;
    if (user == 0) return true;
    uint64_t last = atomic_load_explicit(&known, memory_order_relaxed);
    if (last >> 2 == user && (last & 1)) return (last & 2) != 0;
    bool result = has_capabilities();
    atomic_store_explicit(&known, (uint64_t)user << 2 | (result ? 3 : 1), memory_order_relaxed);
    return result;
}

int clinux_times_update(int descriptor, int is_modified) {
    struct timespec times[2] = {{.tv_nsec = UTIME_NOW}, {.tv_nsec = is_modified ? UTIME_NOW : UTIME_OMIT}};
    return futimens(descriptor, times);
}
