/* SPDX-License-Identifier: GPL-2.0-only */
/* A capture that is exported while it goes on; see followed.h. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/fnv.h"
#include "base/msg.h"
#include "base/time.h"
#include "cli/traces.h"
#include "file/segments.h"
#include "request/io.h"
#include "request/ios.h"
#include "run/cards.h"
#include "run/device.h"
#include "run/reader.h"
#include "tools/btexport/checkpoint.h"
#include "tools/btexport/compact.h"
#include "tools/btexport/feed.h"
#include "tools/btexport/followed.h"
#include "tools/btexport/manifest.h"
#include "tools/btexport/naming.h"
#include "tools/btexport/operands.h"
#include "tools/btexport/options.h"
#include "tools/btexport/outputs.h"

#define STATES "manifest/follow"

enum { NAME = 128 };

struct followed {
	const struct export_options *o;
	const volatile sig_atomic_t *stop;
	char *dir;
	bool whole;		/* it is a trace, not a directory of segments */
	const char *operand;	/* the same, which names the host */
	char *state;		/* the checkpoint's path */
	bool loaded;
	struct checkpoint at;
	/* while it is read: */
	bool open;
	struct traces in;
	struct operands operands;
	char *first;		/* the first segment read */
	struct feed feed;
	struct outputs outputs;
	char *folder;		/* the output's, without a slash */
	char host[NAME];
	char joined[PATH_MAX];	/* the manifest in whose hour files were joined
				 * last, or "" */
	unsigned int read;	/* the segment read last */
	const struct segments_one *segment;	/* that is being exported */
	uint64_t rows;
};

/* --- the checkpoint ------------------------------------------------------- */

/* A name for a directory: its last part for people, and a hash of all. */
static int name_state(struct followed *f)
{
	const char *slash = strrchr(f->dir, '/');
	const char *last = slash && slash[1] ? slash + 1 : f->dir;
	char plain[NAME];
	size_t len = 0;

	for (; last[len] && len < sizeof(plain) - 1; len++)
		plain[len] = strchr("/ ", last[len]) ? '_' : last[len];
	plain[len] = '\0';
	return asprintf(&f->state, "%.*s/" STATES "/%s-%016" PRIx64,
			(int)outputs_folder_length(f->o->output),
			f->o->output, plain,
			fnv_text(FNV_BASIS, f->dir)) < 0 ? -ENOMEM : 0;
}

int followed_new(struct followed **out, const struct export_options *o,
		 const volatile sig_atomic_t *stop, const char *dir, bool whole)
{
	struct followed *f = calloc(1, sizeof(*f));

	*out = f;
	if (!f)
		return -ENOMEM;
	f->o = o;
	f->stop = stop;
	f->whole = whole;
	f->operand = f->dir = strdup(dir);
	f->folder = strndup(o->output, outputs_folder_length(o->output));
	if (f->dir && f->folder && !name_state(f))
		return 0;
	f->state = NULL;
	followed_free(f);
	*out = NULL;
	return -ENOMEM;
}

const char *followed_dir(const struct followed *f)
{
	return f->dir;
}

/* A damaged one is never written by us; what it knew cannot be guessed. */
static bool load(struct followed *f)
{
	int err;

	if (f->loaded)
		return true;
	err = checkpoint_load(&f->at, f->state);
	if (err)
		msg_warn("%s: %s: restore it, or remove it and all files of its"
			 " trace to export that anew", f->state,
			 err == -EBADMSG ? "damaged" : strerror(-err));
	f->loaded = !err;
	return !err;
}

/* --- reading -------------------------------------------------------------- */

static void close_reading(struct followed *f)
{
	if (!f->open)
		return;
	outputs_discard(&f->outputs);
	feed_free(&f->feed);
	traces_close(&f->in);
	operands_free(&f->operands);
	f->open = false;
}

