/* SPDX-License-Identifier: GPL-2.0-only */
/* The card of a trace, kept with its replay files. */
#ifndef TOOLS_BTRECORD_KEEP_CARD_H
#define TOOLS_BTRECORD_KEEP_CARD_H

struct location;		/* file/location.h */
struct record_options;		/* tools/btrecord/options.h */

/*
 * Copies the card of a device's trace beside its replay files, where
 * btreplay looks for it.  Without one nothing is done; one that is damaged, or
 * cannot be written, is reported on stderr and left out.
 */
void keep_card(const struct location *f, const struct record_options *o);

#endif
