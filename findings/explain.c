/* SPDX-License-Identifier: GPL-2.0-only */
/* Findings as lines for people, and as json; see explain.h. */
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "base/escape.h"
#include "base/json.h"
#include "findings/explain.h"
#include "findings/findings.h"
#include "findings/words.h"
#include "run/device.h"

enum {
	SEVERITY = 9,		/* columns */
	RULE = 11,		/* at least */
	RULE_ANY = 17,		/* any rule's name, and a blank */
	NARROW = 20,		/* of a sentence, whatever the width */
	DEVICE = 128,
	KEY = 16,
};

static void device_name(const struct finding *f, char text[DEVICE])
{
	char raw[DEVICE];

	device_text(f->disk, raw, sizeof(raw));
	escape_text(text, DEVICE, raw, strlen(raw));
}

/* length of a text on a line of room columns, up to a blank */
static size_t line_length(const char *text, size_t room)
{
	size_t len = strlen(text), at = room;

	if (len <= room)
		return len;
	while (at && text[at] != ' ')
		at--;
	return at ? at : strcspn(text, " ");
}

void explain_wrap(FILE *out, const char *text, unsigned int column,
		  unsigned int width)
{
	size_t room = width > column + NARROW ? width - column : NARROW;

	for (;;) {
		size_t len = line_length(text, room);

		fprintf(out, "%.*s\n", (int)len, text);
		text += len;
		text += strspn(text, " ");
		if (!*text)
			return;
		fprintf(out, "%*s", (int)column, "");
	}
}

/* a line to copy: in one piece, moved left if it does not fit */
static void print_command(FILE *out, const char *text, size_t column,
			  unsigned int width)
{
	size_t len = strlen(text), room = width > len ? width - len : 0;

	fprintf(out, "%*s%s\n", (int)(column < room ? column : room), "",
		text);
}

static void print_one(FILE *out, const struct finding *f,
		      const struct finding_names *names, unsigned int rule,
		      unsigned int width)
{
	char text[DEVICE + 2 + FINDING_TEXT_MAX];
	size_t len;

	device_name(f, text);
	len = strlen(text);
	memcpy(text + len, ": ", 3);
	finding_sentence(text + len + 2, f, names);
	fprintf(out, "%-*s%-*s", SEVERITY, finding_severity_name(f->severity),
		(int)rule, finding_rule_name(f->rule));
	explain_wrap(out, text, SEVERITY + rule, width);
	finding_command(text, f);
	print_command(out, text, SEVERITY + rule, width);
}

void explain_one(FILE *out, const struct finding *f,
		 const struct finding_names *names, unsigned int width)
{
	print_one(out, f, names, RULE_ANY, width);
}

size_t explain_print(FILE *out, const struct findings *f,
		     const struct finding_names *names, size_t from, size_t to,
		     unsigned int width)
{
	unsigned int rule = RULE;

	if (to > findings_count(f))
		to = findings_count(f);
	for (size_t i = from; i < to; i++) {
		const struct finding *found = findings_get(f, i);
		size_t len = strlen(finding_rule_name(found->rule)) + 1;

		rule = len > rule ? (unsigned int)len : rule;
	}
	for (size_t i = from; i < to; i++)
		print_one(out, findings_get(f, i), names, rule, width);
	return to > from ? to - from : 0;
}

/* --- evidence ------------------------------------------------------------ */

static void print_evidence(FILE *out, const struct finding *f,
			   const struct finding_names *names)
{
	char text[DEVICE + FINDING_TEXT_MAX];

	device_name(f, text);
	fprintf(out, "%s  %s: %s", finding_rule_name(f->rule), text,
		finding_state_name(f->state));
	if (f->state == FINDING_SILENT)
		fprintf(out, ", because of %s", finding_rule_name(f->because));
	putc('\n', out);
	for (int n = 0; n < FINDING_NUMBERS; n++) {
		if (!finding_has(f, n))
			continue;
		finding_number_key(text, n);
		fprintf(out, "  %-*s", KEY, text);
		finding_number_text(text, f, n, names);
		fprintf(out, "%s\n", text);
	}
}

void explain_evidence(FILE *out, const struct findings *f,
		      const struct finding_names *names, int rule)
{
	for (size_t i = 0; i < findings_tried(f); i++)
		if ((int)findings_get(f, i)->rule == rule)
			print_evidence(out, findings_get(f, i), names);
}

/* --- json ---------------------------------------------------------------- */

static void put_json_text(FILE *out, const char *key,
			  const char text[FINDING_TEXT_MAX])
{
	char string[JSON_QUOTES + JSON_GROWS * FINDING_TEXT_MAX];
	char *end = json_render(string, text, strlen(text));

	fprintf(out, "\"%s\":%.*s", key, (int)(end - string), string);
}

static void json_numbers(FILE *out, const struct finding *f)
{
	char key[FINDING_TEXT_MAX], value[FINDING_TEXT_MAX];
	const char *comma = "";

	fputs("\"numbers\":{", out);
	for (int n = 0; n < FINDING_NUMBERS; n++) {
		if (!finding_has(f, n))
			continue;
		finding_number_key(key, n);
		finding_number_json(value, f, n);
		fprintf(out, "%s\"%s\":%s", comma, key, value);
		comma = ",";
	}
	putc('}', out);
}

/* from and to in ns */
static void json_spans(FILE *out, const struct finding *f)
{
	fputs(",\"spans_ns\":[", out);
	for (uint32_t i = 0; i < f->span_count; i++)
		fprintf(out, "%s[%" PRIu64 ",%" PRIu64 "]", i ? "," : "",
			f->spans[i].from, f->spans[i].until);
	putc(']', out);
}

void explain_members(FILE *out, const struct finding *f,
		     const struct finding_names *names)
{
	char text[FINDING_TEXT_MAX];

	put_json_text(out, "severity", finding_severity_name(f->severity));
	putc(',', out);
	put_json_text(out, "rule", finding_rule_name(f->rule));
	putc(',', out);
	device_text(f->disk, text, sizeof(text));
	put_json_text(out, "device", text);
	putc(',', out);
	finding_sentence(text, f, names);
	put_json_text(out, "sentence", text);
	putc(',', out);
	finding_command(text, f);
	put_json_text(out, "command", text);
	fprintf(out, ",\"time_lost_ns\":%" PRIu64 ",", f->time_lost);
	json_numbers(out, f);
	json_spans(out, f);
}

void explain_json(FILE *out, const struct findings *f,
		  const struct finding_names *names)
{
	putc('[', out);
	for (size_t i = 0; i < findings_count(f); i++) {
		fputs(i ? ",\n {" : "{", out);
		explain_members(out, findings_get(f, i), names);
		putc('}', out);
	}
	fputs("]\n", out);
}
