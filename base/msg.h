/* SPDX-License-Identifier: GPL-2.0-only */
/* Messages of programs on standard error; other rooms return errors. */
#ifndef BASE_MSG_H
#define BASE_MSG_H

/* one line, "program: text"; after ':' at its end, errno's text is appended */
void msg_warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* the same, then exit(1) */
void msg_die(const char *fmt, ...)
	__attribute__((noreturn, format(printf, 1, 2)));

/*
 * Opens closed standard streams on /dev/null, so that no other file gets their
 * numbers.  Returns them as bits, 1 << STDIN_FILENO and so on.
 */
unsigned int msg_guard_fds(void);

#endif
