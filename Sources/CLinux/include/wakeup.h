/* What one thread does to wake another that polls: at once by an eventfd, later by a timerfd. */
#pragma once
#include <stdint.h>

/* A descriptor, closed by exec and never blocking, or -1 with errno. */
int clinux_wakeup_open(void);

/* Makes the descriptor readable; 0, or -1 with errno. */
int clinux_wakeup_send(int descriptor);

/* Makes the descriptor unreadable again. */
void clinux_wakeup_clear(int descriptor);

/* A descriptor that becomes readable when its time has come; -1 with errno. */
int clinux_alarm_open(void);

/* Its time comes in so many nanoseconds; with 0 not any more. Not readable until then. */
void clinux_alarm_set(int descriptor, int64_t nanoseconds);

/* Makes the descriptor unreadable again; 0, or -1 when it is no alarm. */
int clinux_alarm_clear(int descriptor);
