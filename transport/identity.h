/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a client is called: part of the names of directories, and of lines that
 * are printed.
 */
#ifndef TRANSPORT_IDENTITY_H
#define TRANSPORT_IDENTITY_H

#include <stdbool.h>
#include <stddef.h>

enum { IDENTITY = 65 };		/* with its NUL */

/*
 * Whether len bytes can be one: 1 to 64 letters, digits and ._!@:+-, the first
 * of them neither . nor -, so that scripts come to no harm.
 */
bool identity_valid(const char *bytes, size_t len);

/* len bytes into text; false, and text empty: they cannot be one */
bool identity_set(char text[IDENTITY], const char *bytes, size_t len);

#endif
