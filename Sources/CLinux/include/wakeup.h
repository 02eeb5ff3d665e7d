/* An eventfd: what one thread writes to wake another that polls. */
#pragma once

/* A descriptor, closed by exec and never blocking, or -1 with errno. */
int clinux_wakeup_open(void);

/* Makes the descriptor readable; 0, or -1 with errno. */
int clinux_wakeup_send(int descriptor);

/* Makes the descriptor unreadable again. */
void clinux_wakeup_clear(int descriptor);
