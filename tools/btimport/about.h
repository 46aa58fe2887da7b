/* SPDX-License-Identifier: GPL-2.0-only */
/* What a recording was, as its trace says it: in a message and in cards. */
#ifndef TOOLS_BTIMPORT_ABOUT_H
#define TOOLS_BTIMPORT_ABOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "import/import.h"

struct sink;			/* capture/sink.h */

enum { ABOUT_TEXT = 256 };

struct about {
	/* or NULL */
	char *from, *lacks, *tool, *command, *clock, *host, *kernel;
	uint32_t cpus;
	bool wall;
};

/* copies what is known of a; 0 or -ENOMEM.  All zeros is nothing */
int about_set(struct about *to, const struct import_about *a);

/* the message that payload_imported() reads; its length */
size_t about_message(const struct about *a, char text[ABOUT_TEXT]);

struct about_device {
	const char *name;
	uint32_t number;
	uint64_t lost;		/* events, at most */
};

/* writes the card of a device to a sink that stores files aside; 0 or -errno */
int about_card(const struct about *a, struct sink *s,
	       const struct about_device *of);

void about_free(struct about *a);

#endif
