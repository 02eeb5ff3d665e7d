/*
 * Reports synchronization to the thread sanitizer that it cannot see by itself, such as that of a lock or of a published
 * pointer. Compiles to nothing in ordinary builds; pass `-Xcc -DTSAN_BUILD` together with `--sanitize thread`.
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
