#ifndef ALLOCATION_COUNT_H
#define ALLOCATION_COUNT_H

#include <stdbool.h>
#include <stdint.h>

/// What a thread or the whole process has done with the heap while counting was switched on.
///
/// Linking this target into a program replaces malloc and its relatives by functions that pass on to the C library and
/// count. For programs that test and measure only, never for a library's product. Take one reading before and one
/// after what is to be measured, and subtract:
///
///     allocation_count_set_enabled(true);
///     uint64_t before = allocation_count_of_thread().allocations;
///     work();
///     uint64_t spent = allocation_count_of_thread().allocations - before;
typedef struct {
    /// Calls that gave memory: malloc, calloc, realloc, and the aligned kinds. A realloc of a block counts as one
    /// allocation and one release, wherever the block ends up.
    uint64_t allocations;
    /// Blocks given back.
    uint64_t releases;
    /// Bytes given in all, as large as the C library made the blocks.
    uint64_t allocated_bytes;
    /// Bytes given and not given back. Negative where blocks are released that others allocated, or that were
    /// allocated before counting was switched on; only differences mean something.
    int64_t live_bytes;
} allocation_count;

/// Whether anything can be counted. Nothing is where a sanitizer brings its own malloc, nor without the GNU C library;
/// every count is then 0.
bool allocation_count_is_available(void);

/// Switches counting on or off, for all threads. It begins switched off, so that timed code pays for one branch.
void allocation_count_set_enabled(bool enabled);

/// What the calling thread has done. Exact, and undisturbed by other threads.
allocation_count allocation_count_of_thread(void);

/// What all threads have done. While others run, the numbers need not belong to one and the same moment.
allocation_count allocation_count_of_process(void);

#endif
