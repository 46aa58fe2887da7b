/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Perfetto traces; see perfetto.h.
 *
 * traced_probes reads the buffers of one CPU after the other, and then again.
 * When a CPU's bundle follows one of a higher number, a round has begun:
 * nothing in it is earlier than the latest before the round before.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/hash.h"
#include "import/binary.h"
#include "import/faults.h"
#include "import/import.h"
#include "import/perfetto.h"
#include "import/perfetto_event.h"
#include "import/tracing.h"

enum {
	PACKET_MAX = 64 << 20,	/* bytes, also unpacked */
	FIRST_ROOM = 1 << 20,
	HELD = 8 * ORDER_MAX,	/* two rounds of a large machine's buffers */
	ENOUGH = 4096,		/* events to know by what is not recorded */
	TEXT = 128,
	PACKET_KEY = 0x0a,	/* field 1, bytes */
};

/* fields of a packet */
enum {
	FTRACE = 1,
	CLOCKS = 6,
	SEQUENCE = 10,
	STATS = 34,
	DROPPED = 42,
	SYSTEM = 45,
	COMPRESSED = 50,
};

/* of a bundle */
enum { CPU = 1, EVENT = 2, LOST = 3, CLOCK = 5 };

/* Perfetto's numbers of clocks */
enum { REAL = 1, MONO_RAW = 5, BOOT = 6, CLOCKS_MAX = 8 };

struct bytes {
	uint8_t *at;
	size_t len, room;
};

struct perfetto {
	const struct import_to *to;
	struct binary b;
	struct import_faults faults;
	struct import_about about;
	struct tracing tracing;
	struct bytes packet, unpacked;
	char kernel[TEXT], tool[TEXT];
	uint64_t at;		/* the packet's byte */
	bool inside;		/* a compressed one */
	uint64_t clocks[CLOCKS_MAX];	/* at one time; 0: unknown */
	uint64_t shift;		/* ns to add to times */
	uint32_t cpu;		/* of the bundle before */
	uint64_t newest, round;	/* ns: the latest, and at the last round */
	struct hash sequences;	/* that were seen */
	uint64_t lost, counted;	/* events, by bundles and by the kernel */
	uint64_t events;
	uint32_t groups;	/* of these */
	bool told;
};

static int damage(struct perfetto *p, const char *why)
{
	return import_faults_add(&p->faults, p->at, why);
}

/* --- what is known of it -------------------------------------------------- */

static void copy_text(char to[TEXT], const struct proto_field *f)
{
	if (f->is_bytes)
		snprintf(to, TEXT, "%.*s", (int)proto_len(&f->in),
			 (const char *)f->in.at);
}

static int read_names(struct perfetto *p, struct proto m)
{
	struct proto_field f;
	int n;

	while ((n = proto_next(&m, &f)) > 0)
		if (f.number == 3)
			copy_text(p->kernel, &f);
	return n;
}

/* utsname (1), Perfetto's version (4), the number of CPUs (8) */
static int read_system(struct perfetto *p, struct proto m)
{
	struct proto_field f;
	int n;

	while ((n = proto_next(&m, &f)) > 0) {
		if (f.number == 1 && f.is_bytes)
			n = read_names(p, f.in);
		else if (f.number == 4)
			copy_text(p->tool, &f);
		else if (f.number == 8)
			p->about.cpus = (uint32_t)f.n;
		if (n < 0)
			break;
	}
	return n;
}

/* a clock (1): its number (1) and time (2) */
static int read_clock(struct perfetto *p, struct proto m)
{
	struct proto_field f;
	uint64_t number = 0, time = 0;
	int n;

	while ((n = proto_next(&m, &f)) > 0) {
		if (f.number == 1)
			number = f.n;
		else if (f.number == 2)
			time = f.n;
	}
	if (!n && number < CLOCKS_MAX)
		p->clocks[number] = time;
	return n;
}

/* all clocks at one time; the first such time counts */
static int read_clocks(struct perfetto *p, struct proto m)
{
	struct proto_field f;
	int n;

	if (p->clocks[REAL])
		return 0;
	while ((n = proto_next(&m, &f)) > 0) {
		if (f.number == 1 && f.is_bytes)
			n = read_clock(p, f.in);
		if (n < 0)
			break;
	}
	return n;
}

