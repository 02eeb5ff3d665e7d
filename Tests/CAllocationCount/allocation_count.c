#define _GNU_SOURCE
#include "CAllocationCount.h"

#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stddef.h>

#if !defined(__has_feature)
#define __has_feature(feature) 0
#endif

#if defined(__GLIBC__) && !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer) \
    && !__has_feature(memory_sanitizer) && !__has_feature(leak_sanitizer)
#define COUNTS 1
#else
#define COUNTS 0
#endif

// "initial-exec" because other ways to reach a thread's own variables may allocate.
static _Thread_local __attribute__((tls_model("initial-exec"))) allocation_count of_thread;

static struct {
    _Atomic uint64_t allocations, releases, allocated_bytes;
    _Atomic int64_t live_bytes;
} of_process;

static _Atomic bool is_enabled;

bool allocation_count_is_available(void) { return COUNTS; }

void allocation_count_set_enabled(bool enabled) {
    atomic_store_explicit(&is_enabled, enabled, memory_order_relaxed);
}

allocation_count allocation_count_of_thread(void) { return of_thread; }

allocation_count allocation_count_of_process(void) {
    return (allocation_count){
        .allocations = atomic_load_explicit(&of_process.allocations, memory_order_relaxed),
        .releases = atomic_load_explicit(&of_process.releases, memory_order_relaxed),
        .allocated_bytes = atomic_load_explicit(&of_process.allocated_bytes, memory_order_relaxed),
        .live_bytes = atomic_load_explicit(&of_process.live_bytes, memory_order_relaxed),
    };
}

#if COUNTS

// The C library's own allocator, under the names that stay when the usual ones are replaced.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);

static bool counting(void) { return atomic_load_explicit(&is_enabled, memory_order_relaxed); }

static void *given(void *block) {
    if (!block || !counting()) return block;
    size_t size = malloc_usable_size(block);
    of_thread.allocations += 1;
    of_thread.allocated_bytes += size;
    of_thread.live_bytes += (int64_t)size;
    atomic_fetch_add_explicit(&of_process.allocations, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&of_process.allocated_bytes, size, memory_order_relaxed);
    atomic_fetch_add_explicit(&of_process.live_bytes, (int64_t)size, memory_order_relaxed);
    return block;
}

static void taken_back(size_t size) {
    of_thread.releases += 1;
    of_thread.live_bytes -= (int64_t)size;
    atomic_fetch_add_explicit(&of_process.releases, 1, memory_order_relaxed);
    atomic_fetch_sub_explicit(&of_process.live_bytes, (int64_t)size, memory_order_relaxed);
}

void *malloc(size_t size) { return given(__libc_malloc(size)); }

void *calloc(size_t count, size_t size) { return given(__libc_calloc(count, size)); }

void *memalign(size_t alignment, size_t size) { return given(__libc_memalign(alignment, size)); }

void *aligned_alloc(size_t alignment, size_t size) { return given(__libc_memalign(alignment, size)); }

int posix_memalign(void **result, size_t alignment, size_t size) {
    if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) return EINVAL;
    void *block = given(__libc_memalign(alignment, size));
    if (!block) return ENOMEM;
    *result = block;
    return 0;
}

void *realloc(void *block, size_t size) {
    size_t before = block && counting() ? malloc_usable_size(block) : 0;
    void *moved = __libc_realloc(block, size);
    // A request for nothing releases the block; a request that cannot be met leaves it alone.
    if (before != 0 && (moved || size == 0)) taken_back(before);
    return given(moved);
}

void free(void *block) {
    if (block && counting()) taken_back(malloc_usable_size(block));
    __libc_free(block);
}

#endif
