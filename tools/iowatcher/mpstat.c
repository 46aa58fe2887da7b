/* SPDX-License-Identifier: GPL-2.0-only */
/* What mpstat has written; see mpstat.h. */
#include <ctype.h>
#include <string.h>

#include "tools/iowatcher/mpstat.h"
#include "tools/iowatcher/mpstat_impl.h"

enum { DAY = 86400, HALF_DAY = 43200 };

const struct mpstat_column *mpstat_column(const char *name, size_t len)
{
	static const struct mpstat_column columns[] = {
		{ "iowait", CPU_IO }, { "sys", CPU_SYS }, { "irq", CPU_IRQ },
		{ "soft", CPU_SOFT }, { "usr", CPU_USER },
	};

	for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++)
		if (strlen(columns[i].name) == len &&
		    !memcmp(columns[i].name, name, len))
			return &columns[i];
	return NULL;
}

/* seconds of the day, or -1 */
static double time_of_day(const char *text, bool am, bool pm)
{
	unsigned int hours, minutes, seconds;

	if (sscanf(text, "%2u:%2u:%2u", &hours, &minutes, &seconds) != 3 ||
	    hours > 23 || minutes > 59 || seconds > 60)
		return -1;
	if ((am || pm) && hours == 12)
		hours = 0;
	return hours * 3600.0 + minutes * 60.0 + seconds +
	       (pm ? HALF_DAY : 0);
}

/* seconds since the last record; of the first, and of one whose time has not
 * moved on as it should, one */
static double step_of(struct mpstat_clock *k, double time)
{
	double step = time - k->last;

	if (step < -HALF_DAY)
		step += DAY;
	return k->known && time >= 0 && step > 0 && step < HALF_DAY ? step : 1;
}

int mpstat_record(struct mpstat_clock *k, struct cpu_times *c,
		  const char *time, bool am, bool pm)
{
	double shown = time_of_day(time, am, pm), from = k->now;

	k->now += step_of(k, shown);
	k->known = shown >= 0;
	k->last = shown;
	return cpu_times_record(c, from, k->now);
}

int mpstat_read(struct cpu_times *c, FILE *f)
{
	int first;

	do
		first = getc(f);
	while (first != EOF && isspace(first));
	if (first == EOF)
		return 0;
	ungetc(first, f);
	return first == '{' ? mpstat_read_json(c, f) : mpstat_read_text(c, f);
}
