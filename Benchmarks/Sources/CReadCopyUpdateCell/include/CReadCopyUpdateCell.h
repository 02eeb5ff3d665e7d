/// A number in a structure that threads read by liburcu alone, without the library: the same flavor (urcu-bp), with its
/// readers inlined, as the library uses.

#pragma once

#define URCU_INLINE_SMALL_FUNCTIONS
#define _LGPL_SOURCE
#include <urcu-bp.h>

/// An immutable version of the structure.
struct rcu_cell_version {
    long port;
};

typedef struct {
    struct rcu_cell_version *_Nonnull version;
} rcu_cell;

rcu_cell *_Nonnull rcu_cell_create(long port);

/// Replaces the version, and frees the old one once no reader uses it. One writer at a time.
void rcu_cell_publish(rcu_cell *_Nonnull cell, long port);

static inline __attribute__((always_inline)) long rcu_cell_port(rcu_cell *_Nonnull cell) {
    urcu_bp_read_lock();
    long port = rcu_dereference(cell->version)->port;
    urcu_bp_read_unlock();
    return port;
}
