/* What Swift's Glibc does not show of threads. */
#pragma once

/* Names the calling thread, for /proc and debuggers; at most 15 bytes. */
void clinux_name_this_thread(const char *name);

/* Keeps every signal from the calling thread; those meant for the process go to others. */
void clinux_block_signals(void);
