/* System calls for watching files that Swift's Glibc module does not provide. */
#pragma once
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>

/* Returns a descriptor that refers to the inode at `path` and keeps it in existence, without opening the file or following
   a link at the end of the path (O_PATH); -1 with errno. */
int clinux_open_path(const char *path);

/* Returns the type of the file system that holds `path` (f_type of statfs(2)); 0 if that fails. */
uint32_t clinux_file_system_type(const char *path);

/* The attributes of a file that differ if the path leads to another file or the file has changed. */
struct clinux_status {
    uint64_t device, inode, size;
    int64_t modified, modified_nanoseconds, changed, changed_nanoseconds;
    /* The errno value if the attributes cannot be read. */
    int32_t error;
    /* Whether the timestamps have no fractions of seconds. */
    bool has_whole_seconds;
};

/* Reads the attributes of the file at `path`. A network file system queries its server, whatever is cached here. */
void clinux_get_status(const char *path, struct clinux_status *status);

bool clinux_status_is_equal(struct clinux_status a, struct clinux_status b);

/* Returns the number of bytes that can be read from `descriptor` now; -1 if it has no such number (FIONREAD). */
int clinux_readable_bytes(int descriptor);

/* poll(2) with a timeout in nanoseconds. A negative timeout means no timeout. */
int clinux_poll(struct pollfd *requests, nfds_t count, int64_t nanoseconds);

/* Creates a pipe that exec closes. Returns 0, or -1 with errno. */
int clinux_pipe(int ends[2]);
