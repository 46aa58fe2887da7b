/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btrecord: makes replay files, for btreplay, of traces; see btrecord(8).
 * Finds the input of each name and passes its events to collect.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limit.h"
#include "base/msg.h"
#include "base/place.h"
#include "cli/confined.h"
#include "cli/inputs.h"
#include "cli/reading.h"
#include "file/files.h"
#include "file/hooks.h"
#include "file/location.h"
#include "file/source.h"
#include "machine/card.h"
#include "record/record.h"
#include "run/cards.h"
#include "run/device.h"
#include "run/input.h"
#include "tools/btrecord/collect.h"
#include "tools/btrecord/options.h"

/* --- keep card ------------------------------------------------------------ */

/* Copies a card, which may be in a packed file: 0 or -errno. */
static int copy(const char *from, int to)
{
	char bytes[16384];
	struct source *src;
	ssize_t n = source_open(&src, from);

	if (n)
		return (int)n;
	while ((n = source_read(src, bytes, sizeof(bytes))) > 0)
		if (write(to, bytes, (size_t)n) != n)
			n = -EIO;
	source_close(src);
	return (int)n;
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

/* Copies the card of a device's trace, if any, to its replay files, for
 * btreplay; reports a damaged one, or a failed write, and leaves it out. */
static void keep_card(const struct location *f, const struct record_options *o)
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

/* --- written -------------------------------------------------------------- */

/* The names of all files that a run may make: replay files, and directories for
 * several hosts. */

struct written {
	struct writable *list;	/* each name is owned */
	size_t count;
	char *has;		/* ".BASE." */
};

/* Takes the name over; NULL: no memory. */
static void add(struct written *w, struct writable one)
{
	struct writable *list = realloc(w->list,
					(w->count + 1) * sizeof(*list));

	if (!list || !one.name)
		msg_die("out of memory");
	list[w->count++] = one;
	w->list = list;
}

/* The directory of an input's replay files, the caller's to free. */
static char *written_directory(const struct record_options *o,
			       const struct locations *inputs,
			       unsigned int host)
{
	char *to;

	if (inputs->host_count < 2 || host + 1 == inputs->own_host)
		to = strdup(o->to);
	else if (asprintf(&to, "%s/%s", o->to, inputs->hosts[host]) < 0)
		to = NULL;
	if (!to)
		msg_die("out of memory");
	return to;
}

/* A dump's are named after its devices, which are not known yet. */
static void add_input(struct written *w, const struct record_options *o,
		      const struct locations *inputs,
		      const struct location *at)
{
	char *to = written_directory(o, inputs, at->host), *begin;
	int len = at->name ? asprintf(&begin, "%s/%s%s", to, at->name, w->has) :
			     asprintf(&begin, "%s/", to);

	if (len < 0)
		msg_die("out of memory");
	add(w, (struct writable){ .kind = WRITABLE_BEGIN, .name = begin,
				  .has = at->name ? NULL : w->has });
	if (strcmp(to, o->to))
		add(w, (struct writable){ .kind = WRITABLE_EXACT, .name = to });
	else
		free(to);
}

/* The same by its name, so that a link there is followed. */
static void add_exact(struct written *w, const char *begin, uint32_t cpu,
		      const char *suffix)
{
	char *path;

	if (asprintf(&path, "%s%u%s", begin, cpu, suffix) < 0)
		msg_die("out of memory");
	add(w, (struct writable){ .kind = WRITABLE_EXACT, .name = path });
}

/* A file of each CPU, and a card, which is made by place_open(). */
static void add_device(struct written *w, const struct record_options *o,
		       const struct locations *inputs,
		       const struct location *at)
{
	char *to = written_directory(o, inputs, at->host), *begin, *card;
	struct files f = { 0 };

	if (asprintf(&begin, "%s/%s%s", to, at->name, w->has) < 0 ||
	    asprintf(&card, "%sjson", begin) < 0)
		msg_die("out of memory");
	add(w, (struct writable){ .kind = WRITABLE_FILE, .name = card });
	/* a missing one is reported later */
	if (!location_files(at, &f))
		for (size_t i = 0; i < f.count; i++) {
			add_exact(w, begin, f.list[i].cpu, "");
			add_exact(w, begin, f.list[i].cpu, ".rec");
		}
	files_free(&f);
	free(begin);
	free(to);
}

/* Both end the program if there is no memory. */
static void written_init(struct written *w, const struct record_options *o,
			 const struct locations *inputs)
{
	*w = (struct written){ .count = 0 };
	if (asprintf(&w->has, ".%s.", o->base) < 0)
		msg_die("out of memory");
	for (size_t i = 0; i < inputs->count; i++) {
		add_input(w, o, inputs, &inputs->list[i]);
		if (inputs->list[i].name)
			add_device(w, o, inputs, &inputs->list[i]);
	}
}

static void written_free(struct written *w)
{
	for (size_t i = 0; i < w->count; i++)
		free((char *)(uintptr_t)w->list[i].name);
	free(w->list);
	free(w->has);
}

/* --- btrecord ------------------------------------------------------------- */

enum { EXIT_SYSTEM = 2 };	/* as in 1.3.0 */

struct run {
	struct record_options o;
	struct locations inputs;
	struct input *in;	/* being read */
	struct collect *take;	/* its I/Os */
	struct collect_sums sums;
	struct reading reading;
	bool damaged;
};

/* --- what names mean ----------------------------------------------------- */

/* Finds all before writing the first file. */
static void find_inputs(struct run *r)
{
	struct locations *l = &r->inputs;
	int found = 0;

	for (int i = 0; i < r->o.names.count; i++) {
		const char *name = r->o.names.list[i];
		int err = locations_add_below(l, r->o.from, name);

		if (err == -ENOMEM)
			msg_die("out of memory");
		if (err) {
			msg_warn("No traces found for %s", name);
			inputs_print_missing(*name == '/' ? NULL : r->o.from,
					     name);
			exit(1);
		}
	}
	if (r->o.find)
		found = locations_add_all(l, r->o.from);
	if (found == -ENOMEM)
		msg_die("out of memory");
	if (r->o.find && found <= 0 && !l->count)
		msg_die("Missing required input file name(s): no traces in %s",
			r->o.from);
}

/* Packed files are read only now. */
static void unpack_inputs(struct run *r)
{
	int bad = 0, err = locations_unpack(&r->inputs, &bad);

	if (err)
		msg_die("cannot read %s: %s", bad < r->o.names.count ?
			r->o.names.list[bad] : r->o.from, inputs_why(err));
}

static const char *plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

/* --- what reading reports ------------------------------------------------ */

static void on_note(void *ctx, const struct event *note)
{
	collect_note(((struct run *)ctx)->take, note);
}

static void on_damage(void *ctx, const struct damage *d)
{
	((struct run *)ctx)->damaged = true;
	inputs_print_damage(d);
}

static void on_idle(void *ctx)
{
	struct run *r = ctx;

	reading_show_input(&r->reading, r->in);
}

/* --- one input ----------------------------------------------------------- */

static bool same_file(const char *a, const char *b)
{
	struct stat x, y;

	return !stat(a, &x) && !stat(b, &y) && x.st_dev == y.st_dev &&
	       x.st_ino == y.st_ino;
}

/* With -o blktrace the replay file would be the trace. */
static void check_not_itself(const struct run *r, const struct location *f,
			     const struct file_entry *e)
{
	char *path;

	if (asprintf(&path, "%s/%s.%s.%u", r->o.to, f->name, r->o.base,
		     e->cpu) < 0)
		msg_die("out of memory");
	if (same_file(path, e->path))
		msg_die("%s is the trace itself: choose another -o", path);
	free(path);
}

/* A replay file for each CPU's file, even if that is empty. */
static int expect_files(struct run *r, const struct location *f)
{
	struct files files;
	int err = location_files(f, &files);

	if (err) {
		msg_warn("cannot read %s in %s: %s", f->name, f->dir,
			 strerror(-err));
		return err;
	}
	for (size_t i = 0; i < files.count; i++)
		check_not_itself(r, f, &files.list[i]);
	for (size_t i = 0; !err && i < files.count; i++)
		err = collect_expect(r->take, files.list[i].cpu);
	files_free(&files);
	return err;
}

static int add_to_input(struct input *in, const struct location *f)
{
	int err = input_add_location(in, f);
	char why[INPUTS_WHY];

	if (err && f->path)
		msg_warn("cannot read %s: %s", f->path,
			 inputs_why_file(err, NULL, f->path, why));
	else if (err)
		msg_warn("cannot read %s/%s: %s", f->dir, f->name,
			 inputs_why(err));
	return err;
}

static int take_events(struct run *r)
{
	struct event *ev;
	int got, err = 0;

	while (!err && (got = input_next(r->in, &ev)) != 0) {
		if (reading_due(&r->reading))
			reading_show_input(&r->reading, r->in);
		if (got == 1)
			err = collect_event(r->take, ev);
		else if (got != -EAGAIN && got != -EINTR)
			msg_die("out of memory");
	}
	return err;
}

/* 0 or an exit status; writes all that it could read. */
static int record(struct run *r, const struct location *f)
{
	const struct hooks hooks = { r, on_note, on_damage, hooks_no_added,
				     on_idle };
	const struct input_options io = { .any_cpu = true };
	int err, finished, added;

	r->in = input_new(&io, &hooks);
	r->take = collect_new(&r->o, f->name);
	if (!r->in || !r->take)
		msg_die("out of memory");
	err = f->name ? expect_files(r, f) : 0;
	added = err ? 0 : add_to_input(r->in, f);
	reading_start(&r->reading, !r->o.verbose && !r->o.no_progress);
	if (!err && !added)
		err = take_events(r);
	reading_end(&r->reading);
	finished = collect_finish(r->take, &r->sums);
	if (!err && f->name)
		keep_card(f, &r->o);
	input_free(r->in);
	collect_free(r->take);
	return err || finished ? EXIT_SYSTEM : added != 0;
}

/* With several hosts, each has a directory, as they may have disks of one name.
 * */
static int record_on_host(struct run *r, const struct location *f)
{
	const struct locations *l = &r->inputs;
	const char *all = r->o.to;
	char *to = written_directory(&r->o, l, f->host);
	int status;

	if (strcmp(to, all) && opener_mkdir(&r->o.opener, to, 0777) &&
	    errno != EEXIST)
		msg_die("cannot make the directory %s:", to);
	r->o.to = to;
	status = record(r, f);
	r->o.to = all;
	free(to);
	return status;
}

/* --- all of them --------------------------------------------------------- */

/* Reports I/Os that 1.3.0 takes for writes. */
static void tell_taken(const struct run *r)
{
	unsigned long long discards = r->sums.discards,
			   flushes = r->sums.flushes, early = r->sums.early;

	if (discards)
		msg_warn("%llu discard%s taken for writes: --exact keeps them"
			 " apart", discards, plural(discards));
	if (flushes)
		msg_warn("%llu flush%s taken for writes of 0 bytes: --exact"
			 " keeps them apart", flushes,
			 flushes == 1 ? "" : "es");
	if (early)
		msg_warn("%llu I/O%s earlier than the first of the file:"
			 " --exact puts them in order", early, plural(early));
}

static void confine(struct run *r)
{
	struct record_options *o = &r->o;
	struct written written;

	written_init(&written, o, &r->inputs);
	o->opener = confined_enter(&(struct confined){
		.traces = {
			.directory = o->from, .meaning = READABLE_BELOW,
			.names = o->names.list, .count = (size_t)o->names.count,
			.all = o->find,
		},
		.outputs = written.list, .output_count = written.count,
	});
	written_free(&written);
}

static void tell_left_out(const struct run *r)
{
	unsigned long long zones = r->sums.discards, empty = r->sums.flushes;

	if (zones)
		msg_warn("%llu zone command%s left out", zones, plural(zones));
	if (empty)
		msg_warn("%llu I/O%s of 0 bytes, and no flush%s, left out",
			 empty, plural(empty), empty == 1 ? "" : "es");
}

static void tell_sums(const struct run *r)
{
	if (r->o.builder.exact)
		tell_left_out(r);
	else
		tell_taken(r);
}

static void run_free(struct run *r)
{
	locations_free(&r->inputs);
	record_options_free(&r->o);
}

int main(int argc, char **argv)
{
	struct run r = { .damaged = false };
	int status = 0;

	msg_guard_fds();
	record_options_parse(&r.o, argc, argv);
	limit_open_files();
	find_inputs(&r);
	confine(&r);
	unpack_inputs(&r);
	for (size_t i = 0; !status && i < r.inputs.count; i++)
		status = record_on_host(&r, &r.inputs.list[i]);
	tell_sums(&r);
	run_free(&r);
	return status ? status : r.damaged;
}
