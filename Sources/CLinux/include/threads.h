/* What Swift's Glibc does not show of threads. */
#pragma once

/* Names the calling thread, for /proc and debuggers; at most 15 bytes. */
void clinux_name_this_thread(const char *name);
