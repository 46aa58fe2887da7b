/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A file system with one file, "disk", in memory, by the protocol of
 * linux/fuse.h.  A loop device on the file hangs while this process is stopped
 * (SIGSTOP) and fails when it is killed.
 *
 *	hangfs [-s SERVERS] [-t MICROSECONDS] DIRECTORY [IMAGE]
 *
 * Says "ready" once it is mounted there.  A read or write takes that long (0), and
 * SERVERS of them are served at a time (1).  On SIGUSR1 it writes to IMAGE what a disk
 * would have after a loss of power, which is what was written before the last
 * flush, and says "lost".
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { ROOT = FUSE_ROOT_ID, DISK, DISK_SIZE = 64 << 20, WRITE_MOST = 1 << 16,
       PAGE = 4096, PAGES = DISK_SIZE / PAGE, BACKGROUND = 1024 };

struct hangfs {
	int fd;
	char *disk, *flushed;	/* DISK_SIZE bytes each */
	bool fresh[PAGES];	/* written since the last flush */
	const char *image;	/* or NULL */
	long servers, delay;	/* ns of a read or write */
};

/* a request, and what follows its header */
struct request {
	const struct fuse_in_header *head;
	const void *in;
};

static void reply(const struct hangfs *fs, const struct request *r, int error,
		  const void *out, size_t len)
{
	struct fuse_out_header head = {
		.len = (uint32_t)(sizeof(head) + len), .error = -error,
		.unique = r->head->unique,
	};
	struct iovec parts[] = {
		{ .iov_base = &head, .iov_len = sizeof(head) },
		{ .iov_base = (void *)(uintptr_t)out, .iov_len = len },
	};

	/* it may have been interrupted: nobody waits then */
	if (writev(fs->fd, parts, 2) < 0 && errno != ENOENT)
		exit(1);
}

static struct fuse_attr attr_of(uint64_t node)
{
	struct fuse_attr a = { .ino = node, .nlink = 1, .blksize = 4096 };

	a.mode = node == ROOT ? S_IFDIR | 0755 : S_IFREG | 0644;
	a.size = node == ROOT ? 0 : DISK_SIZE;
	return a;
}

/* --- what is asked -------------------------------------------------------- */

static void begin(struct hangfs *fs, const struct request *r)
{
	const struct fuse_init_in *in = r->in;
	struct fuse_init_out out = {
		.major = FUSE_KERNEL_VERSION,
		.minor = in->minor < FUSE_KERNEL_MINOR_VERSION ?
			 in->minor : FUSE_KERNEL_MINOR_VERSION,
		.max_write = WRITE_MOST,
		/* a loop device's direct I/O is not waited for one by one */
		.flags = FUSE_ASYNC_READ | FUSE_ASYNC_DIO,
		.max_background = BACKGROUND,
		.congestion_threshold = BACKGROUND,
	};

	reply(fs, r, 0, &out, sizeof(out));
}

static void look_up(struct hangfs *fs, const struct request *r)
{
	struct fuse_entry_out out = { .nodeid = DISK, .attr = attr_of(DISK) };

	if (strcmp(r->in, "disk"))
		reply(fs, r, ENOENT, NULL, 0);
	else
		reply(fs, r, 0, &out, sizeof(out));
}

static void get_attr(struct hangfs *fs, const struct request *r)
{
	struct fuse_attr_out out = { .attr = attr_of(r->head->nodeid) };

	reply(fs, r, 0, &out, sizeof(out));
}

/* each read comes here: nothing is cached */
static void open_file(struct hangfs *fs, const struct request *r)
{
	struct fuse_open_out out = { .open_flags = FOPEN_DIRECT_IO };

	reply(fs, r, 0, &out, sizeof(out));
}

static bool inside(uint64_t offset, uint32_t size)
{
	return offset <= DISK_SIZE && size <= DISK_SIZE - offset;
}

static void read_file(struct hangfs *fs, const struct request *r)
{
	const struct fuse_read_in *in = r->in;

	if (inside(in->offset, in->size))
		reply(fs, r, 0, fs->disk + in->offset, in->size);
	else
		reply(fs, r, EIO, NULL, 0);
}

static void write_file(struct hangfs *fs, const struct request *r)
{
	const struct fuse_write_in *in = r->in;
	struct fuse_write_out out = { .size = in->size };

	if (!inside(in->offset, in->size)) {
		reply(fs, r, EIO, NULL, 0);
		return;
	}
	memcpy(fs->disk + in->offset, in + 1, in->size);
	for (uint64_t at = in->offset / PAGE;
	     at * PAGE < in->offset + in->size; at++)
		fs->fresh[at] = true;
	reply(fs, r, 0, &out, sizeof(out));
}

static void flush_file(struct hangfs *fs, const struct request *r)
{
	for (size_t i = 0; i < PAGES; i++)
		if (fs->fresh[i])
			memcpy(fs->flushed + i * PAGE, fs->disk + i * PAGE,
			       PAGE);
	memset(fs->fresh, 0, sizeof(fs->fresh));
	reply(fs, r, 0, NULL, 0);
}

static void done(struct hangfs *fs, const struct request *r)
{
	reply(fs, r, 0, NULL, 0);
}

static void forget(struct hangfs *fs, const struct request *r)
{
	(void)fs, (void)r;	/* is not answered */
}

