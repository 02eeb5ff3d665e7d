/* Leases: the kernel holds back whoever opens a file, until the holder has given it free. */
#pragma once

/* Takes (F_RDLCK, F_WRLCK) or gives back (F_UNLCK) a lease; 0, or -1 with errno. */
int clinux_lease_set(int descriptor, int kind);

/* The kind of lease that would be left if the holder obeyed now; -1 with errno. */
int clinux_lease(int descriptor);

/* Sends the signals of a descriptor to the calling thread alone; 0, or -1 with errno. */
int clinux_signals_to_this_thread(int descriptor);

/* Sends the signals of a descriptor to nobody; 0, or -1 with errno. */
int clinux_signals_to_nobody(int descriptor);

/* Lets `signal` be what a descriptor sends, instead of SIGIO; 0, or -1 with errno. */
int clinux_signal_choose(int descriptor, int signal);

/* Takes what a descriptor sent from the signals that the calling thread holds back; 1 when there was something.
   `was_held`: whether the thread held the signal back before, too. */
int clinux_signal_take(int descriptor, int signal, int was_held);