/* Opens the run at a segment, whose path stays the caller's while it is read. */
static bool open_at(struct followed *f, const struct segments_one *first)
{
	const struct traces_options reading = {
		.names = &(const char *){ f->first }, .count = 1,
		.window = f->o->window, .seeks = true,
		.has_zero = f->at.last, .zero = f->at.zero,
	};

	if (operands_init(&f->operands, NULL, &f->operand, 1))
		return false;
	if (!traces_open(&f->in, &reading)) {
		operands_free(&f->operands);
		return false;
	}
	ios_hold_open(f->in.ios);
	if (feed_init(&f->feed, f->o, f->in.reader, &f->operands, false)) {
		traces_close(&f->in);
		operands_free(&f->operands);
		return false;
	}
	if (f->at.last) {
		naming_set_trace(f->feed.naming, f->at.trace);
		feed_set_start(&f->feed, f->at.timed, f->at.start);
	}
	f->outputs = (struct outputs){ .o = f->o };
	f->read = first->number;
	f->open = true;
	return true;
}

static bool open_reading(struct followed *f, const struct segments_one *first)
{
	free(f->first);
	f->first = strdup(first->path);
	if (f->first && open_at(f, first))
		return true;
	msg_warn("%s: cannot be read", first->path);
	return false;
}

static bool go_on(struct followed *f, const struct segments_one *next)
{
	int err = ios_continue(f->in.ios, next->path, f->read);

	if (err)
		msg_warn("%s: %s", next->path, strerror(-err));
	f->read = next->number;
	return !err;
}

/* 1: an I/O; 0: the segment's end; -EINTR: a signal; -EIO: failed. */
static int next_io(struct followed *f, const struct io **io)
{
	int got;

	do {
		if (*f->stop)
			return -EINTR;
		got = traces_next_io(&f->in, io);
	} while (got == -EAGAIN || got == -EINTR);
	return got < 0 ? -EIO : got;
}

/* Reads a segment that was exported before, for what is not over at its end. */
static int warm(struct followed *f)
{
	const struct point *next;
	const struct io *io;
	int got;

	while ((got = next_io(f, &io)) == 1)
		if (!feed_again(&f->feed, io))
			return -EIO;
	if (!got && (next = checkpoint_point(&f->at, f->read + 1)))
		feed_again_end(&f->feed, next->time);
	return got;
}

/* --- before a segment ----------------------------------------------------- */

static const struct segments_one *find(const struct segments *s,
				       unsigned int number)
{
	for (size_t i = 0; i < s->count; i++)
		if (s->list[i].number == number)
			return &s->list[i];
	return NULL;
}

/* the first complete one from a number on, or NULL */
static const struct segments_one *first_from(const struct segments *s,
					     unsigned int number)
{
	for (size_t i = 0; i < s->count; i++)
		if (s->list[i].number >= number &&
		    !strstr(s->list[i].path, SEGMENT_PARTIAL))
			return &s->list[i];
	return NULL;
}

/* Ids count as they did, once the point is known. */
static void count_ids(struct followed *f, unsigned int segment)
{
	const struct point *p = checkpoint_point(&f->at, segment);

	if (p)
		ios_count_from(f->in.ios, p->ids);
}

/* After a restart: reads what was exported, as far as the next one needs it. */
static int catch_up(struct followed *f, const struct segments *s)
{
	unsigned int enough = checkpoint_restart(&f->at);
	/* one more, for what the joiner learns of a device in time */
	const struct segments_one *from =
		first_from(s, enough ? enough - 1 : 0);
	int got = 0;

	if (!from || from->number > f->at.last)
		return 0;
	if (!open_reading(f, from))
		return -EIO;
	count_ids(f, f->read);
	got = warm(f);
	while (!got && f->read < f->at.last) {
		const struct segments_one *next = find(s, f->read + 1);

		if (!next)
			break;
		count_ids(f, next->number);
		got = go_on(f, next) ? warm(f) : -EIO;
	}
	if (!got && f->read < f->at.last)
		close_reading(f);
	return got;
}

/* The reader is at a segment's start. */
static int begin(struct followed *f, const struct segments *s,
		 const struct segments_one *next)
{
	int err = 0;

	if (f->at.last && next->number != f->at.last + 1) {
		msg_warn("%s: segments %u to %u are gone, and were not exported",
			 f->dir, f->at.last + 1, next->number - 1);
		close_reading(f);
	} else if (!f->open && f->at.last) {
		err = catch_up(f, s);
	}
	if (err)
		return err;
	if (f->open) {
		count_ids(f, next->number);
		return go_on(f, next) ? 0 : -EIO;
	}
	if (!open_reading(f, next))
		return -EIO;
	if (f->at.count)
		ios_count_from(f->in.ios, f->at.points[f->at.count - 1].ids);
	return 0;
}

