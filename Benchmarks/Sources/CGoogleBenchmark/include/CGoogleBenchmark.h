/// A C interface to the part of Google Benchmark (Debian: libbenchmark-dev) that the benchmarks use.
///
/// A small C++ file implements it, so that Swift needs no C++ interoperability. In the timed loop only
/// `benchmark_next_batch` is called, twice.

#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// One timed run of a benchmark (benchmark::State).
typedef struct benchmark_run benchmark_run;

/// The body of a benchmark. It must call `benchmark_next_batch`.
typedef void (*benchmark_body)(void *_Nullable context, benchmark_run *_Nonnull run);

/// Registers a benchmark for `benchmark_main`; `context` is passed to its body.
void benchmark_register(const char *_Nonnull name, void *_Nullable context, benchmark_body _Nonnull body);

/// The number of iterations of this run.
int64_t benchmark_iterations(const benchmark_run *_Nonnull run);

/// Whether to run the next `count` iterations. The first call starts the clock; the call that returns false stops it
/// and must be the last.
bool benchmark_next_batch(benchmark_run *_Nonnull run, int64_t count);

/// Sets the bytes processed by all iterations of this run, for the throughput.
void benchmark_set_bytes(benchmark_run *_Nonnull run, int64_t count);

/// Reports a counter beside the times.
void benchmark_set_counter(benchmark_run *_Nonnull run, const char *_Nonnull name, double value);

/// Parses Google Benchmark's options, runs the registered benchmarks and returns the exit code: 1 for an unknown
/// option, 2 if no benchmark matches the filter.
int benchmark_main(int argc, char *_Nullable *_Nonnull argv);

/// Prevents the compiler from removing the computation of `value`.
static inline __attribute__((always_inline)) void benchmark_black_hole(const void *_Nullable value) {
    __asm__ volatile("" : : "r"(value) : "memory");
}

#ifdef __cplusplus
}
#endif
