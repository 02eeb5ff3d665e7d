/* Waking a thread that polls descriptors: immediately through an eventfd, or later through a timerfd. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

/* Returns a non-blocking eventfd that exec closes; -1 with errno. */
int clinux_wakeup_open(void);

/* Makes the eventfd readable. Returns 0, or -1 with errno. */
int clinux_wakeup_send(int descriptor);

/* Makes the eventfd unreadable. */
void clinux_wakeup_clear(int descriptor);

/* Returns a non-blocking timerfd that exec closes and that becomes readable when its time has come; -1 with errno. */
int clinux_timer_open(void);

/* Sets the time of the timer, in nanoseconds from now; 0 disarms it. Makes the timerfd unreadable until then. */
void clinux_timer_set(int descriptor, int64_t nanoseconds);

/* Returns the same, marked by an interval: some decades, in nanoseconds. The mark tells it from other timerfds.
   Fails with ENOTSUP if timers fire at the next tick only, up to 10 ms late. */
int clinux_timer_open_marked(int64_t mark);

/* Sets the moment of a marked timer by the monotonic clock, in nanoseconds above 0. Makes it unreadable until then.
   Returns false if the descriptor is anything else; another timerfd is set to what remained of its time. */
bool clinux_timer_set_marked(int descriptor, int64_t mark, int64_t nanoseconds);

/* Returns whether the descriptor is the timerfd with this mark. */
bool clinux_timer_has_mark(int descriptor, int64_t mark);

/* Makes the timerfd unreadable. Returns 0, or -1 if the descriptor is not a timerfd. */
int clinux_timer_clear(int descriptor);
