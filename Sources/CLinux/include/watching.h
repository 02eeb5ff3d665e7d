/* What watching files needs and Swift's Glibc does not show. */
#pragma once
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>

/* A descriptor that stands for the thing at `path` and keeps it in existence, without opening it or following a link at
   its end; -1 with errno. */
int clinux_hold(const char *path);

/* The number of the kind of file system that `path` is on (statfs's f_type); 0 when it cannot be told. */
uint32_t clinux_file_system(const char *path);

/* What shows that a path leads to another file, or that its file was changed. */
struct clinux_status {
    uint64_t device, inode, size;
    int64_t modified, modified_nanoseconds, changed, changed_nanoseconds;
    /* The number of the error if nothing can be told of it. */
    int32_t error;
    /* Its times show no parts of seconds. */
    bool hasWholeSeconds;
};

/* Looks at what `path` leads to; where another machine keeps it, that is asked, whatever is remembered here. */
void clinux_look(const char *path, struct clinux_status *status);

bool clinux_status_is_equal(struct clinux_status a, struct clinux_status b);

/* How many bytes can be read from `descriptor` now; -1 when it has no such number. */
int clinux_readable_bytes(int descriptor);

/* poll(2) that waits for so many nanoseconds at most; for ever when they are negative. */
int clinux_poll(struct pollfd *requests, nfds_t count, int64_t nanoseconds);

/* A pipe, closed by exec; 0, or -1 with errno. */
int clinux_pipe(int ends[2]);
