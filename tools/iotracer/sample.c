/* SPDX-License-Identifier: GPL-2.0-only */
/* A file of a watched directory's filesystem; see sample.h. */
#include <fcntl.h>
#include <fts.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bpf/bpf.h"
#include "tools/iotracer/sample.h"
#include "tools/iotracer/watched.h"

enum { ENTRIES_MAX = 4096 };	/* that are looked at */

/* whether it is a file of the same filesystem; closes it */
static bool learn(struct watched *t, struct bpf *b, int fd)
{
	struct bpf_found found;
	struct stat st;
	bool good;

	if (fd < 0)
		return false;
	good = !fstat(fd, &st) && S_ISREG(st.st_mode) &&
		!bpf_file_find(b, fd, &found) &&
		found.superblock == t->found.superblock;
	close(fd);
	if (!good)
		return false;
	t->found.read_iter = found.read_iter;
	t->found.write_iter = found.write_iter;
	t->found.splice_read = found.splice_read;
	return true;
}

static bool learn_below(struct watched *t, struct bpf *b)
{
	char *const paths[] = { (char *)t->path, NULL };
	FTS *tree = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR | FTS_XDEV,
			     NULL);
	bool learnt = false;
	FTSENT *e;

	for (int i = 0; tree && !learnt && i < ENTRIES_MAX; i++) {
		e = fts_read(tree);
		if (!e)
			break;
		if (e->fts_info == FTS_F)
			learnt = learn(t, b, open(e->fts_accpath, O_RDONLY |
						  O_NONBLOCK | O_CLOEXEC |
						  O_NOFOLLOW | O_NOCTTY));
	}
	if (tree)
		fts_close(tree);
	return learnt;
}

void sample_take(struct watched *t, struct bpf *b)
{
	t->found.read_iter = 0;
	t->found.write_iter = 0;
	t->found.splice_read = 0;
	if (!learn_below(t, b))
		learn(t, b, open(t->path, O_TMPFILE | O_RDWR | O_CLOEXEC,
				 0600));
}
