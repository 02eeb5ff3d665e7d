#ifndef CCOUNTING_H
#define CCOUNTING_H

/// Marks the part of a program whose costs are counted: its allocations by the program itself, its instructions and calls
/// by callgrind, its system calls by strace.
#include <stdint.h>

/// Whose costs belong to a case.
enum __attribute__((enum_extensibility(closed))) counting_scope {
    /// Those of the calling thread, which hardly vary.
    counting_thread,
    /// Those of all threads, which depend on who wakes whom.
    counting_process,
};

/// Counts from here on.
void counting_resume(enum counting_scope scope);

/// Counts no longer.
void counting_pause(enum counting_scope scope);

/// Reports what was counted since the last report as the costs of these repetitions of a case: a line of standard output
/// with the allocations, `NAME|SCOPE|REPETITIONS|ALLOCATIONS`, and a mark for the other two.
void counting_report(const char *name, enum counting_scope scope, uint64_t repetitions);

/// Makes the compiler compute the value at the address.
static inline void counting_keep(const void *value) { __asm__ volatile("" : : "r"(value) : "memory"); }

#endif
