/* What watching files needs and Swift's Glibc does not show. */
#pragma once
#include <poll.h>
#include <stdint.h>

/* A descriptor that stands for the thing at `path` and keeps it in existence, without opening it or following a link at
   its end; -1 with errno. */
int clinux_hold(const char *path);

/* The number of the kind of file system that `path` is on (statfs's f_type); 0 when it cannot be told. */
uint32_t clinux_file_system(const char *path);

/* How many bytes can be read from `descriptor` now; -1 when it has no such number. */
int clinux_readable_bytes(int descriptor);

/* poll(2) that waits for so many nanoseconds at most; for ever when they are negative. */
int clinux_poll(struct pollfd *requests, nfds_t count, int64_t nanoseconds);

/* A pipe, closed by exec; 0, or -1 with errno. */
int clinux_pipe(int ends[2]);
