/// The counter of the processor that is cheapest to read. It runs at a constant rate on the processors of the last
/// fifteen years; the unit is found by comparing it with CLOCK_MONOTONIC.

#pragma once

#include <stdint.h>
#include <time.h>

/// Reads the counter after all earlier loads have completed.
static inline __attribute__((always_inline)) uint64_t cycle_counter(void) {
#if defined(__x86_64__)
    uint32_t low, high;
    __asm__ volatile("lfence\n\trdtsc" : "=a"(low), "=d"(high) : : "memory");
    return (uint64_t)high << 32 | low;
#elif defined(__aarch64__)
    uint64_t count;
    __asm__ volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(count) : : "memory");
    return count;
#else
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
#endif
}
