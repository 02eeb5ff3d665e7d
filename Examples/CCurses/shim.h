/* Debian's ncurses with wide characters: MIT-X11 style. These functions stand for its macros, which Swift cannot see. */
#pragma once
#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <stdio.h>
#include <unistd.h>

/* Of term.h, whose macros have names such as "lines" and "columns". */
extern int setupterm(const char *name, int descriptor, int *result);

/* Whether the terminal is known by name, and can move its cursor. */
static inline _Bool curses_knows_terminal(void) {
    int result = 0;
    if (setupterm((const char *)0, STDOUT_FILENO, &result) != OK) return 0;
    const char *move_cursor = tigetstr("cup");
    return move_cursor && move_cursor != (const char *)-1;
}

/* Enters the mode in which the screen is drawn; false without memory. */
static inline _Bool curses_begin(void) {
    use_tioctl(TRUE); /* the size of the window rather than LINES and COLUMNS */
    if (!newterm((const char *)0, stdout, stdin)) return 0;
    cbreak();
    noecho();
    nonl();
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    set_escdelay(25);
    leaveok(stdscr, TRUE);
    curs_set(0);
    return 1;
}

/* Numbers the foreground colors on the terminal's own background from 1; false without colors. */
static inline _Bool curses_begin_colors(const short *colors, short count) {
    if (!has_colors() || start_color() != OK || use_default_colors() != OK) return 0;
    for (short pair = 1; pair <= count; pair++) {
        if (init_pair(pair, colors[pair - 1], -1) != OK) return 0;
    }
    return 1;
}

/* Restores the terminal; drawing after it enters the mode again. */
static inline void curses_end(void) { endwin(); }

/* Draws everything anew at the next update. */
static inline void curses_forget_screen(void) { clearok(curscr, TRUE); }

static inline int curses_rows(void) { return LINES; }
static inline int curses_columns(void) { return COLS; }

static inline void curses_erase(void) { werase(stdscr); }

static inline void curses_write(int row, int column, const char *text, chtype attributes) {
    wattrset(stdscr, (int)attributes);
    mvwaddstr(stdscr, row, column, text);
}

static inline void curses_update(void) {
    wnoutrefresh(stdscr);
    doupdate();
}

static inline chtype curses_color(short pair) { return COLOR_PAIR(pair); }
static inline chtype curses_bold(void) { return A_BOLD; }
static inline chtype curses_dim(void) { return A_DIM; }
static inline chtype curses_reverse(void) { return A_REVERSE; }
static inline chtype curses_underline(void) { return A_UNDERLINE; }

/* The next key that was pressed: a character, or a key code with is_code; false if there is none. */
static inline _Bool curses_next_key(wint_t *key, _Bool *is_code) {
    int result = wget_wch(stdscr, key);
    *is_code = result == KEY_CODE_YES;
    return result != ERR;
}
