/* Leases: the kernel blocks a process that opens a file until the holder of the lease has released it. */
#pragma once

/* Takes (F_RDLCK, F_WRLCK) or releases (F_UNLCK) a lease. Returns 0, or -1 with errno. */
int clinux_lease_set(int descriptor, int kind);

/* Returns the kind of lease that the holder may keep (F_GETLEASE); during a lease break that is the weaker kind that the
   kernel asks for. -1 with errno. */
int clinux_lease(int descriptor);

/* Directs the signals of a descriptor to the calling thread only. Returns 0, or -1 with errno. */
int clinux_signals_to_this_thread(int descriptor);

/* Stops sending the signals of a descriptor. Returns 0, or -1 with errno. */
int clinux_signals_to_nobody(int descriptor);

/* Makes a descriptor send `signal` instead of SIGIO. Returns 0, or -1 with errno. */
int clinux_signal_choose(int descriptor, int signal);

/* Removes a signal that the descriptor has sent from the pending signals of the calling thread, which blocks it. Returns 1
   if there was one. `was_held`: whether the thread blocked the signal before the lease, too. */
int clinux_signal_take(int descriptor, int signal, int was_held);
