#pragma once

#include <stdbool.h>

/// Reads a command line the way GNU programs do: options before, between and behind the operands, `--name=value`,
/// unambiguous abbreviations, one-letter options in groups, and operands only behind `--`.
///
/// It is a thin layer over getopt_long, which Swift's Glibc module does not offer. Two things differ: nothing is ever
/// printed, so that the program can find its own words; and an argument that begins like a negative number (`-3`,
/// `-.5`) is an operand. The state of getopt belongs to the process: one scan at a time, on one thread.

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
    /// Neither a known option nor an abbreviation of exactly one.
    ARGUMENT_UNKNOWN_NAME,
    ARGUMENT_UNKNOWN_LETTER,
    /// A known option that takes a value, at the end of the line.
    ARGUMENT_VALUE_MISSING,
    /// A known option that takes no value, written `--name=value`.
    ARGUMENT_VALUE_UNEXPECTED,
};

/// What a scan found. The texts belong to the command line.
struct argument_found {
    enum argument_kind kind;
    /// The number of the known option; -1 where there is none.
    int option;
    /// The unknown letter; 0 where there is none.
    char letter;
    /// The option's value; null where there is none.
    const char *_Nullable value;
    /// The argument as it stands in the command line.
    const char *_Nonnull text;
    /// Where that is in the command line.
    int index;
};

struct argument_scan;

/// Begins a scan of `arguments[1]` to `arguments[count - 1]`, which must outlive it. The options are copied.
/// Null means that there is no memory.
struct argument_scan *_Nullable argument_scan_begin(
    int count, char *_Nullable const *_Nonnull arguments,
    const struct argument_option *_Nullable options, int option_count);

/// Finds the next argument; null behind the last one. The result is good until the next call.
const struct argument_found *_Nullable argument_scan_next(struct argument_scan *_Nonnull scan);

void argument_scan_end(struct argument_scan *_Nullable scan);
