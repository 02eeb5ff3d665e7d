/* Functions for characters that Swift's Glibc module does not provide. */
#pragma once
#include <wchar.h>

extern int wcwidth(wchar_t character);

/* The number of columns of a character on a terminal, in the current locale; -1 for one that is not printable. */
static inline int clinux_columns(wchar_t character) { return wcwidth(character); }
