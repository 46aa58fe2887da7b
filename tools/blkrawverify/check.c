/* SPDX-License-Identifier: GPL-2.0-only */
/* The rules for records of one CPU; see check.h. */
#include <inttypes.h>
#include <stdio.h>

#include "act_mask.h"
#include "file/scan.h"
#include "tools/blkrawverify/check.h"

/* --- dump ----------------------------------------------------------------- */

#define NAME(name, ...) [BLK_TA_##name] = #name,

/* 1.3.0: number 0, which is no action, is shown as the first */
static const char *const actions[BLK_TA_COUNT] = {
	[BLK_TA_NONE] = "QUEUE",
	BLK_ACTIONS(NAME)
};

static void begin(FILE *out, const char *name)
{
	fprintf(out, "        %8s: ", name);
}

static void line(FILE *out, const char *name, uint64_t value)
{
	begin(out, name);
	fprintf(out, "%" PRIu64 "\n", value);
}

/* the names of the action and its categories, a blank after each */
static void action_line(FILE *out, const struct event *ev)
{
	uint32_t number = event_number(ev);
	uint32_t categories = event_categories(ev);

	begin(out, "action");
	if (number >= BLK_TA_COUNT) {
		fprintf(out, "Invalid action=%08" PRIx32 "\n", ev->action);
		return;
	}
	fprintf(out, "__BLK_TA_%s ", actions[number]);
	for (unsigned int nr = 0; nr < BLK_TC_COUNT; nr++)
		if (categories & BLK_TC_BIT(nr))
			fprintf(out, "| BLK_TC_%s ", act_mask_name(nr));
	fputc('\n', out);
}

static void header_lines(FILE *out, const struct piece *p)
{
	const struct event *ev = &p->ev;

	begin(out, "magic");
	fprintf(out, "%08" PRIx32 "\n", p->magic);
	line(out, "sequence", ev->sequence);
	line(out, "time", ev->time);
	line(out, "sector", ev->sector);
	line(out, "bytes", ev->bytes);
	action_line(out, ev);
	/* 1.3.0: twice */
	line(out, "bytes", ev->bytes);
	line(out, "cpu", ev->cpu);
	line(out, "error", ev->error);
	line(out, "pdu_len", ev->pdu_len);
	begin(out, "device");
	fprintf(out, "(%" PRIu32 ",%" PRIu32 ")\n", BLK_MAJOR(ev->device),
		BLK_MINOR(ev->device));
}

/* prints all fields of p's header, headed by name */
static void dump_piece(FILE *out, const char *name, const struct piece *p)
{
	fprintf(out, "    Dump %s\n", name);
	if (p->header)
		header_lines(out, p);
	else
		line(out, "there", p->len);
	fputc('\n', out);
}

/* --- check ---------------------------------------------------------------- */

enum fault {
	BAD_TRACE,
	BAD_VERSION,
	CUT_HEADER,
	BAD_PDU,
	BAD_CPU,
	BAD_SEQUENCE,
	TIME_REGRESSION,
	BAD_DEVICE,
	NONE,
};

/* tally: its line of the summary, or TALLIES */
static const struct {
	const char *name;
	enum tally tally;
} faults[] = {
	[BAD_TRACE] = { "bad trace", TALLIES },
	[BAD_VERSION] = { "bad version", TALLIES },
	[CUT_HEADER] = { "cut header", TALLIES },
	[BAD_PDU] = { "bad pdu", TALLY_SEQ },
	[BAD_CPU] = { "bad cpu", TALLY_CPU },
	[BAD_SEQUENCE] = { "bad seq", TALLY_SEQ },
	[TIME_REGRESSION] = { "time regression", TALLY_TIME },
	[BAD_DEVICE] = { "bad dev", TALLY_DEV },
};

static const char *const tally_words[TALLIES] = {
	[TALLY_CPU] = "cpu",
	[TALLY_SEQ] = "seq",
	[TALLY_DEV] = "dev",
	[TALLY_TIME] = "time",
};

/* the fault of a piece that is no complete record */
static const enum fault piece_faults[] = {
	[PIECE_RECORD] = NONE,
	[PIECE_FOREIGN] = BAD_TRACE,
	[PIECE_ZEROS] = BAD_TRACE,
	[PIECE_VERSION] = BAD_VERSION,
	[PIECE_CUT_HEADER] = CUT_HEADER,
	[PIECE_CUT_PAYLOAD] = BAD_PDU,
};

static enum fault judge(const struct check *c, const struct piece *p)
{
	const struct event *ev = &p->ev;

	if (p->kind != PIECE_RECORD)
		return piece_faults[p->kind];
	if (ev->cpu != c->cpu)
		return BAD_CPU;
	if (event_is_note(ev) || !c->compared)
		return NONE;
	if (ev->sequence <= c->sequence)
		return BAD_SEQUENCE;
	if (ev->time <= c->time)
		return TIME_REGRESSION;
	return ev->device == c->device ? NONE : BAD_DEVICE;
}

static void accept(struct check *c, const struct piece *p)
{
	c->valid++;
	c->compared = true;
	c->sequence = p->ev.sequence;
	c->time = p->ev.time;
	c->device = p->ev.device;
}

static void dump(const struct check *c, const struct piece *p,
		 enum fault fault)
{
	fputs("    ----------------\n", c->out);
	if (c->shown)
		dump_piece(c->out, "seq-1", &c->previous);
	dump_piece(c->out, faults[fault].name, p);
}

static void reject(struct check *c, const struct piece *p, enum fault fault)
{
	enum tally tally = faults[fault].tally;

	if (!c->first) {
		c->first = faults[fault].name;
		c->first_at = p->at;
	}
	if (tally < TALLIES)
		c->tallies[tally]++;
	if (c->out && c->invalid < CHECK_DUMPS)
		dump(c, p, fault);
	c->invalid++;
}

void check_piece(struct check *c, const struct piece *p)
{
	enum fault fault = judge(c, p);

	if (fault != NONE)
		reject(c, p, fault);
	else if (event_is_note(&p->ev))
		return;		/* its numbers are not a sequence */
	else
		accept(c, p);
	c->previous = *p;
	c->shown = true;
}

/* 1.3.0: single precision */
static double percentage(const struct check *c)
{
	float valid = (float)c->valid, all = (float)(c->valid + c->invalid);

	return c->valid ? 100.0 * valid / all : 0.0;
}

void check_summary(const struct check *c)
{
	if (c->invalid > CHECK_DUMPS)
		fprintf(c->out, "    %" PRIu64 " more are not dumped\n",
			c->invalid - CHECK_DUMPS);
	fprintf(c->out, "    ---------------------\n"
		"    Summary for cpu %" PRIu32 ":\n"
		"    %10" PRIu64 " valid + %10" PRIu64
		" invalid (%5.1f%%) processed\n\n",
		c->cpu, c->valid, c->invalid, percentage(c));
	if (!c->invalid)
		return;
	for (int i = 0; i < TALLIES; i++)
		if (c->tallies[i])
			fprintf(c->out, "         %" PRIu64 " %s\n",
				c->tallies[i], tally_words[i]);
	fputc('\n', c->out);
}
