/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The profile of a log; see profile.h.
 *
 * An access is sequential if it starts at the end of the previous one, read or
 * write; so is the first.  The four shares of a level's events add up to 1.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/msg.h"
#include "base/time.h"
#include "tools/iotracer/commands.h"
#include "tools/iotracer/found.h"
#include "tools/iotracer/line.h"
#include "tools/iotracer/log.h"
#include "tools/iotracer/options.h"
#include "tools/iotracer/output.h"
#include "tools/iotracer/profile.h"

/* --- stat ----------------------------------------------------------------- */

/* The command stat: profiles a watched file's log, a saved log, or standard
 * input. */

/* Counts, reports and skips other lines. */
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

/* Only root can see watched files; any user can profile a saved log. */
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

/* --- profile -------------------------------------------------------------- */

enum { SECTOR = 512, PAGE_BYTES = 4096 };

void profile_free(struct profile *p)
{
	for (int i = 0; i < LEVEL_COUNT; i++)
		free(p->levels[i].sizes);
	*p = (struct profile){ 0 };
}

/* --- counting ---------------------------------------------------------- */

/* The index of bytes, or where to insert it. */
static size_t size_place(const struct profile_level *v, uint64_t bytes)
{
	size_t low = 0, high = v->size_count;

	while (low < high) {
		size_t mid = (low + high) / 2;

		if (v->sizes[mid].bytes < bytes)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static int count_size(struct profile_level *v, uint64_t bytes)
{
	size_t at = size_place(v, bytes), room = v->size_room;
	struct profile_size *sizes = v->sizes;

	if (at < v->size_count && sizes[at].bytes == bytes) {
		sizes[at].events++;
		return 0;
	}
	if (v->size_count == room) {
		room = room ? 2 * room : 16;
		sizes = realloc(sizes, room * sizeof(*sizes));
		if (!sizes)
			return -ENOMEM;
		v->sizes = sizes;
		v->size_room = room;
	}
	memmove(sizes + at + 1, sizes + at,
		(v->size_count - at) * sizeof(*sizes));
	sizes[at] = (struct profile_size){ bytes, 1 };
	v->size_count++;
	return 0;
}

int profile_add(struct profile *p, const struct bpf_line *l)
{
	struct profile_level *v = &p->levels[l->level];
	unsigned int unit = l->level == LEVEL_BLK ? SECTOR : 1;
	int way = !!l->writes;

	if (!v->events)
		v->first = l->time;
	if (!v->events || v->next == l->address)
		v->in_order[way]++;
	else
		v->at_random[way]++;
	v->events++;
	v->last = l->time;
	v->next = l->address + l->size / unit;
	v->io[way] += l->size;
	return count_size(v, l->size);
}

/* --- printing ---------------------------------------------------------- */

static double share(const struct profile_level *v, uint64_t events)
{
	return (double)events / (double)v->events;
}

/* Per second, rounded; 0 if seconds is 0. */
static uint64_t rate(double amount, double seconds)
{
	return seconds > 0 ? (uint64_t)(amount / seconds + 0.5) : 0;
}

static void print_sizes(const struct profile_level *v, struct buf *out)
{
	buf_printf(out, "size distribution:\n");
	for (size_t i = 0; i < v->size_count; i++)
		if (share(v, v->sizes[i].events) >= 0.01)
			buf_printf(out, "%" PRIu64 "\t%.4f\n",
				   v->sizes[i].bytes,
				   share(v, v->sizes[i].events));
}

static void print_level(const struct profile_level *v, const char *name,
			struct buf *out)
{
	static const char *const ways[] = { "read", "write" };
	double bytes = (double)(v->io[0] + v->io[1]);
	double seconds = v->last > v->first ?
		(double)(v->last - v->first) / NS_PER_SECOND : 0;

	buf_printf(out, "\n---- %s ----\nevents=%" PRIu64 "\n", name,
		   v->events);
	buf_printf(out, "time=%.9f dtr=%" PRIu64 " iops=%" PRIu64 "\n",
		   seconds, rate(bytes / 1024, seconds),
		   rate(bytes / PAGE_BYTES, seconds));
	for (int i = 0; i < 2; i++)
		buf_printf(out, "%s: io=%" PRIu64 " seq=%.4f rand=%.4f\n",
			   ways[i], v->io[i], share(v, v->in_order[i]),
			   share(v, v->at_random[i]));
	print_sizes(v, out);
}

void profile_write(const struct profile *p, struct buf *out)
{
	static const int order[] = { LEVEL_BLK, LEVEL_MAP, LEVEL_SYNC,
				     LEVEL_VFS };

	for (size_t i = 0; i < sizeof(order) / sizeof(*order); i++)
		if (p->levels[order[i]].events)
			print_level(&p->levels[order[i]],
				    line_levels[order[i]], out);
}
