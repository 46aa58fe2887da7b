/* SPDX-License-Identifier: GPL-2.0-only */
/* A card beside replay files; see keep_card.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <unistd.h>

#include "base/msg.h"
#include "base/place.h"
#include "file/location.h"
#include "machine/card.h"
#include "run/cards.h"
#include "tools/btrecord/keep_card.h"
#include "tools/btrecord/options.h"

/* All of a small file: 0 or -errno. */
static int copy(const char *from, int to)
{
	int fd = open(from, O_RDONLY | O_CLOEXEC), err = 0;
	ssize_t n;

	if (fd < 0)
		return -errno;
	do
		n = sendfile(to, fd, NULL, CARD_BYTES);
	while (n > 0);
	if (n < 0)
		err = -errno;
	close(fd);
	return err;
}

static int replace(const struct opener *o, const char *from, const char *path)
{
	struct place p;
	int err = place_open(&p, o, path);

	if (err)
		return err;
	err = copy(from, p.fd);
	if (!err)
		return place_commit(&p);
	place_discard(&p);
	return err;
}

void keep_card(const struct location *f, const struct record_options *o)
{
	char *from, *to = NULL, why[CARD_WHY] = "";
	struct card *c;
	int err = cards_find(f, &c, &from, why);

	card_free(c);
	if (err) {
		if (err != -ENOENT && err != -EOPNOTSUPP && from)
			msg_warn("%s: %s; it is left out", from, why);
		free(from);
		return;
	}
	if (asprintf(&to, "%s/%s.%s.json", o->to, f->name, o->base) < 0)
		msg_die("out of memory");
	err = replace(&o->opener, from, to);
	if (err)
		msg_warn("cannot write %s: %s", to, strerror(-err));
	free(to);
	free(from);
}
