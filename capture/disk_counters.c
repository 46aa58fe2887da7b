/* SPDX-License-Identifier: GPL-2.0-only */
/* A block device's counters; see disk_counters.h. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "blktrace.h"
#include "capture/disk_counters.h"

enum { PATH = 512, TEXT = 512 };

static void path_of(char path[PATH], const char *sysfs, uint32_t device,
		    const char *file)
{
	snprintf(path, PATH, "%s/dev/block/%u:%u/%s", sysfs, BLK_MAJOR(device),
		 BLK_MINOR(device), file);
}

int disk_counters_read(struct disk_counters *c, const char *sysfs,
		       uint32_t device)
{
	uint64_t ios[3] = { 0 }, sectors[3] = { 0 }, flushes = 0;
	char path[PATH], text[TEXT];
	int err, n;

	*c = (struct disk_counters){ 0 };
	path_of(path, sysfs, device, "stat");
	err = text_read(path, text, sizeof(text));
	if (err)
		return err;
	n = sscanf(text, "%" SCNu64 " %*u %" SCNu64 " %*u %" SCNu64 " %*u %"
		   SCNu64 " %*u %*u %*u %*u %" SCNu64 " %*u %" SCNu64
		   " %*u %" SCNu64, &ios[0], &sectors[0], &ios[1], &sectors[1],
		   &ios[2], &sectors[2], &flushes);
	c->ios = ios[0] + ios[1] + ios[2];
	c->sectors = sectors[0] + sectors[1] + sectors[2];
	c->flushes = flushes;
	c->has_flushes = n == 7;
	return 0;
}

static bool exists(const char *sysfs, uint32_t device, const char *file)
{
	char path[PATH];

	path_of(path, sysfs, device, file);
	return !access(path, F_OK);
}

/* Whether a file exists with other text than good. */
static bool differs(const char *sysfs, uint32_t device, const char *file,
		    const char *good)
{
	char path[PATH], text[TEXT];

	path_of(path, sysfs, device, file);
	return !text_read(path, text, sizeof(text)) && strcmp(text, good);
}

/*
 * The kernel counts a request where it traces its completion, with the same
 * bytes.  Devices without requests (dm, md, zram) count elsewhere, depending on
 * the kernel.  A partition counts I/O by the device opened, a trace selects it
 * by sector.
 */
const char *disk_counters_flaw(const char *sysfs, uint32_t device)
{
	if (!exists(sysfs, device, "stat"))
		return "the device has no counters";
	if (exists(sysfs, device, "partition"))
		return "it is a partition, whose counters include other I/O"
		       " than its trace";
	if (!exists(sysfs, device, "mq"))
		return "the device has no requests: what it counts depends on"
		       " the kernel";
	if (differs(sysfs, device, "queue/zoned", "none"))
		return "the device has zones, and records may lack appends";
	if (differs(sysfs, device, "queue/iostats", "1"))
		return "the device counts nothing (queue/iostats is 0)";
	return NULL;
}
