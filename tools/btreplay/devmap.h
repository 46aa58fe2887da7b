/*
 * Which device the I/Os of a recorded one go to.
 */
#ifndef TOOLS_BTREPLAY_DEVMAP_H
#define TOOLS_BTREPLAY_DEVMAP_H

#include <stddef.h>

struct devmap_pair {
	char *from, *to;
};

/* an all-zero struct devmap maps every name to itself */
struct devmap {
	struct devmap_pair *pairs;
	size_t count;
};

/*
 * Adds what a file has: pairs of words, the recorded name and the one to
 * replay on, both without /dev/.  0 or -errno; -ENODATA: a word without its
 * partner.
 */
int devmap_read(struct devmap *m, const char *path);

/* what name is mapped to, by the first pair that fits; or name itself */
const char *devmap_find(const struct devmap *m, const char *name);

/*
 * The path of a device's node, the caller's to free.  Where /dev/NAME is not
 * there, every '_' stands for a '/', as in cciss_c0d0.  NULL: no memory, or
 * errno is EINVAL: the name leads out of /dev.
 */
char *devmap_node(const char *name);

void devmap_free(struct devmap *m);

#endif
