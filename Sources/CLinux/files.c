#define _GNU_SOURCE
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

int clinux_open_without_links(int folder, const char *path, int flags) {
    struct open_how how = {.flags = (uint64_t)flags, .resolve = RESOLVE_NO_SYMLINKS};
    return (int)syscall(SYS_openat2, folder, path, &how, sizeof how);
}

int clinux_open_unnamed(int folder, mode_t mode) { return openat(folder, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, mode); }

int clinux_name(int descriptor, int folder, const char *name) {
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    int result = linkat(AT_FDCWD, path, folder, name, AT_SYMLINK_FOLLOW);
    /* Where /proc is not mounted; allowed to everybody since Linux 6.10. */
    if (result < 0 && errno == ENOENT) result = linkat(descriptor, "", folder, name, AT_EMPTY_PATH);
    return result;
}

int clinux_exchange(int folder, const char *one, const char *other) {
    return renameat2(folder, one, folder, other, RENAME_EXCHANGE);
}

int clinux_rename_to_free_name(int folder, const char *name, const char *new_name) {
    return renameat2(folder, name, folder, new_name, RENAME_NOREPLACE);
}

int clinux_may_write(int folder, const char *name) {
    return faccessat(folder, name, W_OK, AT_EACCESS | AT_SYMLINK_NOFOLLOW);
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

int clinux_only_grows(int folder) {
    struct statx status;
    if (statx(folder, "", AT_EMPTY_PATH, STATX_TYPE, &status) < 0) return 0;
    return (status.stx_attributes & STATX_ATTR_APPEND) != 0;
}

int clinux_has_exact_times(int folder) {
    struct utsname system;
    struct statfs description;
    if (uname(&system) < 0 || fstatfs(folder, &description) < 0) return 0;
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
