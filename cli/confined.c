/* SPDX-License-Identifier: GPL-2.0-only */
/* Giving up files that nobody named; see confined.h. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/msg.h"
#include "cli/confined.h"
#include "confine/places.h"
#include "confine/wanted.h"

/*
 * Libraries that are loaded when they are needed, locales and their converters,
 * time zones, how many CPUs there are.  What is not there need not be.
 */
static const char *const systems[] = {
	"/usr/lib", "/usr/lib64", "/lib", "/lib64", "/usr/share/locale",
	"/usr/share/i18n", "/usr/share/zoneinfo", "/etc/localtime",
	"/etc/timezone", "/sys/devices/system/cpu", "/proc/stat",
	"/dev/urandom",
};

/* What has not been found will be reported by who wants to open it. */
static void allow(struct places *p, const char *path, enum place_use use)
{
	if (path)
		places_allow(p, path, use);
}

static void allow_system(struct places *p)
{
	for (size_t i = 0; i < sizeof(systems) / sizeof(*systems); i++)
		allow(p, systems[i], PLACE_READ);
	allow(p, getenv("LOCPATH"), PLACE_READ);
	allow(p, getenv("TZDIR"), PLACE_READ);
	allow(p, "/dev/null", PLACE_WRITE);
	allow(p, "/dev/tty", PLACE_WRITE);
}

static void allow_others(struct places *p, const char *others)
{
	while (others && *others) {
		size_t len = strcspn(others, ":");
		char *path = strndup(others, len);

		allow(p, path, PLACE_READ);
		free(path);
		others += len + (others[len] == ':');
	}
}

/* A directory in its place can be opened, for the message. */
static void allow_file(struct places *p, const char *path)
{
	struct stat st;

	if (strcmp(path, "-") && !stat(path, &st))
		allow(p, path, S_ISDIR(st.st_mode) ? PLACE_LIST : PLACE_READ);
}

/* An opener for the outputs, and for positions. */
static struct opener start(const struct confined *c,
			   const struct readable_kept *kept)
{
	size_t count = c->output_count + kept->count;
	struct writable *all = calloc(count + 1, sizeof(*all));
	struct opener opener;

	if (!all)
		msg_die("out of memory");
	if (c->output_count)
		memcpy(all, c->outputs, c->output_count * sizeof(*all));
	for (size_t i = 0; i < kept->count; i++)
		all[c->output_count + i] = (struct writable){
			.kind = WRITABLE_PLAIN, .name = kept->list[i] };
	opener = writable_start(all, count);
	free(all);
	return opener;
}

struct opener confined_enter(const struct confined *c)
{
	struct readable_kept kept = { NULL, 0 };
	struct opener opener;
	struct places p;

	if (!confine_is_wanted() || places_open(&p, true))
		return (struct opener){ 0 };
	allow_system(&p);
	readable_allow(&p, &c->traces, &kept);
	for (size_t i = 0; i < c->file_count; i++)
		allow_file(&p, c->files[i]);
	allow_others(&p, c->others);
	allow(&p, c->written, PLACE_WRITE);
	allow(&p, c->scratch, PLACE_KEEP);
	writable_allow(&p, c->outputs, c->output_count);
	opener = start(c, &kept);
	readable_kept_free(&kept);
	places_enforce(&p);
	return opener;
}
