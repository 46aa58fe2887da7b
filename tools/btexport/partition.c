/* SPDX-License-Identifier: GPL-2.0-only */
/* Where the files of -o DIR/ are; see partition.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/opener.h"
#include "base/time.h"
#include "run/device.h"
#include "run/reader.h"
#include "tools/btexport/partition.h"

enum {
	DATE_MAX = 32,
	DISKS_MAX = 128,	/* longer lists are cut */
};

static void date_of(const struct partition *p, char date[DATE_MAX])
{
	time_t seconds = (time_t)(p->start / (int64_t)NS_PER_SECOND);
	struct tm tm;

	if (!p->has_start || p->start < 0 || !gmtime_r(&seconds, &tm) ||
	    !strftime(date, DATE_MAX, "%Y-%m-%d", &tm))
		strcpy(date, "unknown");
}

static bool is_plain(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
}

/* one more disk, behind a _ */
static void add_disk(char disks[DISKS_MAX], const struct device *disk)
{
	char number[32], *to = disks + strlen(disks);
	const char *name = disk->label;

	if (!name) {
		snprintf(number, sizeof(number), "%u-%u", disk->number >> 20,
			 disk->number & 0xfffff);
		name = number;
	}
	if (to > disks)
		*to++ = '_';
	for (; *name && to < disks + DISKS_MAX - 2; name++)
		*to++ = is_plain(*name) ? *name : '_';
	*to = '\0';
}

static void disks_of(const struct partition *p, char disks[DISKS_MAX])
{
	const struct devices *d = reader_devices(p->reader);

	disks[0] = '\0';
	for (uint32_t i = 0; i < d->count && strlen(disks) < DISKS_MAX - 4; i++)
		add_disk(disks, d->list[i]);
	if (!d->count)
		strcpy(disks, "none");
}

/* Makes all folders of a path; what stands behind the last / is none. */
static int make_folders(const struct opener *o, char *path)
{
	for (char *slash = path + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		if (opener_mkdir(o, path, 0777) && errno != EEXIST)
			return -errno;	/* path ends at that folder */
		*slash = '/';
	}
	return 0;
}

/* without the / that says it is one */
static int name_length(const char *directory)
{
	size_t length = strlen(directory);

	while (length && directory[length - 1] == '/')
		length--;
	return (int)length;
}

int partition_path(const struct partition *p, const char *table, char **path)
{
	char date[DATE_MAX], disks[DISKS_MAX];

	date_of(p, date);
	disks_of(p, disks);
	if (asprintf(path, "%.*s/%s/host=%s/date=%s/%lld-%s%s",
		     name_length(p->directory), p->directory, table, p->host,
		     date,
		     p->has_start ? (long long)p->start : 0, disks,
		     p->ending) < 0) {
		*path = NULL;
		return -ENOMEM;
	}
	return make_folders(p->opener, *path);
}
