/* One event's way through blkparse; see show.h. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/hint.h"
#include "base/msg.h"
#include "emit/dump.h"
#include "emit/format.h"
#include "emit/line.h"
#include "emit/summary.h"
#include "stats.h"
#include "tools/blkparse/options.h"
#include "tools/blkparse/show.h"
#include "tools/blkparse/track.h"
#include "trace/clock.h"
#include "trace/device.h"
#include "trace/names.h"
#include "trace/record.h"

enum {
	TEXT_BUFFER = 262144,
	COMPLAINTS = 10,	/* of one kind on stderr, then only a count */
};

/* actions that -t times; without it, only splits are followed */
#define FOLLOWED \
	(1u << BLK_TA_QUEUE | 1u << BLK_TA_GETRQ | 1u << BLK_TA_INSERT | \
	 1u << BLK_TA_ISSUE | 1u << BLK_TA_COMPLETE | \
	 1u << BLK_TA_FRONTMERGE | 1u << BLK_TA_SPLIT)

struct show {
	const struct options *o;
	bool from_pipe;
	struct names names;
	struct clock clock;
	struct stats stats;
	struct track *track;
	struct line *line;
	struct format_context format;

	struct buf text, dump;
	const char *text_name, *dump_name;
	bool dump_open;
	bool shared;		/* text and dump both go to stdout */
	FILE *added;		/* lines about files, kept for the end */
	char *added_text;
	size_t added_len;

	uint64_t start, span;	/* the window, as what is compared with */
	uint32_t actions, zones;	/* the mask, in the same way */
	bool begun;		/* the first event has come */
	bool formats, no_text;	/* as the options say */
	uint32_t followed;	/* bits of the actions that take more care */
	bool driver_data;	/* some has been passed over */
	uint64_t unknown;	/* events of unknown actions */
	bool failed;
};

/* --- outputs ------------------------------------------------------------- */

static int open_output(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);

	if (fd < 0)
		msg_die("cannot write %s:", path);
	return fd;
}

/* Without text there is no file for it. */
static void open_text(struct show *s)
{
	const char *path = s->no_text ? NULL : s->o->output;
	int fd = path ? open_output(path) : STDOUT_FILENO;

	s->text_name = path ? path : "standard output";
	if (buf_init(&s->text, fd, TEXT_BUFFER))
		msg_die("out of memory");
}

static void open_dump(struct show *s)
{
	bool to_stdout = s->o->dump && !strcmp(s->o->dump, "-");
	int fd = STDOUT_FILENO;

	if (!s->o->dump)
		return;
	if (!to_stdout)
		fd = open_output(s->o->dump);
	if (buf_init(&s->dump, fd, DUMP_BUFFER))
		msg_die("out of memory");
	s->dump_name = to_stdout ? "standard output" : s->o->dump;
	s->dump_open = true;
	s->shared = to_stdout && !s->o->output;
}

struct show *show_new(const struct options *o, bool from_pipe)
{
	struct show *s = calloc(1, sizeof(*s));

	if (!s)
		msg_die("out of memory");
	s->o = o;
	s->from_pipe = from_pipe;
	s->followed = o->sort  ? UINT32_MAX :
		      o->track ? FOLLOWED :
				 1u << BLK_TA_SPLIT;
	s->start = o->window.start;
	s->span = o->window.end - o->window.start;
	s->formats = o->formats.any;
	s->no_text = o->no_text;
	s->actions = o->mask << 16;
	s->zones = o->mask >> 16;
	open_text(s);
	open_dump(s);
	s->track = track_new(o->track);
	s->line = line_new(&s->text, &s->names);
	s->added = open_memstream(&s->added_text, &s->added_len);
	if (!s->track || !s->line || !s->added)
		msg_die("out of memory");
	s->stats.per_process = o->sort != 0;
	s->stats.by_name = o->by_name;
	s->stats.names = &s->names;
	s->format = (struct format_context){ &s->text, &s->names, &s->clock };
	return s;
}

/* Nobody reads on: we end as SIGPIPE would have ended us. */
static void end_silently(void)
{
	signal(SIGPIPE, SIG_DFL);
	raise(SIGPIPE);
	_exit(1);
}

static COLD enum show_result text_failed(struct show *s)
{
	if (s->text.error == EPIPE)
		end_silently();
	errno = s->text.error;
	if (!s->failed)
		msg_warn("cannot write %s:", s->text_name);
	s->failed = true;
	return SHOW_STOP;
}

/* The dump ends at its first error; the text goes on. */
static void check_dump(struct show *s)
{
	if (!s->dump_open || !s->dump.error)
		return;
	if (s->dump.error == EPIPE)
		end_silently();
	errno = s->dump.error;
	msg_warn("cannot write %s, the dump ends here:", s->dump_name);
	s->dump_open = false;
	s->failed = true;
}

