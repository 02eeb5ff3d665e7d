#include "CGoogleBenchmark.h"

#include <benchmark/benchmark.h>

// With `valgrind --tool=callgrind --collect-atstart=no`, only the timed code is counted.
#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else
#define CALLGRIND_TOGGLE_COLLECT
#endif

namespace {

benchmark::State &state(benchmark_run *run) { return *reinterpret_cast<benchmark::State *>(run); }

const benchmark::State &state(const benchmark_run *run) { return *reinterpret_cast<const benchmark::State *>(run); }

}  // namespace

void benchmark_register(const char *name, void *context, benchmark_body body) {
    benchmark::RegisterBenchmark(name, [context, body](benchmark::State &state) {
        body(context, reinterpret_cast<benchmark_run *>(&state));
    });
}

int64_t benchmark_iterations(const benchmark_run *run) { return state(run).max_iterations; }

bool benchmark_next_batch(benchmark_run *run, int64_t count) {
    CALLGRIND_TOGGLE_COLLECT;
    return state(run).KeepRunningBatch(count);
}

void benchmark_set_bytes(benchmark_run *run, int64_t count) { state(run).SetBytesProcessed(count); }

void benchmark_set_counter(benchmark_run *run, const char *name, double value) { state(run).counters[name] = value; }

int benchmark_main(int argc, char **argv) {
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
    const size_t count = benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return count == 0 ? 2 : 0;
}
