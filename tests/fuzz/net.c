/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A server's conversations for libFuzzer: what up to four clients say, in
 * turns.  Every conversation must end by itself, and with the last all runs;
 * and where reads happen to end must not show in what is stored.
 *
 * An input is one byte, which sets the bounds, the addresses, and whether runs
 * are stored packed; then turns:
 * a byte, whose low two bits are the client and whose others are a length in
 * steps of four, and so many bytes; 63 steps are all that is left.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "net.h"
#include "server/report.h"
#include "server/runs.h"
#include "server/store.h"
#include "server/talk.h"
#include "server/tokens.h"
#include "tests/fuzz/must.h"
#include "tests/fuzz/store.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { CLIENTS = 4, ALL = 63 };

struct room {
	struct report report;
	struct store *store;
	struct tokens *tokens;
	struct runs *runs;
	struct talk *talks[CLIENTS];	/* NULL: has ended */
	uint64_t answers;	/* a sum of all */
};

/* An answer is always a good header, or a good frame.  Which frames are sent
 * before the conversation ends depends on where reads end. */
static int on_answer(void *ctx, const void *bytes, size_t len)
{
	const uint8_t *raw = bytes;
	struct room *r = ctx;
	struct net_header h;
	struct frame f;

	if (*raw == FRAME_FIRST) {
		must(len >= FRAME && frame_decode(&f, raw));
		must(len == FRAME + f.len && f.kind >= FRAME_HAVE);
		return 0;
	}
	must(len == NET_HEADER);
	must(!net_decode(&h, raw) && net_kind(&h) == NET_ANSWER);
	for (size_t i = 0; i < len; i++)
		r->answers = r->answers * 31 + raw[i];
	return 0;
}

static bool on_line(void *ctx, const char *text)
{
	(void)ctx;
	must(!strchr(text, '\n'));
	return true;
}

static bool on_drops(void *ctx, uint64_t events, uint64_t drops)
{
	(void)ctx, (void)events;
	must(drops > 0);
	return true;
}

static const struct server_reporter reporter = { .line = on_line,
					  .drops = on_drops };

static void room_open(struct room *r, uint8_t choice)
{
	static const char *const hosts[] = { "192.0.2.1", "::1" };
	struct store_options o = { ".", 1 + (uint64_t)choice * 1000, 4 };

	memset(r, 0, sizeof(*r));
	must(!report_open(&r->report, -1, &reporter, true));
	must(!store_new(&r->store, &o));
	r->runs = runs_new(r->store, &r->report, choice & 3);
	must(r->runs != NULL);
	if (choice & 16)
		runs_pack(r->runs);
	must(!tokens_open(&r->tokens, -1, 0));
	runs_use_tokens(r->runs, r->tokens);
	for (int i = 0; i < CLIENTS; i++) {
		struct talk_options t = {
			.runs = r->runs, .report = &r->report,
			.peer = { hosts[i % 2 & choice >> 2], 0,
				  NULL, hosts[i % 2] },
			.self = { .max_cpus = 1 }, .cards = choice & 8,
			.answer = on_answer,
			.ctx = r,
		};

		r->talks[i] = talk_new(&t);
		must(r->talks[i] != NULL);
	}
}

static void end(struct room *r, int client)
{
	if (r->talks[client])
		talk_free(r->talks[client]);
	r->talks[client] = NULL;
}

/* Whoever has nothing more to say vanishes; what was stored, as a sum. */
static uint64_t room_close(struct room *r)
{
	uint64_t sum;

	for (int i = 0; i < CLIENTS; i++)
		end(r, i);
	must(runs_count(r->runs) == 0);
	runs_free(r->runs);
	tokens_free(r->tokens);
	sum = store_sum(r->store) * 31 + r->answers;
	store_free(r->store);
	must(!report_close(&r->report));
	return sum;
}

/* Says it, and is acknowledged; false: the conversation is over. */
static bool is_on(struct talk *t, const uint8_t *piece, size_t n)
{
	if (talk_add(t, piece, n) != TALK_ON)
		return false;
	if (!talk_owes(t))
		return true;
	talk_mark(t);
	return talk_acknowledge(t) == TALK_ON;
}

/* One turn in pieces of step bytes, each from memory that ends with it. */
static void take_turn(struct room *r, int client, const uint8_t *p, size_t len,
		      size_t step)
{
	while (len && r->talks[client]) {
		size_t n = len < step ? len : step;
		uint8_t *piece = malloc(n);

		must(piece != NULL);
		memcpy(piece, p, n);
		if (!is_on(r->talks[client], piece, n))
			end(r, client);
		free(piece);
		p += n;
		len -= n;
	}
}

static uint64_t hold_room(const uint8_t *p, size_t left, size_t step)
{
	struct room r;

	room_open(&r, *p);
	p++, left--;
	while (left) {
		size_t len = *p >> 2 == ALL ? left - 1 : (*p >> 2) * 4u;
		int client = *p % CLIENTS;

		p++, left--;
		if (len > left)
			len = left;
		take_turn(&r, client, p, len, step);
		p += len;
		left -= len;
	}
	return room_close(&r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint64_t whole;

	if (size < 1)
		return 0;
	whole = hold_room(data, size, SIZE_MAX);
	must(hold_room(data, size, 1) == whole);
	must(hold_room(data, size, 61) == whole);
	return 0;
}
