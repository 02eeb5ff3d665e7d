#pragma once

#include <stdbool.h>

/// Parses a command line with GNU conventions: options before, between and after the operands, `--name=value`,
/// unambiguous abbreviations, groups of one-letter options, and only operands after `--`.
///
/// A wrapper of getopt_long, which Swift's Glibc module does not export. Two things differ: it prints no messages, and
/// an argument that begins like a negative number (`-3`, `-.5`) is an operand. The state of getopt is global: only one
/// scan at a time, on one thread.

/// An option that a program knows.
struct argument_option {
    /// Without the two dashes.
    const char *_Nonnull name;
    /// A letter in ASCII, or 0.
    char letter;
    bool takes_value;
};

enum argument_kind {
    ARGUMENT_OPTION,
    ARGUMENT_OPERAND,
    /// Neither a known option nor an unambiguous abbreviation.
    ARGUMENT_UNKNOWN_NAME,
    ARGUMENT_UNKNOWN_LETTER,
    /// A known option that takes a value, without one.
    ARGUMENT_VALUE_MISSING,
    /// A known option that takes no value, written `--name=value`.
    ARGUMENT_VALUE_UNEXPECTED,
};

/// An element of the command line. The strings belong to the command line.
struct argument_found {
    enum argument_kind kind;
    /// The index of the known option; -1 for none.
    int option;
    /// The unknown letter; 0 for none.
    char letter;
    /// The option's value; null for none.
    const char *_Nullable value;
    /// The argument as written.
    const char *_Nonnull text;
    /// Its index in the command line.
    int index;
    /// Whether it is an operand after "--".
    bool after_dashes;
};

struct argument_scan;

/// Begins a scan of `arguments[1]` to `arguments[count - 1]`, which must outlive it. The options are copied.
/// Returns null if memory is exhausted.
struct argument_scan *_Nullable argument_scan_begin(
    int count, char *_Nullable const *_Nonnull arguments,
    const struct argument_option *_Nullable options, int option_count);

/// Returns the next element; null after the last one. The result is valid until the next call.
const struct argument_found *_Nullable argument_scan_next(struct argument_scan *_Nonnull scan);

void argument_scan_end(struct argument_scan *_Nullable scan);