/* the clock of ftrace's events, by a bundle's number of it */
static void set_clock(struct perfetto *p, uint64_t number)
{
	static const struct {
		const char *name;
		unsigned int clock;	/* 0: of no known one */
	} names[] = {
		{ "boot", BOOT }, { "unknown", 0 }, { "global", 0 },
		{ "local", 0 }, { "mono_raw", MONO_RAW },
	};
	size_t i = number < sizeof(names) / sizeof(*names) ? number : 1;
	uint64_t then = p->clocks[names[i].clock];

	p->about.clock = names[i].name;
	p->about.wall = names[i].clock && then && p->clocks[REAL];
	p->shift = p->about.wall ? p->clocks[REAL] - then : 0;
}

static const char *or_null(const char *text)
{
	return *text ? text : NULL;
}

static int tell_about(struct perfetto *p, bool known)
{
	char lacks[TRACEPOINTS_LACK];

	p->about.from = "Perfetto";
	p->about.tool = *p->tool ? p->tool : "Perfetto";
	p->about.kernel = or_null(p->kernel);
	if (known && tracepoints_lack(p->groups | tracepoints_rare(), lacks))
		p->about.lacks = lacks;
	p->told = true;
	return p->to->about(p->to->ctx, &p->about);
}

/* --- bundles -------------------------------------------------------------- */

/* What is true of a bundle, whose fields come in any order. */
struct bundle {
	uint32_t cpu;
	uint64_t clock;
	bool lossy;
};

static int survey(struct proto m, struct bundle *b)
{
	struct proto_field f;
	int n;

	*b = (struct bundle){ .cpu = 0 };
	while ((n = proto_next(&m, &f)) > 0) {
		if (f.number == CPU)
			b->cpu = (uint32_t)f.n;
		else if (f.number == LOST)
			b->lossy |= f.n != 0;
		else if (f.number == CLOCK)
			b->clock = f.n;
	}
	return n;
}

static int add_event(struct perfetto *p, struct perfetto_event *e,
		     struct bundle *b)
{
	struct trace_place at = { .time = e->time + p->shift, .cpu = b->cpu,
				  .pid = e->pid };
	struct trace_values values = perfetto_event_values(e);
	const char *why;
	int err = 0;

	if (b->lossy)
		err = tracing_lost(&p->tracing, &at, 1);
	p->lost += b->lossy;
	b->lossy = false;
	if (at.time > p->newest)
		p->newest = at.time;
	p->groups |= 1u << e->tracepoint->group;
	p->events++;
	if (!err && !p->told && p->events > ENOUGH)
		err = tell_about(p, true);
	if (!err)
		err = tracing_add(&p->tracing, &at, e->tracepoint, &values,
				  &why);
	if (err != -EBADMSG)
		return err;
	damage(p, why);
	return 0;
}

static int read_events(struct perfetto *p, struct proto m, struct bundle *b)
{
	struct perfetto_event e;
	struct proto_field f;
	int n, err = 0;

	while (!err && (n = proto_next(&m, &f)) > 0) {
		if (f.number != EVENT || !f.is_bytes)
			continue;
		n = perfetto_event_read(&e, f.in);
		if (n < 0)
			damage(p, "a damaged event");
		else if (n)
			err = add_event(p, &e, b);
	}
	return err;
}

static int begin_round(struct perfetto *p)
{
	int err = p->told ? tracing_release(&p->tracing, p->round) : 0;

	p->round = p->newest;
	return err;
}

static int read_bundle(struct perfetto *p, struct proto m, bool dropped)
{
	struct bundle b;
	int err = survey(m, &b);

	if (err)
		return damage(p, "a damaged bundle of events");
	if (!p->about.clock)
		set_clock(p, b.clock);
	b.lossy |= dropped;
	if (b.cpu < p->cpu)
		err = begin_round(p);
	p->cpu = b.cpu;
	return err ? err : read_events(p, m, &b);
}

/* --- losses --------------------------------------------------------------- */

/* overrun (3), commit overrun (4), dropped events (8) of a CPU */
static int count_cpu(struct proto m, uint64_t *lost)
{
	struct proto_field f;
	int n;

	while ((n = proto_next(&m, &f)) > 0)
		if (f.number == 3 || f.number == 4 || f.number == 8)
			*lost += f.n;
	return n;
}