/* --- a segment ------------------------------------------------------------ */

/* The time of the last event so far, which may have been before a restart. */
static uint64_t now(const struct followed *f)
{
	const struct checkpoint *at = &f->at;
	uint64_t before = at->count ? at->points[at->count - 1].time : 0;
	uint64_t time = ios_time(f->in.ios);

	return time > before ? time : before;
}

/* whether its card says that the capture has ended */
static bool has_end(const struct followed *f, const struct segments_one *seg)
{
	const struct devices *d = reader_devices(f->in.reader);
	char *path, why[CARD_WHY];
	struct card *card = NULL;
	bool last;

	if (!d->count || !d->list[0]->label ||
	    asprintf(&path, "%s/%s" CARD_SUFFIX, seg->path,
		     d->list[0]->label) < 0)
		return false;
	if (cards_read(&card, path, why))
		card = NULL;
	last = card_text(card, "end.cause");
	card_free(card);
	free(path);
	return last;
}

/* The first segment's first event says what the trace is. */
static void learn_trace(struct followed *f)
{
	struct checkpoint *at = &f->at;

	if (*at->trace)
		return;
	at->zero = reader_zero(f->in.reader);
	at->timed = feed_start(&f->feed, &at->start);
	strcpy(at->trace, naming_trace(f->feed.naming, 0)->text);
}

static bool open_outputs(struct followed *f, uint64_t begin)
{
	struct partition p = {
		.opener = &f->o->out.opener, .directory = f->o->output,
		.host = naming_host(f->feed.naming, 0)->text,
		.reader = f->in.reader,
		.ending = f->o->out.format->endings[0],
		.segment = f->read,
	};

	if (f->outputs.open)
		return true;
	learn_trace(f);
	snprintf(f->host, sizeof(f->host), "%s", p.host);
	p.trace = f->at.trace;
	p.has_start = f->at.timed;
	p.start = f->at.start + (int64_t)begin;
	feed_segment(&f->feed, (int32_t)f->read);
	return outputs_begin(&f->outputs, f->o, &p);
}

static int export_ios(struct followed *f, uint64_t begin)
{
	const struct io *io;
	int got;

	while ((got = next_io(f, &io)) == 1) {
		outputs_from(&f->outputs, f->in.ios);
		if (!open_outputs(f, begin) ||
		    !feed_io(&f->feed, &f->outputs, io,
			     ios_time(f->in.ios)))
			return -EIO;
		f->rows++;
	}
	return got;
}

static bool save(void *ctx, const char *manifest);

static bool finish(struct followed *f)
{
	struct manifest m = {
		.host = naming_host(f->feed.naming, 0)->text,
		.trace = f->at.trace, .format = f->o->out.format->name,
		.segment = (int32_t)f->segment->number,
		.packed = f->o->out.format->able & OUTPUT_PACKED &&
			  f->o->out.rows.packed,
	};

	inputs_print_find(&m.inputs, NULL,
			  &(const char *){ f->segment->path }, 1);
	return outputs_finish(&f->outputs, &m, save, f);
}

/* Whoever writes there reports that there is none. */
static void make_states(const struct followed *f)
{
	char *path;

	if (asprintf(&path, "%s/" STATES, f->o->output) < 0)
		return;
	opener_mkdir(&f->o->out.opener, path, 0777);
	free(path);
}

/* After a segment, before its manifest: where the next one begins. */
static bool save(void *ctx, const char *manifest)
{
	struct followed *f = ctx;
	const struct segments_one *seg = f->segment;
	uint64_t oldest = ios_oldest(f->in.ios);
	struct checkpoint *at = &f->at;
	struct point p = { .segment = seg->number + 1,
			   .time = now(f),
			   .ids = ios_ids(f->in.ios),
			   .oldest = seg->number + 1 };

	if (!at->count && checkpoint_add(at, &(struct point){
			.segment = seg->number, .oldest = seg->number }))
		return false;
	if (oldest != IO_NONE)
		p.oldest = checkpoint_segment_at(at, oldest);
	if (feed_oldest(&f->feed, &oldest) &&
	    checkpoint_segment_at(at, oldest) < p.oldest)
		p.oldest = checkpoint_segment_at(at, oldest);
	free(at->manifest);
	at->manifest = strdup(manifest);
	if (!at->manifest || checkpoint_add(at, &p)) {
		msg_warn("out of memory");
		return false;
	}
	at->last = seg->number;
	make_states(f);
	return checkpoint_save(at, &f->o->out.opener, f->state);
}

