/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Prints the ios of traces as a table, as `btexport --format=csv NAME...` does;
 * doc/schema.md says what the columns are.
 *
 *	cc -o requests requests.c $(pkg-config --cflags --libs libblktrace)
 */
#include <blktrace-reader.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char header[] =
	"host,disk,dev,id,parent,link,rq,kind,op,flags,sector,bytes,pid,"
	"process,cgroup,cgroup_path,queue_cpu,issue_cpu,complete_cpu,unix_ns,"
	"time_ns,issue_ns,complete_ns,birth,merge,ended,error,total_ns,q2a_ns,"
	"lower_ns,a2c_ns,q2x_ns,x2c_ns,q2g_ns,q2m_ns,preflush_ns,g2m_ns,g2i_ns,"
	"g2d_ns,i2d_ns,m2d_ns,requeue_ns,d2c_ns,postflush_ns,rest_ns,depth,"
	"issues,requeues,rq_bytes,rq_ios,done_bytes,seek_sectors,children,"
	"from_dev,from_sector,at_sector,plug_ns,zplug_ns,flush,flush2,gap,events,"
	"age_ns,sure";

/* a number and a comma; of nothing only that */
static void put(uint64_t value, uint64_t nothing)
{
	if (value != nothing)
		printf("%" PRIu64, value);
	putchar(',');
}

static void always(uint64_t value)
{
	printf("%" PRIu64 ",", value);
}

static void or_zero(uint64_t value)
{
	put(value, 0);
}

static void or_none(uint64_t value)
{
	put(value, BLKT_NONE);
}

static void or_none32(uint32_t value)
{
	put(value, BLKT_NONE32);
}

static void device(uint32_t dev)
{
	printf("%u:%u,", BLKT_MAJOR(dev), BLKT_MINOR(dev));
}

/* a text and a comma, in quotes if it has what parts fields */
static void text(const char *t)
{
	int quoted = t && strpbrk(t, ",\"\r\n");

	if (quoted)
		putchar('"');
	for (; t && *t; t++)
		printf(*t == '"' ? "\"\"" : "%c", *t);
	printf(quoted ? "\"," : ",");
}

static void put_which(const struct blkt_reader *r, const struct blkt_io *io)
{
	const char *disk = blkt_disk(r, io->disk);
	char rwbs[BLKT_RWBS_SIZE];

	text(blkt_host(r, io->host));
	if (disk)
		text(disk);
	else
		device(io->device);
	device(io->device);
	always(io->id);
	or_zero(io->parent);
	text(blkt_link_name(io->link));
	or_zero(io->rq);
	text(blkt_kind_name(io->kind));
	text(blkt_op_name(io->op));
	text(blkt_io_rwbs(io, rwbs));
	always(io->sector);
	always(io->bytes);
	always(io->pid);
	text(blkt_process(r, io->host, io->pid));
	or_zero(io->cgroup);
	text(NULL);
}

static void put_when(struct blkt_reader *r, const struct blkt_io *io)
{
	int64_t unix_ns;

	always(io->cpu);
	or_none32(io->issue_cpu);
	or_none32(io->complete_cpu);
	if (!blkt_wall(r, io->time, &unix_ns))
		printf("%" PRId64, unix_ns);
	putchar(',');
	always(io->time);
	or_none(io->issued);
	or_none(io->total == BLKT_NONE ? BLKT_NONE : io->time + io->total);
	printf("%c,", io->birth);
	text(blkt_merge_name(io->merge));
	text(blkt_ended_name(io->ended));
	always(io->error);
	or_none(io->total);
	for (unsigned int p = 0; p <= BLKT_PHASE_REST; p++)
		or_none(blkt_io_phase(io, p));
}

static void put_counts(const struct blkt_io *io)
{
	or_zero(io->depth);
	always(io->issues);
	always(io->requeues);
	or_none(io->rq ? io->rq_bytes : BLKT_NONE);
	or_zero(io->rq_ios);
	or_zero(io->done);
	if (io->seek != BLKT_NO_SEEK)
		printf("%" PRId64, io->seek);
	putchar(',');
	or_zero(io->children);
	if (io->from_device == BLKT_NONE32)
		text(NULL);
	else
		device(io->from_device);
	or_none(io->from_sector);
	or_none(io->at);
	or_none(io->plug);
	or_none(io->zplug);
	or_zero(io->flush);
	or_zero(io->flush2);
	printf("%u,%u,", io->gap, io->events);
}

static void put_rest(const struct blkt_io *io)
{
	or_none(io->age);
	printf("%u\n", io->sure);
}

int main(int argc, char **argv)
{
	struct blkt_options options = { sizeof(options), 1, NULL, NULL, 0, 0, 0,
					0, 0 };
	const struct blkt_io *io;
	struct blkt_reader *r;
	int err = blkt_open(&r, &options), got;

	for (int i = 1; !err && i < argc; i++)
		err = blkt_add(r, argv[i]);
	puts(header);
	while (!err && (got = blkt_next_io(r, &io)) != 0) {
		if (got == 1) {
			put_which(r, io);
			put_when(r, io);
			put_counts(io);
			put_rest(io);
		} else if (got != -EAGAIN && got != -EINTR) {
			err = got;
		}
	}
	if (err)
		fprintf(stderr, "requests: %s\n",
			r ? blkt_error(r) : blkt_strerror(err));
	blkt_close(r);
	return err != 0;
}
