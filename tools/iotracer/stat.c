/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The command stat: the profile of a watched file's log, of a log that was
 * saved, or of standard input.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/msg.h"
#include "tools/iotracer/commands.h"
#include "tools/iotracer/found.h"
#include "tools/iotracer/line.h"
#include "tools/iotracer/log.h"
#include "tools/iotracer/missing.h"
#include "tools/iotracer/options.h"
#include "tools/iotracer/output.h"
#include "tools/iotracer/profile.h"

/* Lines of other kinds are counted, reported, and passed over. */
static int profile_text(struct profile *p, FILE *f, const char *name)
{
	unsigned long long number = 0, bad = 0, first_bad = 0;
	size_t room = 0;
	char *text = NULL;
	ssize_t len;
	int err = 0;

	while (!err && (len = getline(&text, &room, f)) > 0) {
		struct bpf_line l;

		number++;
		len -= text[len - 1] == '\n';
		if (!line_parse(&l, text, (size_t)len))
			err = profile_add(p, &l);
		else if (!bad++)
			first_bad = number;
	}
	free(text);
	if (!err && ferror(f))
		err = -EIO;
	if (err)
		msg_warn("%s: %s", name, strerror(-err));
	if (bad)
		msg_warn("%s: %llu lines are not log lines, the first is line"
			 " %llu", name, bad, first_bad);
	return err || bad;
}

static int profile_file(struct profile *p, const char *name)
{
	FILE *f = fopen(name, "re");
	int failed;

	if (!f) {
		msg_warn("%s:", name);
		return 1;
	}
	failed = profile_text(p, f, name);
	fclose(f);
	return failed;
}

static int profile_watched(struct profile *p, const struct pins *pins,
			   uint32_t file)
{
	struct bpf_line *lines;
	int64_t n = log_read(&pins->bpf, file, &lines);
	int err = n < 0 ? (int)n : 0;

	for (int64_t i = 0; !err && i < n; i++)
		err = profile_add(p, &lines[i]);
	if (n >= 0)
		free(lines);
	if (err)
		msg_warn("the log of %s: %s", pins->bpf.files[file].name,
			 strerror(-err));
	return err != 0;
}

/* Only root can ask what is watched; a saved log is for every user. */
static int profile_word(struct profile *p, const char *word)
{
	struct found found;
	struct pins pins;
	int failed;

	if (!strcmp(word, "-"))
		return profile_text(p, stdin, "standard input");
	if (geteuid() || access("/sys/fs/bpf/iotracer", F_OK) ||
	    found_open_quietly(&pins, word, &found))
		return profile_file(p, word);
	failed = profile_watched(p, &pins, found.file);
	missing_warn(&pins, found.file);
	pins_close(&pins);
	return failed;
}

int command_stat(const struct options *o)
{
	struct profile p = { 0 };
	struct buf out;
	int failed;

	if (output_open(&out))
		return 1;
	failed = profile_word(&p, o->count ? o->words[0] : "-");
	profile_write(&p, &out);
	profile_free(&p);
	return output_close(&out) | failed;
}