/* A phase (1), which is 1 at the start and 2 at the end, and CPUs (2). */
static int read_stats(struct perfetto *p, struct proto m)
{
	struct proto_field f;
	uint64_t lost = 0, phase = 0;
	int n;

	while ((n = proto_next(&m, &f)) > 0) {
		if (f.number == 1)
			phase = f.n;
		else if (f.number == 2 && f.is_bytes)
			n = count_cpu(f.in, &lost);
		if (n < 0)
			return n;
	}
	if (phase == 1)
		p->counted -= lost;
	else if (phase == 2)
		p->counted += lost;
	return n;
}

/* --- packets -------------------------------------------------------------- */

struct packet {
	uint64_t sequence;
	bool dropped;		/* packets of its sequence before it */
};

static int survey_packet(struct proto m, struct packet *k)
{
	struct proto_field f;
	int n;

	*k = (struct packet){ .sequence = 0 };
	while ((n = proto_next(&m, &f)) > 0) {
		if (f.number == SEQUENCE)
			k->sequence = f.n;
		else if (f.number == DROPPED)
			k->dropped = f.n != 0;
	}
	return n;
}

/* Whether packets are missing: the first of a sequence says so, too. */
static int check_sequence(struct perfetto *p, struct packet *k)
{
	if (hash_get_number(&p->sequences, k->sequence) >= 0)
		return 0;
	k->dropped = false;
	return hash_put_number(&p->sequences, k->sequence, 0);
}

static int read_compressed(struct perfetto *p, struct proto m);

static int read_part(struct perfetto *p, const struct proto_field *f,
		     bool dropped)
{
	if (!f->is_bytes)
		return 0;
	switch (f->number) {
	case FTRACE:
		return read_bundle(p, f->in, dropped);
	case CLOCKS:
		return read_clocks(p, f->in);
	case STATS:
		return read_stats(p, f->in);
	case SYSTEM:
		return read_system(p, f->in);
	case COMPRESSED:
		return read_compressed(p, f->in);
	default:
		return 0;
	}
}

static int read_packet(struct perfetto *p, struct proto m)
{
	struct proto_field f;
	struct packet k;
	int err = survey_packet(m, &k);

	if (!err)
		err = check_sequence(p, &k);
	while (!err && proto_next(&m, &f) > 0) {
		err = read_part(p, &f, k.dropped);
		k.dropped = k.dropped && f.number != FTRACE;
	}
	if (err != -EBADMSG)
		return err;
	damage(p, "a damaged packet");
	return 0;
}

static int reserve(struct bytes *to, size_t len)
{
	size_t room = to->room ? to->room : FIRST_ROOM;
	uint8_t *at;

	while (room < len)
		room *= 2;
	if (room == to->room)
		return 0;
	at = realloc(to->at, room);
	if (!at)
		return -ENOMEM;
	to->at = at;
	to->room = room;
	return 0;
}

/* Unpacks more of it.  1: there is more; 0: that was all; or -errno. */
static int inflate_more(struct bytes *to, z_stream *z)
{
	int err = reserve(to, to->len + FIRST_ROOM / 2), r;
	size_t room;

	if (err)
		return err;
	room = to->room - to->len;
	z->next_out = to->at + to->len;
	z->avail_out = (uInt)room;
	r = inflate(z, Z_NO_FLUSH);
	to->len += room - z->avail_out;
	if (r == Z_STREAM_END)
		return 0;
	return r == Z_OK && to->len < PACKET_MAX ? 1 : -EBADMSG;
}

static int unpack(struct bytes *to, struct proto m)
{
	z_stream z = { .next_in = (Bytef *)m.at,
		       .avail_in = (uInt)proto_len(&m) };
	int n;

	to->len = 0;
	if (inflateInit(&z) != Z_OK)
		return -ENOMEM;
	while ((n = inflate_more(to, &z)) > 0)
		;
	inflateEnd(&z);
	return n;
}

