/// The part of Google Benchmark (Debian: libbenchmark-dev) that the benchmarks use, as plain C.
///
/// Google Benchmark is a C++ library. Behind this header stands a thin C++ file, so that Swift needs no C++
/// interoperability. Nothing here is called while a loop is timed, but for `benchmark_next_batch` twice.

#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// One run of one benchmark: a number of iterations under the clock (benchmark::State).
typedef struct benchmark_run benchmark_run;

/// What a benchmark does when it runs. It must let the clock run with `benchmark_next_batch`.
typedef void (*benchmark_body)(void *_Nullable context, benchmark_run *_Nonnull run);

/// Adds a benchmark, to be run by `benchmark_main`; `context` is handed to its body.
void benchmark_register(const char *_Nonnull name, void *_Nullable context, benchmark_body _Nonnull body);

/// How many iterations this run should do.
int64_t benchmark_iterations(const benchmark_run *_Nonnull run);

/// True when the next `count` iterations are to be done. The first call starts the clock, the one that says false
/// stops it and must be the last.
bool benchmark_next_batch(benchmark_run *_Nonnull run, int64_t count);

/// Says how many bytes all iterations of this run went through, to be reported as bytes per second.
void benchmark_set_bytes(benchmark_run *_Nonnull run, int64_t count);

/// Reports another number beside the times.
void benchmark_set_counter(benchmark_run *_Nonnull run, const char *_Nonnull name, double value);

/// Reads Google Benchmark's own options, runs what was registered and returns the exit code: 1 for an unknown option,
/// 2 when nothing matched the filter.
int benchmark_main(int argc, char *_Nullable *_Nonnull argv);

/// Makes the compiler believe that what lies at `value` is read, so that it cannot leave out working it out.
static inline __attribute__((always_inline)) void benchmark_keep(const void *_Nullable value) {
    __asm__ volatile("" : : "r"(value) : "memory");
}

#ifdef __cplusplus
}
#endif
