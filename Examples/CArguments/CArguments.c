#define _GNU_SOURCE
#include "CArguments.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

/// The code for getopt_long of the first option; greater than any letter.
enum { FIRST_CODE = 256 };

struct argument_scan {
    int count;
    char *const *arguments;
    int option_count;
    /// Terminated by a zeroed element. The names are copies.
    struct option *options;
    /// The option string of getopt.
    char *letters;
    /// The index of the option with the letter, plus one.
    int number_of_letter[FIRST_CODE];
    /// After "--".
    bool only_operands_follow;
    struct argument_found found;
};

static bool copy_options(struct argument_scan *scan, const struct argument_option *options) {
    scan->options = calloc((size_t)scan->option_count + 1, sizeof *scan->options);
    scan->letters = calloc((size_t)scan->option_count * 2 + 3, 1);
    if (scan->options == NULL || scan->letters == NULL) return false;

    // "-": report operands in order. ":": distinguish a missing value from an unknown option.
    char *end = stpcpy(scan->letters, "-:");
    for (int i = 0; i < scan->option_count; i++) {
        scan->options[i] = (struct option){
            .name = strdup(options[i].name),
            .has_arg = options[i].takes_value ? required_argument : no_argument,
            .val = FIRST_CODE + i,
        };
        if (scan->options[i].name == NULL) return false;
        if (options[i].letter == 0) continue;
        scan->number_of_letter[(unsigned char)options[i].letter] = i + 1;
        *end++ = options[i].letter;
        if (options[i].takes_value) *end++ = ':';
    }
    return true;
}

static int next_code(const struct argument_scan *scan, int count) {
    return getopt_long(count, scan->arguments, scan->letters, scan->options, NULL);
}

struct argument_scan *argument_scan_begin(
    int count, char *const *arguments, const struct argument_option *options, int option_count) {
    struct argument_scan *scan = calloc(1, sizeof *scan);
    if (scan == NULL) return NULL;
    scan->count = count;
    scan->arguments = arguments;
    scan->option_count = option_count;
    if (!copy_options(scan, options)) {
        argument_scan_end(scan);
        return NULL;
    }
    opterr = 0;
    optind = 0;          // glibc: reset the state of an earlier scan
    next_code(scan, 1);  // initializes the state, with optind at 1
    return scan;
}

void argument_scan_end(struct argument_scan *scan) {
    if (scan == NULL) return;
    for (int i = 0; scan->options != NULL && i < scan->option_count; i++) free((char *)scan->options[i].name);
    free(scan->options);
    free(scan->letters);
    free(scan);
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool begins_like_negative_number(const char *text) {
    return text[0] == '-' && (is_digit(text[1]) || (text[1] == '.' && is_digit(text[2])));
}

/// The index of the option for a code or letter from getopt_long; -1 for none.
static int option_number(const struct argument_scan *scan, int code) {
    return code >= FIRST_CODE ? code - FIRST_CODE : scan->number_of_letter[(unsigned char)code] - 1;
}

/// Describes an error of getopt_long; optopt is the option.
static void describe_mistake(const struct argument_scan *scan, int code, struct argument_found *found) {
    if (code == ':') {
        found->kind = ARGUMENT_VALUE_MISSING;
        found->option = option_number(scan, optopt);
    } else if (optopt == 0) {
        found->kind = ARGUMENT_UNKNOWN_NAME;
    } else if (optopt >= FIRST_CODE) {
        found->kind = ARGUMENT_VALUE_UNEXPECTED;
        found->option = option_number(scan, optopt);
    } else {
        found->kind = ARGUMENT_UNKNOWN_LETTER;
        found->letter = (char)optopt;
    }
}

/// Reads one argument, or one letter of a group, with getopt_long; false for "--".
static bool read_argument(const struct argument_scan *scan, struct argument_found *found) {
    int code = next_code(scan, scan->count);
    switch (code) {
    case -1:
        return false;
    case 1:
        break;
    case '?':
    case ':':
        describe_mistake(scan, code, found);
        break;
    default:
        found->kind = ARGUMENT_OPTION;
        found->option = option_number(scan, code);
        found->value = optarg;
    }
    return true;
}

const struct argument_found *argument_scan_next(struct argument_scan *scan) {
    while (optind < scan->count) {
        scan->found = (struct argument_found){
            .kind = ARGUMENT_OPERAND,
            .option = -1,
            .text = scan->arguments[optind],
            .index = optind,
            .after_dashes = scan->only_operands_follow,
        };
        // getopt_long is inside an argument only for a group of letters, which these are not.
        if (scan->only_operands_follow || begins_like_negative_number(scan->found.text)) {
            optind++;
            return &scan->found;
        }
        if (read_argument(scan, &scan->found)) return &scan->found;
        scan->only_operands_follow = true;
    }
    return NULL;
}
