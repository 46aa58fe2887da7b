/* Seeks per second; see file_per_second.h. */
#include <float.h>

#include "timeline/datafile.h"
#include "timeline/file_per_second.h"
#include "timeline/seconds.h"

void per_second_open(struct per_second *s, const char *queued,
		     const char *issued, const char *label)
{
	*s = (struct per_second){
		.queued_file = datafile_open_for(queued, label, ".dat"),
		.issued_file = datafile_open_for(issued, label, ".dat"),
	};
}

/* The seeks counted, by the time that they took. */
static double rate(const struct second *s)
{
	double span = seconds_of_time(s->last) - seconds_of_time(s->first);

	if (s->seeks == 1 || span < DBL_EPSILON)
		return (double)s->seeks;
	return (double)s->seeks / span;
}

static void write_second(const struct second *s, struct datafile *f)
{
	if (s->seeks)
		datafile_printf(f, "%15.9f %.2f\n", seconds_of_time(s->first),
				rate(s));
}

/* One more seek; whether a second is over, which is *over then. */
static bool count(struct second *s, uint64_t time, struct second *over)
{
	bool ends = s->seeks && seconds_of_time(time) -
					seconds_of_time(s->first) >= 1.0;

	*over = *s;
	if (ends || !s->seeks)
		*s = (struct second){ .first = time };
	s->last = time;
	s->seeks++;
	return ends;
}

void per_second_queue(struct per_second *s, uint64_t time)
{
	struct second over;

	if (!s->queued_file)
		return;
	if (!s->queues)
		datafile_restart(s->queued_file);
	s->queues = true;
	if (count(&s->queued, time, &over))
		write_second(&over, s->queued_file);
}

static void write_issued(struct per_second *s, const struct second *over)
{
	write_second(over, s->issued_file);
	if (!s->queues)
		write_second(over, s->queued_file);
}

void per_second_issue(struct per_second *s, uint64_t time)
{
	struct second over;

	if ((s->queued_file || s->issued_file) &&
	    count(&s->issued, time, &over))
		write_issued(s, &over);
}

bool per_second_close(struct per_second *s, bool passes_on)
{
	bool fine;

	write_second(&s->queued, s->queued_file);
	write_issued(s, &s->issued);
	if (passes_on)
		datafile_restart(s->queued_file);
	fine = datafile_close(s->queued_file, DATAFILE_DROP_EMPTY);
	return datafile_close(s->issued_file, DATAFILE_DROP_EMPTY) && fine;
}
