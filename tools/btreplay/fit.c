/* SPDX-License-Identifier: GPL-2.0-only */
/* A device beside the recorded one; see fit.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/msg.h"
#include "base/sysfs.h"
#include "machine/card.h"
#include "tools/btreplay/fit.h"
#include "tools/btreplay/options.h"
#include "tools/btreplay/target.h"

enum { SECTOR = 512 };

typedef unsigned long long ull;

/* The card of that name, if there is one that can be read. */
static struct card *read_card(const char *dir, const char *name,
			      const char *base)
{
	char *path, why[CARD_WHY];
	struct card *c = NULL;
	int err;

	if (asprintf(&path, "%s/%s.%s.json", dir, name, base) < 0)
		return NULL;
	err = card_read(&c, path, why);
	if (err && err != -ENOENT && err != -EOPNOTSUPP)
		msg_warn("%s: %s; it is not compared", path, why);
	free(path);
	return c;
}

static void compare_size(const char *name, const struct card *c,
			 const struct target *t)
{
	uint64_t was, is = t->sectors * SECTOR;

	if (card_number(c, "device.size", &was) && was != is)
		msg_warn("%s: was recorded on a device of %llu bytes, but %s"
			 " has %llu", name, (ull)was, t->node, (ull)is);
}

/* A partition has the blocks of its disk. */
static void compare_blocks(const char *name, const struct card *c,
			   const struct target *t)
{
	static const struct {
		const char *keys[2], *files[2], *words;
	} blocks[] = {
		{ { "device.logical_block_size",
		    "device.disk.logical_block_size" },
		  { "queue/logical_block_size",
		    "../queue/logical_block_size" }, "logical" },
		{ { "device.physical_block_size",
		    "device.disk.physical_block_size" },
		  { "queue/physical_block_size",
		    "../queue/physical_block_size" }, "physical" },
	};
	struct stat st;

	if (stat(t->node, &st))
		return;
	for (size_t i = 0; i < sizeof(blocks) / sizeof(*blocks); i++) {
		uint64_t was, is;

		if (!card_number(c, blocks[i].keys[0], &was) &&
		    !card_number(c, blocks[i].keys[1], &was))
			continue;
		if (sysfs_number(st.st_rdev, blocks[i].files[0], &is) &&
		    sysfs_number(st.st_rdev, blocks[i].files[1], &is))
			continue;
		if (was != is)
			msg_warn("%s: was recorded on %s blocks of %llu bytes,"
				 " but %s has %llu", name, blocks[i].words,
				 (ull)was, t->node, (ull)is);
	}
}

void fit_check(const struct replay_options *o, const char *name,
	       const struct target *t)
{
	struct card *c = read_card(o->dir, name, o->base);

	if (!c)
		c = read_card(o->dir, name, "blktrace");
	if (!c)
		return;
	compare_size(name, c, t);
	compare_blocks(name, c, t);
	card_free(c);
}
