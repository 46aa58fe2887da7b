/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of clients, used in names of directories and in messages. */
#ifndef TRANSPORT_IDENTITY_H
#define TRANSPORT_IDENTITY_H

#include <stdbool.h>
#include <stddef.h>

enum { IDENTITY = 65 };		/* with its NUL */

/* whether len bytes are valid: 1 to 64 letters, digits and ._!@:+-, not
 * starting with . or -, and so safe in scripts */
bool identity_valid(const char *bytes, size_t len);

/* copies len bytes to text; false, and text empty: invalid */
bool identity_set(char text[IDENTITY], const char *bytes, size_t len);

#endif