bool show_flush(struct show *s)
{
	buf_flush(&s->text);
	if (s->dump_open) {
		buf_flush(&s->dump);
		check_dump(s);
	}
	if (s->text.error)
		text_failed(s);
	return !s->text.error;
}

void show_added(struct show *s, const char *file)
{
	FILE *to = isatty(STDOUT_FILENO) ? stdout : s->added;

	if (s->dump_open && s->dump.fd == STDOUT_FILENO) {
		buf_printf(&s->dump, "Input file %s added\n", file);
		return;
	}
	fprintf(to, "Input file %s added\n", file);
	fflush(to);
}

/* --- the dump ------------------------------------------------------------ */

static void cannot_express(struct show *s, const struct event *ev)
{
	msg_warn("%s: the %s record of CPU %u, number %u, at sector %llu has"
		 " categories that version %u cannot express; the dump ends"
		 " here", s->dump_name, event_is_note(ev) ? "note" : "event",
		 ev->cpu, ev->sequence, (unsigned long long)ev->sector,
		 s->o->record_version);
	buf_flush(&s->dump);
	s->dump_open = false;
	s->failed = true;
}

static void dump(struct show *s, const struct event *ev)
{
	size_t need = BLK_HEADER_MAX + ev->pdu_len;

	/* on one descriptor text comes before the block it belongs to */
	if (s->shared && s->dump.size - s->dump.len <= need)
		buf_flush(&s->text);
	if (dump_event(&s->dump, ev, s->o->record_version))
		cannot_express(s, ev);
	else
		check_dump(s);
}

/* The event's process is called that, if it has no name yet. */
static void learn(struct show *s, const struct event *ev, const char *name,
		  size_t len)
{
	if (names_learn(&s->names, ev->origin, ev->pid, name, len))
		line_forget_names(s->line);
}

void show_note(struct show *s, const struct event *note)
{
	switch (event_number(note)) {
	case BLK_TN_PROCESS:
		learn(s, note, (const char *)note->payload, note->pdu_len);
		break;
	case BLK_TN_TIMESTAMP:
		clock_note(&s->clock, note);
		break;
	}
	if (s->dump_open)
		dump(s, note);
}

/* --- requests ------------------------------------------------------------ */

static void complain(const struct event *ev, const struct tracked *t)
{
	static const char *const what[BLK_TA_COUNT] = {
		[BLK_TA_ISSUE] = "issue",
		[BLK_TA_COMPLETE] = "complete",
		[BLK_TA_FRONTMERGE] = "merge",
	};
	uint32_t nr = event_number(ev), n = ev->bytes >> 9;
	unsigned int major = BLK_MAJOR(ev->device);
	unsigned int minor = BLK_MINOR(ev->device);
	unsigned long long sector = ev->sector;

	if (t->missing)
		msg_warn("%s not found for (%u,%u): %llu", what[nr], major,
			 minor, nr == BLK_TA_FRONTMERGE ? sector + n : sector);
	if (t->alias)
		msg_warn("sector alias (%llu) on device %u,%u", sector, major,
			 minor);
	if (t->twice)
		msg_warn("(%u,%u) request %llu + %u: confused about %s time",
			 major, minor, sector, ev->bytes, t->twice);
}

static void keep_longest(struct waits *w, const struct tracked *t, int dir)
{
	uint64_t *longest[] = {
		[WAIT_ALLOCATION] = &w->allocation[dir],
		[WAIT_DISPATCH] = &w->dispatch[dir],
		[WAIT_COMPLETION] = &w->completion[dir],
	};

	if (t->elapsed > *longest[t->wait])
		*longest[t->wait] = t->elapsed;
}

/* Follows requests; returns the latency to show, or LINE_NO_LATENCY. */
static uint64_t follow(struct show *s, const struct event *ev)
{
	struct process_stats *p = NULL;
	struct tracked t;

	track_event(s->track, ev, &t);
	if (s->o->verbose)
		complain(ev, &t);
	/* a nameless process is given a name here, as 1.3.0 gives it one */
	if (t.created)
		learn(s, ev, "unknown", 7);
	if (!t.timed)
		return LINE_NO_LATENCY;
	if (s->stats.per_process)
		p = stats_process(&s->stats, ev->origin, t.pid);
	if (p)
		keep_longest(&p->waits, &t,
			     event_is_write(ev) ? STATS_WRITE : STATS_READ);
	return t.elapsed;
}

/* --- text ---------------------------------------------------------------- */

