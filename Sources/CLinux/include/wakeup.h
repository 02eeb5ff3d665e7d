/* Waking a thread that polls descriptors: immediately through an eventfd, or later through a timerfd. */
#pragma once
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

/* Makes the timerfd unreadable. Returns 0, or -1 if the descriptor is not a timerfd. */
int clinux_timer_clear(int descriptor);
