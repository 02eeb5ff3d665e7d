/*
 * Read-copy-update of liburcu, in the flavour that needs no registering of threads.
 * Its readers are small enough to inline, which its licence (LGPL-2.1) allows to everybody.
 */
#pragma once
#define URCU_INLINE_SMALL_FUNCTIONS
#define _LGPL_SOURCE
#include <urcu-bp.h>

/* From here to the end of reading, nothing that was published is freed. Nests. */
static inline void rcu_begin_reading(void) { urcu_bp_read_lock(); }

static inline void rcu_end_reading(void) { urcu_bp_read_unlock(); }

/* Whether this thread is reading. */
static inline int rcu_is_reading(void) { return urcu_bp_read_ongoing(); }

/* Waits until all who are reading now have ended. */
static inline void rcu_wait_for_readers(void) { urcu_bp_synchronize_rcu(); }