static void unknown_action(struct show *s, const struct event *ev)
{
	if (s->unknown++ >= COMPLAINTS)
		return;
	if (event_is_pc(ev))
		msg_warn("Bad pc action %x", event_number(ev));
	else
		msg_warn("Bad fs action %x", ev->action);
}

/* What a format asks for and cannot have ends the run, after its text. */
__attribute__((noreturn)) static void format_failed(struct show *s,
						    struct format *f,
						    enum format_result why)
{
	buf_flush(&s->text);
	show_abandon(s);
	if (why == FORMAT_NO_LATENCY)
		msg_die("Expecting elapsed value: %%u needs -t and an action"
			" that ends a wait");
	msg_die("Invalid escape char in format %c", format_bad_escape(f));
}

static enum show_result render_format(struct show *s, struct format *f,
				      const struct event *ev, uint64_t latency)
{
	enum format_result r = format_event(f, &s->format, ev, latency);

	if (r == FORMAT_NO_ROOM)
		return text_failed(s);
	if (r != FORMAT_SHOWN)
		format_failed(s, f, r);
	return SHOW_ON;
}

/* An event that has no line of the default text. */
static COLD enum show_result not_shown(struct show *s, const struct event *ev,
				       enum line_result why)
{
	if (why == LINE_NO_ROOM)
		return text_failed(s);
	if (why == LINE_HIDDEN)
		s->driver_data = true;
	else
		unknown_action(s, ev);
	return SHOW_ON;
}

static inline enum show_result render(struct show *s, struct event *ev,
				      uint64_t latency)
{
	struct format *f = NULL;
	enum line_result r;

	if (UNLIKELY(s->formats) && !event_is_note(ev))
		f = formats_for(&s->o->formats, ev);
	if (f)
		return render_format(s, f, ev, latency);
	r = line_event(s->line, ev, latency);
	return LIKELY(r == LINE_SHOWN) ? SHOW_ON : not_shown(s, ev, r);
}

/* Whether anything but counting and a line may be due: a note, a packet
 * command, an action that is followed, statistics of processes. */
static inline bool is_special(const struct show *s, const struct event *ev)
{
	const uint32_t special = BLK_TC_ACT(BLK_TC_NOTIFY) |
				 BLK_TC_ACT(BLK_TC_PC);

	return ev->action & special ||
	       s->followed >> (event_number(ev) % 32) & 1;
}

static bool is_followed(const struct event *ev, enum blk_action nr)
{
	return event_number(ev) == nr && !event_is_pc(ev) &&
	       !event_is_note(ev);
}

/*
 * Following and counting both can name the nameless, and by name (-h) it
 * matters which comes first: following, for a queue event, else counting.
 */
static APART void before_count(struct show *s, struct event *ev)
{
	if (is_followed(ev, BLK_TA_COMPLETE))
		track_widen(s->track, ev);
	else if (is_followed(ev, BLK_TA_QUEUE) && s->o->track)
		follow(s, ev);
	else if (is_followed(ev, BLK_TA_SPLIT))	/* the end is to be found */
		s->followed |= 1u << BLK_TA_COMPLETE;
}

/* As in 1.3.0, a process that is counted and has no name gets this one. */
static void name_newcomer(struct show *s, const struct event *ev)
{
	if (!s->stats.newcomer)
		return;
	learn(s, ev, "unknown", 7);
	s->stats.newcomer = false;
}

/* Its queueing and completion of a packet command still show it nameless. */
static bool named_later(const struct event *ev)
{
	uint32_t nr = event_number(ev);

	return event_is_pc(ev) &&
	       (nr == BLK_TA_QUEUE || nr == BLK_TA_COMPLETE);
}

static APART uint64_t after_count(struct show *s, const struct event *ev)
{
	if (!named_later(ev))
		name_newcomer(s, ev);
	if (event_is_note(ev) || event_is_pc(ev) ||
	    event_number(ev) == BLK_TA_QUEUE)
		return LINE_NO_LATENCY;
	if (!s->o->track && event_number(ev) != BLK_TA_SPLIT)
		return LINE_NO_LATENCY;
	return follow(s, ev);
}

static inline enum show_result show_text(struct show *s, struct lane_stats *l,
					 struct event *ev)
{
	uint64_t latency = LINE_NO_LATENCY;
	bool special = is_special(s, ev);
	enum show_result r;

	if (UNLIKELY(special))
		before_count(s, ev);
	if (!event_is_note(ev) && stats_count(&s->stats, l, ev))
		msg_die("out of memory");
	if (UNLIKELY(special))
		latency = after_count(s, ev);
	r = render(s, ev, latency);
	if (UNLIKELY(special))
		name_newcomer(s, ev);
	return r;
}

/* --- events -------------------------------------------------------------- */

