#define _GNU_SOURCE
#include "CArguments.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

/// What getopt_long returns for the option with the number 0; more than any letter.
enum { FIRST_CODE = 256 };

struct argument_scan {
    int count;
    char *const *arguments;
    int option_count;
    /// With a row of zeros at the end. The names are copies.
    struct option *options;
    /// The letters as getopt wants them.
    char *letters;
    /// The number of the option that has a letter, plus one.
    int number_of_letter[FIRST_CODE];
    /// Behind "--".
    bool only_operands_follow;
    struct argument_found found;
};

static bool copy_options(struct argument_scan *scan, const struct argument_option *options) {
    scan->options = calloc((size_t)scan->option_count + 1, sizeof *scan->options);
    scan->letters = calloc((size_t)scan->option_count * 2 + 3, 1);
    if (scan->options == NULL || scan->letters == NULL) return false;

    // "-": operands are reported where they stand. ":": a missing value is told apart from an unknown option.
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
    optind = 0;          // glibc: forget an earlier scan
    next_code(scan, 1);  // a line without arguments: does nothing but set the state up, with optind at 1
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

/// The number of the option that getopt_long means by a code of ours or by a letter; -1 if there is none.
static int option_number(const struct argument_scan *scan, int code) {
    return code >= FIRST_CODE ? code - FIRST_CODE : scan->number_of_letter[(unsigned char)code] - 1;
}

/// getopt_long said that something is wrong with an argument; optopt says with which option.
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

/// Lets getopt_long read one argument, or one letter of a group; false if it was "--".
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
        };
        // getopt_long stands inside an argument only while that is a group of letters, and these are none.
        if (scan->only_operands_follow || begins_like_negative_number(scan->found.text)) {
            optind++;
            return &scan->found;
        }
        if (read_argument(scan, &scan->found)) return &scan->found;
        scan->only_operands_follow = true;
    }
    return NULL;
}
