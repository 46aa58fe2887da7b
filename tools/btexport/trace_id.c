/* SPDX-License-Identifier: GPL-2.0-only */
/* The id of a trace; see trace_id.h. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/fnv.h"
#include "machine/card.h"
#include "run/device.h"
#include "run/reader.h"
#include "tools/btexport/trace_id.h"
#include "tools/btexport/wall.h"

/* with its NUL */
static uint64_t add(uint64_t hash, const char *text)
{
	return fnv_bytes(hash, text, strlen(text) + 1);
}

/* in any of its devices' cards */
static const char *boot_of(const struct devices *d, uint16_t origin)
{
	const char *boot = NULL;

	for (uint32_t i = 0; !boot && i < d->count; i++)
		if (d->list[i]->origin == origin)
			boot = card_text(d->list[i]->card, "boot_id");
	return boot ? boot : "";
}

/* A dump's events start at 0, so the machine's clock is no help without a boot
 * to which it belongs. */
static uint64_t start_of(const struct reader *r, bool booted)
{
	struct wall wall = { .known = false };
	int64_t ns;

	if (!booted && wall_at(&wall, r, 0, &ns))
		return (uint64_t)ns;
	return reader_zero(r);
}

/* The sum of the devices' hashes, in any order. */
static uint64_t sum_devices(const struct devices *d)
{
	char text[512];
	uint64_t sum = 0;

	for (uint32_t i = 0; i < d->count; i++) {
		const struct device *dev = d->list[i];

		if (!dev->label || dev->number)
			continue;
		snprintf(text, sizeof(text), "%s/%s",
			 dev->host ? dev->host : "", dev->label);
		sum += add(FNV_BASIS, text);
	}
	return sum;
}

static uint64_t add_number(uint64_t hash, uint64_t n)
{
	char text[32];

	snprintf(text, sizeof(text), "%" PRIu64, n);
	return add(hash, text);
}

void trace_id_write(char id[TRACE_ID + 1], const struct reader *r,
		    uint16_t origin, const char *host)
{
	const struct devices *d = reader_devices(r);
	const char *boot = boot_of(d, origin);
	uint64_t hash = add(add(FNV_BASIS, host), boot);

	hash = add_number(hash, start_of(r, *boot));
	hash = add_number(hash, sum_devices(d));
	snprintf(id, TRACE_ID + 1, "%016" PRIx64, hash);
}
