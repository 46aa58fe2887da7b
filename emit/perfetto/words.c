/* SPDX-License-Identifier: GPL-2.0-only */
/* The words of a trace; see words.h. */
#include <errno.h>
#include <string.h>

#include "base/hint.h"
#include "emit/perfetto/words.h"
#include "emit/perfetto/packet.h"

enum { PHASE_MAX = 16 };

static void in_capitals(char to[PHASE_MAX], const char *from)
{
	int i = 0;

	for (; from[i] && i < PHASE_MAX - 1; i++)
		to[i] = from[i] >= 'a' && from[i] <= 'z' ?
			(char)(from[i] - 'a' + 'A') : from[i];
	to[i] = '\0';
}

void words_begin(struct buf *b)
{
	/* by enum words_annotation */
	static const char *const annotations[] = {
		"id", "sector", "bytes", "flags", "pid", "process", "error",
		"ended"
	};
	const char *events[IO_OPS + IO_PHASES];
	char phases[IO_PHASES][PHASE_MAX];

	for (unsigned int i = 0; i < IO_OPS; i++)
		events[i] = io_op_name(i);
	for (unsigned int i = 0; i < IO_PHASES; i++) {
		in_capitals(phases[i], io_phase_name(i));
		events[IO_OPS + i] = phases[i];
	}
	packet_words(b, events, IO_OPS + IO_PHASES, annotations,
		     sizeof(annotations) / sizeof(*annotations));
}

static COLD int add_text(struct words *n, struct buf *b, const char *text,
			 uint64_t key, uint32_t most, uint32_t *number)
{
	if (n->texts.count >= most)
		return 0;
	*number = (uint32_t)n->texts.count + 1;
	if (hash_put_number(&n->texts, key, *number))
		return -ENOMEM;
	packet_text(b, *number, text, (uint32_t)strlen(text));
	return 0;
}

int words_text(struct words *n, struct buf *b, const char *text, uint32_t most,
	       uint32_t *number)
{
	uint64_t key = hash_text(&n->texts, text, strlen(text));
	int64_t known = hash_get_number(&n->texts, key);

	*number = known > 0 ? (uint32_t)known : 0;
	return LIKELY(*number) ? 0 : add_text(n, b, text, key, most, number);
}

void words_free(struct words *n)
{
	hash_free(&n->texts);
}
