/* Debian's libinotifytools: GPL-2. */
#pragma once
#include <inotifytools/inotify.h>
#include <inotifytools/inotifytools.h>

/* Whether anybody in this process has started the library; it shows that by a variable of this name. */
extern int initialized;
static inline _Bool inotifytools_is_initialized(void) { return initialized != 0; }

/* Swift cannot see a member without a length. */
static inline const char *inotifytools_event_name(const struct inotify_event *event) {
    return event->len ? event->name : 0;
}
