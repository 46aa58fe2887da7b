/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Landlock's three system calls; see places.h.
 *
 * The C library has no functions for them, and the kernel's header may be older
 * than the kernel, so their numbers and structures are here, from the kernel's
 * documentation.
 */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "confine/places.h"

/* the same on all machines */
enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446 };

enum { WANT_VERSION = 1, RULE_BENEATH = 1 };

enum {
	EXECUTE = 1 << 0,
	WRITE_FILE = 1 << 1,
	READ_FILE = 1 << 2,
	READ_DIR = 1 << 3,
	REMOVE_DIR = 1 << 4,
	REMOVE_FILE = 1 << 5,
	MAKE_CHAR = 1 << 6,
	MAKE_DIR = 1 << 7,
	MAKE_REG = 1 << 8,
	MAKE_SOCK = 1 << 9,
	MAKE_FIFO = 1 << 10,
	MAKE_BLOCK = 1 << 11,
	MAKE_SYM = 1 << 12,
	REFER = 1 << 13,	/* version 2: rename to another directory */
	TRUNCATE = 1 << 14,	/* version 3 */

	ALL_1 = REFER - 1,
	OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE,
	TCP = 1 << 0 | 1 << 1,	/* version 4: bind, connect */
};

struct ruleset {
	uint64_t fs;
	uint64_t net;		/* since version 4 */
};

struct beneath {
	uint64_t allowed;
	int32_t fd;
} __attribute__((packed));

static const uint64_t uses[] = {
	[PLACE_LIST] = READ_DIR,
	[PLACE_READ] = READ_DIR | READ_FILE,
	[PLACE_WRITE] = READ_FILE | WRITE_FILE | TRUNCATE,
	[PLACE_STORE] = READ_DIR | READ_FILE | WRITE_FILE | TRUNCATE |
			MAKE_DIR | MAKE_REG,
	[PLACE_KEEP] = READ_DIR | READ_FILE | WRITE_FILE | TRUNCATE |
		       MAKE_DIR | MAKE_REG | REMOVE_FILE | REMOVE_DIR | REFER,
};

int places_version(void)
{
	long version = syscall(CREATE_RULESET, NULL, 0, WANT_VERSION);

	return version > 0 ? (int)version : 0;
}

int places_open(struct places *p, bool net)
{
	int version = places_version();
	struct ruleset r = { .fs = ALL_1 };
	size_t size = version < 4 ? offsetof(struct ruleset, net) : sizeof(r);

	p->fd = -1;
	if (version == 0)
		return -ENOSYS;
	if (version >= 2)
		r.fs |= REFER;
	if (version >= 3)
		r.fs |= TRUNCATE;
	if (version >= 4 && net)
		r.net = TCP;
	p->handled = r.fs;
	p->fd = (int)syscall(CREATE_RULESET, &r, size, 0);
	return p->fd < 0 ? -errno : 0;
}

int places_allow_fd(struct places *p, int fd, enum place_use use)
{
	struct beneath rule = { uses[use] & p->handled, fd };
	struct stat st;

	if (fstat(fd, &st))
		return -errno;
	if (!S_ISDIR(st.st_mode))
		rule.allowed &= OF_FILES;
	if (!rule.allowed ||
	    !syscall(ADD_RULE, p->fd, RULE_BENEATH, &rule, 0))
		return 0;
	/* a pipe can have no rule, and needs none */
	return errno == EBADFD ? 0 : -errno;
}

int places_allow(struct places *p, const char *path, enum place_use use)
{
	int fd = open(path, O_PATH | O_CLOEXEC), err;

	if (fd < 0)
		return -errno;
	err = places_allow_fd(p, fd, use);
	close(fd);
	return err;
}

int places_enforce(struct places *p)
{
	int err = 0;

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    syscall(RESTRICT_SELF, p->fd, 0))
		err = -errno;
	places_close(p);
	return err;
}

void places_close(struct places *p)
{
	if (p->fd >= 0)
		close(p->fd);
	p->fd = -1;
}