static void (*const calls[])(struct hangfs *fs, const struct request *r) = {
	[FUSE_INIT] = begin, [FUSE_LOOKUP] = look_up,
	[FUSE_FORGET] = forget, [FUSE_BATCH_FORGET] = forget,
	[FUSE_GETATTR] = get_attr, [FUSE_SETATTR] = get_attr,
	[FUSE_OPEN] = open_file, [FUSE_RELEASE] = done,
	[FUSE_READ] = read_file, [FUSE_WRITE] = write_file,
	[FUSE_FLUSH] = done, [FUSE_FSYNC] = flush_file,
};

/* time at the disk */
static void take_time(const struct hangfs *fs, uint32_t opcode)
{
	const struct timespec delay = { fs->delay / 1000000000,
					fs->delay % 1000000000 };

	if (fs->delay && (opcode == FUSE_READ || opcode == FUSE_WRITE))
		nanosleep(&delay, NULL);
}

static void serve(struct hangfs *fs, const char *bytes)
{
	const struct fuse_in_header *head = (const void *)bytes;
	const struct request r = { head, head + 1 };

	take_time(fs, head->opcode);
	if (head->opcode < sizeof(calls) / sizeof(*calls) &&
	    calls[head->opcode])
		calls[head->opcode](fs, &r);
	else
		reply(fs, &r, ENOSYS, NULL, 0);
}

/* --- loss of power -------------------------------------------------------- */

static atomic_bool lost;

static void on_signal(int number)
{
	(void)number;
	lost = true;
}

static void write_image(const struct hangfs *fs)
{
	static const char empty[PAGE];
	int fd = open(fs->image, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
		      0600);

	if (fd < 0 || ftruncate(fd, DISK_SIZE))
		exit(1);
	for (off_t at = 0; at < DISK_SIZE; at += PAGE)
		if (memcmp(fs->flushed + at, empty, PAGE) &&
		    pwrite(fd, fs->flushed + at, PAGE, at) != PAGE)
			exit(1);
	close(fd);
	puts("lost");
	fflush(stdout);
}

/* --- the whole ------------------------------------------------------------ */

static int mount_at(const char *dir)
{
	int fd = open("/dev/fuse", O_RDWR | O_CLOEXEC);
	char options[128];

	snprintf(options, sizeof(options), "fd=%d,rootmode=40000,user_id=0,"
		 "group_id=0,allow_other", fd);
	if (fd < 0 || mount("hangfs", dir, "fuse", 0, options)) {
		fprintf(stderr, "hangfs: %s: %s\n", dir, strerror(errno));
		exit(1);
	}
	return fd;
}

/* A signal is taken only while it waits. */
static void wait_for_request(const struct hangfs *fs, const sigset_t *mask)
{
	struct pollfd p = { .fd = fs->fd, .events = POLLIN };

	ppoll(&p, 1, NULL, mask);
	if (lost)
		write_image(fs);
	lost = false;
}

static void hold_signal(sigset_t *mask)
{
	const struct sigaction action = { .sa_handler = on_signal };
	sigset_t held;

	sigemptyset(&held);
	sigaddset(&held, SIGUSR1);
	sigprocmask(SIG_BLOCK, &held, mask);
	sigaction(SIGUSR1, &action, NULL);
}

/* one of several servers, until it is not mounted any more */
static void *serve_all(void *ctx)
{
	struct hangfs *fs = ctx;
	char *bytes = malloc(WRITE_MOST + 2 * FUSE_MIN_READ_BUFFER);
	ssize_t n;

	if (!bytes)
		exit(1);
	while ((n = read(fs->fd, bytes,
			 WRITE_MOST + 2 * FUSE_MIN_READ_BUFFER)) >= 0 ||
	       errno != ENODEV)
		if (n >= (ssize_t)sizeof(struct fuse_in_header))
			serve(fs, bytes);
	free(bytes);
	return NULL;
}

/* one that can take signals meanwhile */
static void serve_alone(struct hangfs *fs, const sigset_t *mask)
{
	static char bytes[WRITE_MOST + 2 * FUSE_MIN_READ_BUFFER];

	for (;;) {
		ssize_t n;

		if (fs->image)
			wait_for_request(fs, mask);
		n = read(fs->fd, bytes, sizeof(bytes));
		if (n < 0 && errno == ENODEV)
			return;		/* not mounted any more */
		if (n >= (ssize_t)sizeof(struct fuse_in_header))
			serve(fs, bytes);
	}
}

static void parse(struct hangfs *fs, int argc, char **argv)
{
	int c;

	fs->servers = 1;
	while ((c = getopt(argc, argv, "s:t:")) != -1)
		if (c == 's')
			fs->servers = atol(optarg);
		else if (c == 't')
			fs->delay = 1000 * atol(optarg);
		else
			exit(2);
	if (argc - optind < 1 || argc - optind > 2)
		exit(2);
	fs->image = argv[optind + 1];
}

int main(int argc, char **argv)
{
	static struct hangfs fs;
	pthread_t thread;
	sigset_t mask;

	parse(&fs, argc, argv);
	fs.disk = calloc(1, DISK_SIZE);
	fs.flushed = calloc(1, DISK_SIZE);
	if (!fs.disk || !fs.flushed)
		return 2;
	if (fs.image)
		hold_signal(&mask);
	fs.fd = mount_at(argv[optind]);
	puts("ready");
	fflush(stdout);
	for (long i = 1; i < fs.servers; i++)
		if (pthread_create(&thread, NULL, serve_all, &fs))
			return 1;
	if (fs.servers > 1)
		serve_all(&fs);
	else
		serve_alone(&fs, &mask);
	return 0;
}
