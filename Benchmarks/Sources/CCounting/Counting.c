#include "CCounting.h"

#include <CAllocationCount.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <valgrind/callgrind.h>

static uint64_t allocations, allocations_before;

// Writing to no descriptor fails, and appears in the output of strace.
static void mark(const char *text) {
    ssize_t result = write(-1, text, strlen(text));
    (void)result;
}

static uint64_t allocations_of(enum counting_scope scope) {
    allocation_count count = scope == counting_thread ? allocation_count_of_thread() : allocation_count_of_process();
    return count.allocations;
}

void counting_resume(enum counting_scope scope) {
    mark("resume");
    allocation_count_set_enabled(true);
    allocations_before = allocations_of(scope);
    CALLGRIND_START_INSTRUMENTATION;
}

void counting_pause(enum counting_scope scope) {
    CALLGRIND_STOP_INSTRUMENTATION;
    allocations += allocations_of(scope) - allocations_before;
    allocation_count_set_enabled(false);
    mark("pause");
}

void counting_report(const char *name, enum counting_scope scope, uint64_t repetitions) {
    char text[200];
    const char *scope_name = scope == counting_thread ? "thread" : "process";
    snprintf(text, sizeof text, "%s|%s|%llu", name, scope_name, (unsigned long long)repetitions);
    mark(text);
    CALLGRIND_DUMP_STATS_AT(text);
    CALLGRIND_ZERO_STATS;
    printf("%s|%llu\n", text, (unsigned long long)allocations);
    fflush(stdout);
    allocations = 0;
}
