/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which files a program that reads traces may make and write.  An opener, a
 * second process that knows their names, does it: the program itself may write
 * nowhere.
 */
#ifndef CLI_WRITABLE_H
#define CLI_WRITABLE_H

#include <stddef.h>

#include "base/opener.h"
#include "cli/writable_names.h"

struct places;			/* confine/places.h */

/*
 * Starts an opener for all of them, if there are any; it ends when the socket
 * is closed, at the latest with this process.  Ends the program with a message
 * if it cannot be started.
 *
 * A link in place of a named file is followed wherever it leads.  One in a
 * folder, or one that only matches a pattern, is not followed out of the
 * directories that are allowed anyway: it may be somebody else's.
 */
struct opener writable_start(const struct writable *w, size_t count);

/* Allows those that the process can only open by itself: FIFOs, devices and
 * open files by their names. */
void writable_allow(struct places *p, const struct writable *w, size_t count);

#endif