static int export_one(struct followed *f)
{
	uint64_t begin = f->at.count ?
				 f->at.points[f->at.count - 1].time : 0;
	int got = export_ios(f, begin);

	f->at.ended = !got && (f->whole || has_end(f, f->segment));
	if (f->at.ended) {
		ios_finish(f->in.ios);
		got = export_ios(f, begin);
	}
	if (got)
		return got;
	outputs_from(&f->outputs, f->in.ios);
	if (!open_outputs(f, begin) ||
	    !feed_segment_end(&f->feed, &f->outputs, f->in.ios,
			      &(struct feed_span){ begin, now(f),
						   f->at.ended }) ||
	    !finish(f))
		return -EIO;
	return 1;
}

/* Joins the files of hours that are over: when another begins, and when we have
 * just begun.  What fails is tried again with the next. */
static void join(struct followed *f)
{
	size_t hour = outputs_hour_length(f->at.manifest);
	const struct compaction c = {
		.folder = f->folder, .host = f->host, .trace = f->at.trace,
		.opener = &f->o->out.opener, .rows = &f->o->out.rows,
		.latest = f->at.ended ? NULL : f->at.manifest,
	};

	if (strcmp(f->o->out.format->name, "parquet") ||
	    (!f->at.ended && !strncmp(f->joined, f->at.manifest, hour)))
		return;
	if (compact(&c))
		snprintf(f->joined, sizeof(f->joined), "%s", f->at.manifest);
}

/* How long ago a segment got its name. */
static uint64_t age_of(const struct segments_one *seg)
{
	struct timespec now;
	struct stat st;
	int64_t ns;

	if (stat(seg->path, &st) || clock_gettime(CLOCK_REALTIME, &now))
		return 0;
	ns = (now.tv_sec - st.st_ctim.tv_sec) * (int64_t)NS_PER_SECOND +
	     now.tv_nsec - st.st_ctim.tv_nsec;
	return ns > 0 ? (uint64_t)ns : 0;
}

/* 0; -ENOENT: none; or -errno */
static int find_segments(const struct followed *f, struct segments *s)
{
	if (!f->whole)
		return segments_find(s, f->dir);
	/* the collector may have removed it */
	if (access(f->dir, F_OK))
		return -errno;
	*s = (struct segments){ .list = calloc(1, sizeof(*s->list)) };
	if (!s->list)
		return -ENOMEM;
	s->count = 1;
	s->list[0].number = 1;
	s->list[0].path = strdup(f->dir);
	if (s->list[0].path)
		return 0;
	segments_free(s);
	return -ENOMEM;
}

int followed_step(struct followed *f, struct followed_segment *about)
{
	struct segments s;
	const struct segments_one *next;
	int got;

	if (!load(f))
		return -EIO;
	if (f->at.ended || find_segments(f, &s))
		return 0;
	next = first_from(&s, f->at.last + 1);
	if (!next) {
		segments_free(&s);
		return 0;
	}
	f->segment = next;
	f->outputs.bytes = f->rows = 0;
	got = begin(f, &s, next);
	if (!got)
		got = export_one(f);
	if (got == 1)
		join(f);
	*about = (struct followed_segment){ f->rows, f->outputs.bytes,
					    age_of(next) };
	segments_free(&s);
	if (got < 0) {
		close_reading(f);
		checkpoint_free(&f->at);
		f->loaded = false;
	}
	if (f->at.ended)
		close_reading(f);
	return got;
}

void followed_free(struct followed *f)
{
	if (!f)
		return;
	close_reading(f);
	checkpoint_free(&f->at);
	free(f->first);
	free(f->state);
	free(f->folder);
	free(f->dir);
	free(f);
}
