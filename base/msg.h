/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Messages for people: one whole line on standard error, the program's name
 * first.  Programs speak; rooms return errors and leave the words to them.
 */
#ifndef BASE_MSG_H
#define BASE_MSG_H

/* one line, "program: text"; a text that ends in ':' gets errno's appended */
void msg_warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* the same, then exit(1) */
void msg_die(const char *fmt, ...)
	__attribute__((noreturn, format(printf, 1, 2)));

/*
 * Standard input, output and error are open afterwards, on /dev/null if they
 * were closed: no file of ours may ever get their numbers.  The ones that were
 * closed, as bits: 1 << STDIN_FILENO and so on.
 */
unsigned int msg_guard_fds(void);

#endif
