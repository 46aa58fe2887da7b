/* SPDX-License-Identifier: GPL-2.0-only */
/* What a recording was; see about.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/json.h"
#include "blktrace.h"
#include "capture/sink.h"
#include "cli/version.h"
#include "machine/card.h"
#include "tools/btimport/about.h"

static int set(char **to, const char *text)
{
	char *copy;

	if (!text || (*to && !strcmp(*to, text)))
		return 0;
	copy = strdup(text);
	if (!copy)
		return -ENOMEM;
	free(*to);
	*to = copy;
	return 0;
}

int about_set(struct about *to, const struct import_about *a)
{
	to->wall |= a->wall;
	if (a->cpus)
		to->cpus = a->cpus;
	return set(&to->from, a->from) || set(&to->lacks, a->lacks) ||
	       set(&to->tool, a->tool) || set(&to->command, a->command) ||
	       set(&to->clock, a->clock) || set(&to->host, a->host) ||
	       set(&to->kernel, a->kernel) ? -ENOMEM : 0;
}

size_t about_message(const struct about *a, char text[ABOUT_TEXT])
{
	int n = snprintf(text, ABOUT_TEXT, "blktrace: imported from %s%s%s",
			 a->from, a->lacks ? ": " : "",
			 a->lacks ? a->lacks : "");

	return n < ABOUT_TEXT ? (size_t)n : ABOUT_TEXT - 1;
}

static void put_text(struct json *j, const char *name, const char *text)
{
	if (text)
		json_put_string(j, name, text);
}

static void put_imported(struct json *j, const struct about *a)
{
	json_put_object(j, "imported");
	put_text(j, "from", a->from);
	put_text(j, "lacks", a->lacks);
	put_text(j, "tool", a->tool);
	put_text(j, "command", a->command);
	put_text(j, "clock", a->clock);
	json_put_object_end(j);
}

static void put_device(struct json *j, const struct about_device *of)
{
	char number[32];

	snprintf(number, sizeof(number), "%u:%u", BLK_MAJOR(of->number),
		 BLK_MINOR(of->number));
	json_put_object(j, "device");
	json_put_string(j, "name", of->name);
	json_put_string(j, "number", number);
	json_put_object_end(j);
}

static void put_card(struct buf *b, const struct about *a,
		     const struct about_device *of)
{
	struct json j = { .b = b };

	json_put_object(&j, NULL);
	json_put_number(&j, "schema", CARD_SCHEMA);
	put_text(&j, "host", a->host);
	put_text(&j, "kernel", a->kernel);
	if (a->cpus)
		json_put_number(&j, "cpus_online", a->cpus);
	json_put_string(&j, "program", "btimport " SUITE_VERSION);
	json_put_number(&j, "record_version", BLK_VERSION_7);
	put_imported(&j, a);
	put_device(&j, of);
	if (of->lost) {
		json_put_object(&j, "end");
		json_put_number(&j, "dropped", of->lost);
		json_put_object_end(&j);
	}
	json_put_object_end(&j);
	buf_append(b, "\n", 1);
}

int about_card(const struct about *a, struct sink *s,
	       const struct about_device *of)
{
	char name[IMPORT_NAME + sizeof(CARD_SUFFIX)];
	struct buf b;
	int err;

	if (!s->ops->aside)
		return 0;
	err = buf_init(&b, -1, CARD_BYTES);
	if (err)
		return err;
	put_card(&b, a, of);
	snprintf(name, sizeof(name), "%s%s", of->name, CARD_SUFFIX);
	err = s->ops->aside(s, name, b.data, b.len);
	buf_free(&b);
	return err;
}

void about_free(struct about *a)
{
	free(a->from);
	free(a->lacks);
	free(a->tool);
	free(a->command);
	free(a->clock);
	free(a->host);
	free(a->kernel);
}