/*
 * A dump's events begin at 0, but its notes keep the machine's clock: all that
 * is known is that the trace began about when the note was made.
 */
static COLD void begin(struct show *s, const struct event *ev)
{
	s->begun = true;
	s->clock.genesis = ev->time;
	if (ev->lane->filtered && s->clock.note_time > ev->time)
		s->clock.note_time = ev->time;
}

bool show_is_behind(const struct show *s, uint64_t time)
{
	return time > s->clock.genesis &&
	       time - s->clock.genesis > s->o->window.end;
}

/* Outside the window: files still tell when the last event was. */
static COLD enum show_result pass_over(struct show *s, const struct event *ev)
{
	const struct window *w = &s->o->window;

	if (!s->from_pipe) {
		struct lane_stats *l = stats_lane(&s->stats, ev->lane);

		if (l && ev->time < w->start)
			l->device->last = ev->time;
	}
	return ev->time > w->end ? SHOW_BEHIND : SHOW_ON;
}

static inline void count_event(struct device_stats *d, const struct event *ev)
{
	if (!d->events++)
		d->first = ev->time;
}

enum show_result show_event(struct show *s, struct event *ev)
{
	enum show_result r = SHOW_ON;
	struct lane_stats *l;

	if (UNLIKELY(!s->begun))
		begin(s, ev);
	ev->time -= s->clock.genesis;
	if (UNLIKELY(ev->time - s->start > s->span))
		return pass_over(s, ev);
	l = stats_lane(&s->stats, ev->lane);
	if (UNLIKELY(!l))
		msg_die("out of memory");
	l->device->last = ev->time;
	device_follow(ev);
	if (!((ev->action & s->actions) | (ev->zone & s->zones)))
		return SHOW_ON;
	count_event(l->device, ev);
	if (!s->no_text)
		r = show_text(s, l, ev);
	if (s->dump_open && !(s->o->no_messages && event_is_note(ev)))
		dump(s, ev);
	return r;
}

/* --- the end ------------------------------------------------------------- */

static void tell_holes(const struct device *dev, const struct holes *h)
{
	char name[64];

	device_text(dev, name, sizeof(name));
	for (size_t i = 0; i < h->count; i++)
		msg_warn("(%s): skipping %u -> %u", name, h->list[i].first,
			 h->list[i].last);
	if (h->more)
		msg_warn("(%s): and %llu more", name,
			 (unsigned long long)h->more);
}

static void tell_skips(const struct devices *devices)
{
	for (uint32_t i = 0; i < devices->count; i++) {
		const struct device *dev = devices->list[i];

		tell_holes(dev, &dev->holes);
		for (uint32_t cpu = 0; cpu < dev->cpus; cpu++)
			if (dev->lanes[cpu])
				tell_holes(dev, &dev->lanes[cpu]->holes);
	}
}

static void summary(struct show *s, const struct devices *devices)
{
	if (s->o->sort)
		summary_processes(&s->text, &s->stats, &s->names, s->o->sort);
	if (!s->o->quiet)
		summary_devices(&s->text, &s->stats, devices);
	summary_start(&s->text, &s->clock);
}

void show_end(struct show *s, const struct devices *devices)
{
	/* without events the trace began when its note was made */
	if (!s->begun)
		s->clock.genesis = s->clock.note_time;
	if (!s->o->no_text)
		summary(s, devices);
	if (s->o->verbose && !s->o->no_text)
		tell_skips(devices);
	if (s->unknown > COMPLAINTS)
		msg_warn("%llu events of unknown actions in all",
			 (unsigned long long)s->unknown);
	if (!show_flush(s))
		return;
	show_abandon(s);
	if (s->driver_data && !s->o->dump)
		printf("\ndiscarded traces containing low-level device driver"
		       " specific data (only available in binary output)\n");
	if (fflush(stdout) && errno == EPIPE)
		end_silently();
}

void show_abandon(struct show *s)
{
	if (s->dump_open)
		buf_flush(&s->dump);
	fclose(s->added);
	s->added = NULL;
	fwrite(s->added_text, 1, s->added_len, stdout);
	fflush(stdout);
}

bool show_free(struct show *s)
{
	bool fine = !s->failed;

	if (s->added)
		fclose(s->added);
	free(s->added_text);
	if (s->text.fd != STDOUT_FILENO && close(s->text.fd) && fine) {
		msg_warn("cannot write %s:", s->text_name);
		fine = false;
	}
	if (s->o->dump && s->dump.fd != STDOUT_FILENO)
		close(s->dump.fd);
	buf_free(&s->text);
	buf_free(&s->dump);
	line_free(s->line);
	track_free(s->track);
	stats_free(&s->stats);
	names_free(&s->names);
	free(s);
	return fine;
}
