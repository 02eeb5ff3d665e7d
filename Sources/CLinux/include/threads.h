/* System calls for threads that Swift's Glibc module does not provide. */
#pragma once

/* Sets the name of the calling thread, which /proc and debuggers show; at most 15 bytes. */
void clinux_name_this_thread(const char *name);
