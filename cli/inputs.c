/* SPDX-License-Identifier: GPL-2.0-only */
/* Messages about inputs; see inputs.h. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/msg.h"
#include "base/text.h"
#include "cli/inputs.h"
#include "file/foreign.h"
#include "file/hooks.h"
#include "file/location.h"

static void say_recorder(char text[INPUTS_WHY], const struct foreign *by,
			 const char *name)
{
	snprintf(text, INPUTS_WHY, "recorded by %s; convert it with:"
		 " btimport %s -o NAME", by->program, name);
}

static void print_foreign(const struct damage *d)
{
	bool is_stdin = !strcmp(d->file, "standard input");
	char text[INPUTS_WHY];

	say_recorder(text, d->by, is_stdin ? "-" : d->file);
	msg_warn("%s: %s", d->file, text);
}

void inputs_print_damage(const struct damage *d)
{
	unsigned long long at = d->at, lost = d->lost;
	const char *what = d->error == -EACCES ? inputs_why(d->error) : d->what;

	if (d->by)
		print_foreign(d);
	else if (lost)
		msg_warn("%s: byte %llu: %s, %llu byte%s passed over", d->file,
			 at, what, lost, lost == 1 ? "" : "s");
	else
		msg_warn("%s: byte %llu: %s", d->file, at, what);
}

void inputs_print_missing(const char *directory, const char *name)
{
	int err = locations_why_none(directory, name);

	if (err != -ENOENT)
		msg_warn("%s: %s", name, inputs_why(err));
}

bool inputs_foreign(const void *begin, size_t len, const char *name,
		    char text[INPUTS_WHY])
{
	const struct foreign *by = foreign_of(begin, len);

	if (by)
		say_recorder(text, by, name);
	return by;
}

const char *inputs_why_file(int err, const char *directory, const char *name,
			    char text[INPUTS_WHY])
{
	const struct foreign *by = NULL;
	char *path = NULL;

	if (err != -ENODATA)
		return inputs_why(err);
	if (!directory || *name == '/')
		by = foreign_of_file(name);
	else if (text_print(&path, "%s/%s", directory, name) >= 0)
		by = foreign_of_file(path);
	if (by)
		say_recorder(text, by, path ? path : name);
	free(path);
	return by ? text : inputs_why(err);
}

const char *inputs_why(int err)
{
	switch (err) {
	case -ENOENT:
		return "no such file or trace; give its path without"
		       " .blktrace.CPU, as DIR/sda for DIR/sda.blktrace.0";
	case -EISDIR:
		return "a directory without a trace; name the one with files"
		       " such as sda.blktrace.0";
	case -EACCES:
		return "permission denied; read it as root, or have root give"
		       " you the files (chown)";
	case -ENODATA:
		return "not a trace";
	case -EMFILE:
		return "too many files for the limit of open files; raise it"
		       " with ulimit -n";
	case -EOPNOTSUPP:
		return "packed, and this program was built without libzstd";
	case -ESRCH:
		return "no host of this name to shift";
	default:
		return strerror(-err);
	}
}
