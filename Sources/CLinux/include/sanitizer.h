/*
 * What the thread sanitizer cannot see by itself: that something (a lock, a pointer that is published) orders what
 * threads do. Nothing in ordinary builds; `-Xcc -DTSAN_BUILD` goes with `--sanitize thread`.
 */
#pragma once

#ifdef TSAN_BUILD
extern void __tsan_acquire(void *address);
extern void __tsan_release(void *address);
static inline void clinux_sanitizer_acquire(const void *address) { __tsan_acquire((void *)address); }
static inline void clinux_sanitizer_release(const void *address) { __tsan_release((void *)address); }
#else
static inline void clinux_sanitizer_acquire(const void *address) { (void)address; }
static inline void clinux_sanitizer_release(const void *address) { (void)address; }
#endif
