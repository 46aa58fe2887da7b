/* SPDX-License-Identifier: GPL-2.0-only */
/* blktrace --card; see show_card.h. */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/escape.h"
#include "base/msg.h"
#include "cli/confined.h"
#include "cli/inputs.h"
#include "emit/card_words.h"
#include "file/location.h"
#include "machine/card.h"
#include "run/cards.h"
#include "tools/blktrace/options.h"
#include "tools/blktrace/show_card.h"

enum { TEXT_BUFFER = 65536, NAME_TEXT = 1024 };

struct show {
	struct buf out;
	bool any;		/* one has been printed */
};

static int complain(const char *name, const char *why)
{
	msg_warn("%s: %s", name, why);
	return -EBADMSG;
}

/* Takes c over. */
static void print_card(struct show *s, const char *path, struct card *c)
{
	char name[NAME_TEXT];

	escape_text(name, sizeof(name), path, strlen(path));
	buf_printf(&s->out, "%s%s\n", s->any ? "\n" : "", name);
	card_words_write(c, &s->out);
	s->any = true;
	card_free(c);
}

static int show_file(struct show *s, const char *path)
{
	char why[CARD_WHY];
	struct card *c;
	int err = card_read(&c, path, why);

	if (err)
		return complain(path, why);
	print_card(s, path, c);
	return 0;
}

static int show_device(struct show *s, const struct location *at)
{
	char why[CARD_WHY] = "no memory", *path;
	struct card *c;
	int err = cards_find(at, &c, &path, why);

	if (err == -ENOENT)
		err = complain(at->name ? at->name : at->path,
			       "there is no card with it");
	else if (err)
		err = complain(path ? path : at->name, why);
	else
		print_card(s, path, c);
	free(path);
	return err;
}

/* All devices that a name means, or a card by its own. */
static int show_name(struct show *s, const char *directory, const char *name)
{
	size_t len = strlen(name), tail = strlen(CARD_SUFFIX);
	struct locations l = { 0 };
	int err;

	if (len > tail && !strcmp(name + len - tail, CARD_SUFFIX))
		return show_file(s, name);
	err = locations_add(&l, directory, name);
	if (err == -ENOENT)
		err = locations_why_none(directory, name);
	if (err)
		complain(name, inputs_why(err));
	for (size_t i = 0; i < l.count; i++)
		err |= show_device(s, &l.list[i]);
	locations_free(&l);
	return err;
}

int show_cards(const struct options *o)
{
	struct show s = { .any = false };
	bool failed = false;

	confined_enter(&(struct confined){
		.traces = { .directory = o->directory, .names = o->devices,
			    .count = (size_t)o->device_count },
	});
	if (buf_init(&s.out, STDOUT_FILENO, TEXT_BUFFER))
		msg_die("out of memory");
	for (int i = 0; i < o->device_count; i++)
		failed |= show_name(&s, o->directory, o->devices[i]) != 0;
	failed |= buf_flush(&s.out) != 0;
	buf_free(&s.out);
	return failed;
}