/* Packets that zlib has packed; none of these is. */
static int read_compressed(struct perfetto *p, struct proto m)
{
	struct proto_field f;
	struct proto all;
	int err = p->inside ? -EBADMSG : unpack(&p->unpacked, m), n = 0;

	if (err == -EBADMSG)
		damage(p, "compressed packets are damaged");
	if (err)
		return err == -EBADMSG ? 0 : err;
	all = (struct proto){ p->unpacked.at, p->unpacked.at + p->unpacked.len };
	p->inside = true;
	while (!err && (n = proto_next(&all, &f)) > 0)
		if (f.number == 1 && f.is_bytes)
			err = read_packet(p, f.in);
	p->inside = false;
	return err ? err : n;
}

/* --- the file ------------------------------------------------------------- */

/* the number in front of a packet */
static int take_number(struct binary *b, uint64_t *n)
{
	uint8_t bytes[10];
	struct proto m = { bytes, bytes };
	int err = 0;

	do {
		if (m.end == bytes + sizeof(bytes))
			return -EBADMSG;
		err = binary_copy(b, bytes + (m.end - bytes), 1);
		m.end++;
	} while (!err && m.end[-1] & 0x80);
	if (err)
		return err;
	return proto_number(&m, n) < 0 ? -EBADMSG : 0;
}

/* 1: a packet; 0: the end; or -errno. */
static int next_packet(struct perfetto *p)
{
	const uint8_t *key;
	uint64_t len;
	int err;

	p->at = p->b.offset;
	err = binary_look(&p->b, 1, &key);
	if (err)
		return err == -ENODATA ? 0 : err;
	if (*key != PACKET_KEY)
		return damage(p, "no packet where one should be");
	err = binary_skip(&p->b, 1);
	if (!err)
		err = take_number(&p->b, &len);
	if (!err && len > PACKET_MAX)
		err = -EBADMSG;
	if (err == -EBADMSG)
		return damage(p, "a packet of an impossible size");
	if (!err)
		err = reserve(&p->packet, (size_t)len);
	if (!err)
		err = binary_copy(&p->b, p->packet.at, (size_t)len);
	if (err)
		return err == -ENODATA ? damage(p, "a packet is cut short") :
					 err;
	p->packet.len = (size_t)len;
	return 1;
}

static int read_packets(struct perfetto *p)
{
	int n;

	while ((n = next_packet(p)) > 0) {
		struct proto m = { p->packet.at, p->packet.at + p->packet.len };

		n = read_packet(p, m);
		if (n)
			return n;
	}
	if (n == -EILSEQ)
		return damage(p, "damaged or cut packed data");
	return n;
}

/* What the kernel has counted as lost, less what bundles say. */
static int add_late_loss(struct perfetto *p)
{
	struct trace_place anywhere = { .time = 0 };

	if (p->counted > INT64_MAX || p->counted <= p->lost)
		return 0;
	return tracing_lost(&p->tracing, &anywhere, p->counted - p->lost);
}

static int end(struct perfetto *p)
{
	int err = p->events ? tell_about(p, true) : 0;

	if (!err)
		err = tracing_end(&p->tracing);
	if (!err)
		err = add_late_loss(p);
	if (!err && !p->events && !import_faults_any(&p->faults)) {
		p->at = 0;
		err = damage(p, "it has no events of the block layer; record"
			     " them with: perfetto, ftrace_events:"
			     " \"block/*\"");
	}
	import_faults_end(&p->faults);
	return err;
}

/* What was read before damage is handed over. */
static int read_all(struct perfetto *p)
{
	int err = read_packets(p), ended = 0;

	if (!err || err == -EBADMSG)
		ended = end(p);
	return ended ? ended : err;
}

int perfetto_read(const struct import_format *f, struct source *s,
		  const struct import_options *o, const struct import_to *to)
{
	struct perfetto *p = calloc(1, sizeof(*p));
	int err = p ? binary_open(&p->b, s) : -ENOMEM;

	(void)f, (void)o;
	if (!p)
		return err;
	p->to = to;
	import_faults_init(&p->faults, to);
	if (!err)
		err = tracing_init(&p->tracing, to);
	p->tracing.order.max = HELD;
	if (!err)
		err = read_all(p);
	tracing_free(&p->tracing);
	hash_free(&p->sequences);
	free(p->packet.at);
	free(p->unpacked.at);
	binary_close(&p->b);
	free(p);
	return err;
}
