/* SPDX-License-Identifier: GPL-2.0-only */
/* A device that is replayed on; see target.h. */
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/msg.h"
#include "tools/btreplay/target.h"

enum { REFUSED = 1, FAILED = 2 };

static int fail(const char *node, int err)
{
	msg_warn("cannot open %s: %s: Failed device open%s", node,
		 strerror(err),
		 err == ENOENT ? ", map the name to one that is here with"
		 " -M" : "");
	return FAILED;
}

static int refuse_busy(const char *node)
{
	msg_warn("%s is in use, mounted or held: nothing is written to it"
		 " (--force would)", node);
	return REFUSED;
}

/* Reads do no harm: they need no write access, and no exclusive open. */
static int flags_for(const struct target_options *o)
{
	if (o->look_only)
		return O_RDONLY | O_NONBLOCK | O_CLOEXEC;
	if (!o->write)
		return O_RDONLY | O_DIRECT | O_CLOEXEC;
	return O_RDWR | O_DIRECT | O_CLOEXEC | (o->force ? 0 : O_EXCL);
}

/* Before it is opened, so that the uses can be named. */
static int find_uses(struct target *t, const struct target_options *o)
{
	struct stat st;

	if (stat(t->node, &st))
		return fail(t->node, errno);
	if (!S_ISBLK(st.st_mode)) {
		msg_warn("%s is not a block device: Failed device open",
			 t->node);
		return FAILED;
	}
	if (guard_find(&t->uses, "", st.st_rdev)) {
		msg_warn("out of memory");
		return FAILED;
	}
	if (!o->write || o->force || o->look_only || !t->uses.count)
		return 0;
	for (unsigned int i = 0; i < t->uses.count; i++)
		msg_warn("%s is %s: nothing is written to it (--force would)",
			 t->node, t->uses.list[i].what);
	return REFUSED;
}

static int open_node(struct target *t, const struct target_options *o)
{
	unsigned long long bytes = 0;
	struct stat st;

	t->fd = open(t->node, flags_for(o));
	if (t->fd < 0)
		return errno == EBUSY ? refuse_busy(t->node) :
					fail(t->node, errno);
	/* the node might have been replaced since it was checked */
	if (fstat(t->fd, &st) || !S_ISBLK(st.st_mode) ||
	    ioctl(t->fd, BLKGETSIZE64, &bytes)) {
		msg_warn("cannot get the size of %s:", t->node);
		return FAILED;
	}
	t->sectors = bytes / 512;
	return 0;
}

int target_open(struct target *t, const char *node,
		const struct target_options *o)
{
	int status;

	*t = (struct target){ .fd = -1, .node = strdup(node) };
	if (!t->node) {
		msg_warn("out of memory");
		return FAILED;
	}
	status = find_uses(t, o);
	if (!status)
		status = open_node(t, o);
	if (status)
		target_close(t);
	return status;
}

void target_close(struct target *t)
{
	if (t->fd >= 0)
		close(t->fd);
	t->fd = -1;
	guard_free(&t->uses);
	free(t->node);
	t->node = NULL;
}
