/* SPDX-License-Identifier: GPL-2.0-only */
/* A command line as text; see command.h. */
#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/msg.h"
#include "cli/command.h"

/* a quote in quotes: closes them, is escaped, opens them again */
static const char quote[] = "'\\''";

static bool is_plain(const char *word)
{
	const char *c = word;

	while (isalnum((unsigned char)*c) || (*c && strchr("%+,-./:=@_", *c)))
		c++;
	return *word && !*c;
}

/* Appends a word at to; returns the end. */
static char *put_word(char *to, const char *word)
{
	bool plain = is_plain(word);

	if (!plain)
		*to++ = '\'';
	for (; *word; word++) {
		if (*word == '\'')
			to = stpcpy(to, quote);
		else
			*to++ = *word;
	}
	if (!plain)
		*to++ = '\'';
	return to;
}

char *cli_words(size_t count, const char *const *words)
{
	size_t size = 1;
	char *text, *at;

	for (size_t i = 0; i < count; i++)
		size += strlen(words[i]) * (sizeof(quote) - 1) + 3;
	text = malloc(size);
	if (!text)
		msg_die("out of memory");
	at = text;
	for (size_t i = 0; i < count; i++) {
		if (i)
			*at++ = ' ';
		at = put_word(at, words[i]);
	}
	*at = '\0';
	return text;
}

char *cli_command(int argc, char **argv)
{
	const char *slash = strrchr(argv[0], '/'), **words;
	char *text;

	words = calloc((size_t)argc + 1, sizeof(*words));
	if (!words)
		msg_die("out of memory");
	for (int i = 0; i < argc; i++)
		words[i] = argv[i];
	words[0] = slash ? slash + 1 : argv[0];
	text = cli_words((size_t)argc, words);
	free(words);
	return text;
}
