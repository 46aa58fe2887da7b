/* SPDX-License-Identifier: GPL-2.0-only */
/* What can be in a card; see card_field.h. */
#include <string.h>

#include "machine/card_field.h"

#define ROWS(table) (sizeof(table) / sizeof(*(table)))

/* of the run and the machine */
static const struct card_field run_fields[] = {
	{ "schema", CARD_NUMBER, NULL, "" },
	{ "host", CARD_TEXT, "host", "" },
	{ "machine_id", CARD_TEXT, "machine", "" },
	{ "boot_id", CARD_TEXT, "boot", "" },
	{ "kernel", CARD_TEXT, "kernel", "" },
	{ "arch", CARD_TEXT, "architecture", "" },
	{ "cpus_online", CARD_NUMBER, "CPUs online", "" },
	{ "program", CARD_TEXT, "program", "" },
	{ "command", CARD_LIST, NULL, "" },
	{ "via", CARD_TEXT, "via", "" },
	{ "record_version", CARD_NUMBER, "record version", "" },
	{ "device", CARD_OBJECT, NULL, "" },
	{ "clock", CARD_OBJECT, NULL, "" },
	{ "clock.start", CARD_OBJECT, NULL, "" },
	{ "clock.start.realtime_ns", CARD_NUMBER, NULL, "" },
	{ "clock.start.monotonic_ns", CARD_NUMBER, NULL, "" },
	{ "clock.start.synchronised", CARD_FLAG, NULL, "" },
	{ "clock.start.maxerror_us", CARD_NUMBER, NULL, "" },
	{ "clock.end", CARD_OBJECT, NULL, "" },
	{ "clock.end.realtime_ns", CARD_NUMBER, NULL, "" },
	{ "clock.end.monotonic_ns", CARD_NUMBER, NULL, "" },
	{ "clock.end.synchronised", CARD_FLAG, NULL, "" },
	{ "clock.end.maxerror_us", CARD_NUMBER, NULL, "" },
	{ "cgroups", CARD_OBJECT, NULL, "" },
	{ "end", CARD_OBJECT, NULL, "" },
	{ "end.cause", CARD_TEXT, "ended by", "" },
	{ "end.monotonic_ns", CARD_NUMBER, NULL, "" },
	{ "end.events", CARD_NUMBER, "events", "" },
	{ "end.bytes", CARD_NUMBER, "bytes", "B" },
	{ "end.dropped", CARD_NUMBER, "dropped", "" },
	{ "end.cpus", CARD_LIST, NULL, "" },
	{ "audit", CARD_OBJECT, NULL, "" },
	{ "audit.verdict", CARD_TEXT, "audit", "" },
	{ "audit.reason", CARD_TEXT, "audit impossible", "" },
	{ "audit.completed", CARD_NUMBER, "completed by the device", "" },
	{ "audit.recorded", CARD_NUMBER, "completions recorded", "" },
	{ "audit.missing", CARD_NUMBER, "missing", "" },
	{ "audit.completed_bytes", CARD_NUMBER, NULL, "B" },
	{ "audit.recorded_bytes", CARD_NUMBER, NULL, "B" },
	{ "audit.missing_bytes", CARD_NUMBER, "missing", "B" },
	{ "audit.tolerance", CARD_NUMBER, "missing unnoticed, at most", "" },
	{ "audit.from_ns", CARD_NUMBER, NULL, "" },
	{ "audit.to_ns", CARD_NUMBER, NULL, "" },
};

/* of a device, and of those above and below it */
static const struct card_field device_fields[] = {
	{ "name", CARD_TEXT, "name", "" },
	{ "number", CARD_TEXT, "number", "" },
	{ "model", CARD_TEXT, "model", "" },
	{ "serial", CARD_TEXT, "serial number", "" },
	{ "size", CARD_NUMBER, "size", "B" },
	{ "logical_block_size", CARD_NUMBER, "logical block", "B" },
	{ "physical_block_size", CARD_NUMBER, "physical block", "B" },
	{ "rotational", CARD_FLAG, "rotational", "" },
	{ "read_only", CARD_FLAG, "read-only", "" },
	{ "zoned", CARD_TEXT, "zoned", "" },
	{ "scheduler", CARD_TEXT, "scheduler", "" },
	{ "nr_requests", CARD_NUMBER, "nr_requests", "" },
	{ "nr_hw_queues", CARD_NUMBER, "hardware queues", "" },
	{ "max_sectors_kb", CARD_NUMBER, "max_sectors_kb", "KiB" },
	{ "read_ahead_kb", CARD_NUMBER, "read_ahead_kb", "KiB" },
	{ "write_cache", CARD_TEXT, "write cache", "" },
	{ "wbt_lat_usec", CARD_NUMBER, "wbt_lat_usec", "us" },
	{ "start", CARD_NUMBER, "first sector", "" },
	{ "partition", CARD_NUMBER, "partition", "" },
	{ "partitions", CARD_LIST, NULL, "" },
	{ "holders", CARD_LIST, NULL, "" },
	{ "slaves", CARD_LIST, NULL, "" },
	{ "disk", CARD_OBJECT, NULL, "" },
	{ "mounts", CARD_LIST, NULL, "" },
	{ "path", CARD_TEXT, "mounted at", "" },
	{ "type", CARD_TEXT, "type", "" },
	{ "dm", CARD_OBJECT, NULL, "" },
	{ "targets", CARD_LIST, NULL, "" },
	{ "md", CARD_OBJECT, NULL, "" },
	{ "level", CARD_TEXT, "RAID level", "" },
	{ "raid_disks", CARD_NUMBER, "RAID disks", "" },
	{ "backing_file", CARD_TEXT, "backing file", "" },
};

static const struct card_field *find(const struct card_field *fields,
				     size_t count, const char *key)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(fields[i].key, key))
			return &fields[i];
	return NULL;
}

const struct card_field *card_field_of(const char *path)
{
	static const char device[] = "device.";
	const char *last = strrchr(path, '.');

	if (last && !strncmp(path, device, sizeof(device) - 1))
		return find(device_fields, ROWS(device_fields), last + 1);
	return find(run_fields, ROWS(run_fields), path);
}
