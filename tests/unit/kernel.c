/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is asked of the kernel for a trace, by a make-believe ioctl(2): the
 * numbers and layouts of both set-ups, and what is made of the answers.
 */
#include <errno.h>
#include <sys/ioctl.h>

#include "capture/kernel.h"
#include "scratch.h"

/* --- the make-believe kernel ---------------------------------------------- */

/* what the requests are, as the kernel's headers make them up */
enum {
	/* 32-bit x86 lets 64 bits begin at any fourth byte */
	ALIGN = _Alignof(struct { uint64_t number; }),
	LBA = ALIGN == 4 ? 44 : 48,
	SETUP_SIZE = ALIGN == 4 ? 64 : 72,
	SETUP = 0xc0001273 | SETUP_SIZE << 16,
	START = 0x1274,
	STOP = 0x1275,
	TEARDOWN = 0x1276,
	SETUP2 = 0xc0c0128e,
};

static const struct {
	unsigned int request;
	const char *name;
} requests[] = {
	{ SETUP, "SETUP" }, { START, "START" }, { STOP, "STOP" },
	{ TEARDOWN, "TEARDOWN" }, { SETUP2, "SETUP2" },
};

static struct {
	int errors[5];		/* what each request fails with, 0: it works */
	const char *device;	/* the name that a set-up gives */
	size_t name_len;
	char asked[128];	/* the requests so far, by name */
	uint8_t setup[192];	/* what the last set-up was given */
} kernel;

static size_t index_of(unsigned int request)
{
	size_t i = 0;

	while (requests[i].request != request)
		assert_true(++i < sizeof(requests) / sizeof(*requests));
	return i;
}

/* the size of what a request takes is a part of its number */
static void take_setup(unsigned int request, void *arg)
{
	memset(kernel.setup, 0, sizeof(kernel.setup));
	memcpy(kernel.setup, arg, request >> 16 & 0x3fff);
	memcpy(arg, kernel.device, kernel.name_len);
}

/* GNU's type, and POSIX's */
#ifdef __GLIBC__
typedef unsigned long ioctl_request;
#else
typedef int ioctl_request;
#endif

/* stands in for the C library's */
int ioctl(int fd, ioctl_request request, ...)
{
	size_t i = index_of((unsigned int)request);
	va_list ap;

	assert_true(fd >= 0);
	sprintf(kernel.asked + strlen(kernel.asked), "%s%s",
		*kernel.asked ? " " : "", requests[i].name);
	if (kernel.errors[i]) {
		errno = kernel.errors[i];
		return -1;
	}
	va_start(ap, request);
	if (requests[i].request == SETUP || requests[i].request == SETUP2)
		take_setup((unsigned int)request, va_arg(ap, void *));
	va_end(ap);
	return 0;
}

/* a kernel where that request fails */
static void kernel_fails(unsigned int request, int error)
{
	kernel.errors[index_of(request)] = error;
}

/* a new one that calls the device so */
static void kernel_names(const char *name)
{
	memset(&kernel, 0, sizeof(kernel));
	kernel.device = name;
	kernel.name_len = strlen(name) + 1;
}

/* what has been asked since the last look */
static void check_asked(const char *names)
{
	assert_string_equal(kernel.asked, names);
	kernel.asked[0] = '\0';
}

static uint16_t setup16(size_t at)
{
	return get16(kernel.setup + at);
}

static uint32_t setup32(size_t at)
{
	return get32(kernel.setup + at);
}

/* --- a device ------------------------------------------------------------- */

/* any file will do: nothing but open() looks at it */
static void open_device(struct kernel_trace *t)
{
	put("device", "");
	assert_int_equal(kernel_open(t, "device"), 0);
}

static int set_up(struct kernel_trace *t, uint32_t mask, unsigned int version)
{
	const struct kernel_setup s = { .mask = mask, .buf_size = 0x10203040,
					.buf_nr = 0x50607080,
					.version = version };

	open_device(t);
	return kernel_set_up(t, &s);
}

/* numbers and offsets, as kernels have had them since 2006 and since 6.19 */
static void test_layouts(void **state)
{
	(void)state;
	assert_int_equal((unsigned int)BLKTRACESETUP, (unsigned int)SETUP);
	assert_int_equal(BLKTRACESTART, START);
	assert_int_equal(BLKTRACESTOP, STOP);
	assert_int_equal(BLKTRACETEARDOWN, TEARDOWN);
	assert_int_equal((unsigned int)BLKTRACESETUP2, (unsigned int)SETUP2);
	assert_int_equal(sizeof(struct blk_user_trace_setup), SETUP_SIZE);
	assert_int_equal(sizeof(struct blk_user_trace_setup2), 192);
	assert_int_equal(offsetof(struct blk_user_trace_setup, start_lba), LBA);
	assert_int_equal(offsetof(struct blk_user_trace_setup, end_lba),
			 LBA + 8);
	assert_int_equal(offsetof(struct blk_user_trace_setup, pid), LBA + 16);
	assert_int_equal(offsetof(struct blk_user_trace_setup2, start_lba), 80);
	assert_int_equal(offsetof(struct blk_user_trace_setup2, end_lba), 88);
	assert_int_equal(offsetof(struct blk_user_trace_setup2, pid), 96);
	assert_int_equal(offsetof(struct blk_user_trace_setup2, flags), 100);
	assert_int_equal(offsetof(struct blk_user_trace_setup2, reserved), 104);
}

/* nothing but the five numbers and the name is ever set */
static void check_zeros(size_t from, size_t to)
{
	for (; from < to; from++)
		assert_int_equal(kernel.setup[from], 0);
}

/* version 7 unless there is a reason; where its fields are */
static void test_seven(void **state)
{
	struct kernel_trace t;

	(void)state;
	kernel_names("sda");
	assert_int_equal(set_up(&t, 0xa5c3, 0), 0);
	check_asked("SETUP");
	assert_int_equal(setup16(32), 0xa5c3);
	assert_int_equal(setup32(36), 0x10203040);
	assert_int_equal(setup32(40), 0x50607080);
	check_zeros(0, 32);
	check_zeros(34, 36);
	check_zeros(44, 72);
	assert_string_equal(t.name, "sda");
	assert_int_equal(t.version, 7);
	kernel_close(&t);
	check_asked("TEARDOWN");
}

/* version 8 if wished for, or for a category that 7 has not */
static void test_eight(void **state)
{
	struct kernel_trace t;

	(void)state;
	kernel_names("nvme0n1");
	assert_int_equal(set_up(&t, 1u << BLK_TC_ZONE_RESET | 2, 0), 0);
	check_asked("SETUP2");
	assert_int_equal(get64(kernel.setup + 64),
			 1u << BLK_TC_ZONE_RESET | 2);
	assert_int_equal(setup32(72), 0x10203040);
	assert_int_equal(setup32(76), 0x50607080);
	check_zeros(0, 64);
	check_zeros(80, 192);
	assert_string_equal(t.name, "nvme0n1");
	assert_int_equal(t.version, 8);
	kernel_close(&t);
	check_asked("TEARDOWN");
	assert_int_equal(set_up(&t, 0, 8), 0);
	check_asked("SETUP2");
	kernel_close(&t);
}

/* kernels before 6.19 say one of two things about the new set-up */
static void test_fallback(void **state)
{
	static const int errors[] = { ENOTTY, EINVAL };

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct kernel_trace t;

		kernel_names("sda");
		kernel_fails(SETUP2, errors[i]);
		assert_int_equal(set_up(&t, 1u << BLK_TC_WRITE_ZEROES | 2, 8),
				 0);
		check_asked("SETUP2 SETUP");
		assert_int_equal(setup16(32), 2);
		assert_int_equal(t.version, 7);
		kernel_close(&t);
	}
}

/* to ask the old way for categories it has not would be to ask for all */
static void test_no_fallback(void **state)
{
	struct kernel_trace t;

	(void)state;
	kernel_names("sda");
	kernel_fails(SETUP2, ENOTTY);
	assert_int_equal(set_up(&t, 1u << BLK_TC_ZONE_OPEN, 0), -EOPNOTSUPP);
	check_asked("SETUP2");
	kernel_close(&t);
	check_asked("");
}

/* version 7 if wished for, whatever is lost by it */
static void test_wished_seven(void **state)
{
	struct kernel_trace t;

	(void)state;
	kernel_names("sda");
	assert_int_equal(set_up(&t, 1u << BLK_TC_ZONE_OPEN | 1, 7), 0);
	check_asked("SETUP");
	assert_int_equal(setup16(32), 1);
	kernel_close(&t);
}

/* other refusals are final, and leave nothing to take back */
static void test_refused(void **state)
{
	struct kernel_trace t;

	(void)state;
	kernel_names("sda");
	kernel_fails(SETUP2, EBUSY);
	assert_int_equal(set_up(&t, 0, 8), -EBUSY);
	check_asked("SETUP2");
	kernel_close(&t);
	kernel_names("sda");
	kernel_fails(SETUP, EPERM);
	assert_int_equal(set_up(&t, 0, 0), -EPERM);
	kernel_close(&t);
	check_asked("SETUP");
}

/* a name that leads elsewhere is not taken; the trace is torn down again */
static void test_names(void **state)
{
	static const char *const bad[] = { "", "..", "../sda", "a/b", "." };
	struct kernel_trace t;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		kernel_names(bad[i]);
		assert_int_equal(set_up(&t, 0, 0), -EBADMSG);
		kernel_close(&t);
		check_asked("SETUP TEARDOWN");
	}
}

/* names as long as their field have no end of their own */
static void test_long_names(void **state)
{
	static const char name[] = "0123456789012345678901234567890123456789"
				   "012345678901234567890123";
	struct kernel_trace t;

	(void)state;
	kernel_names(name);
	kernel.name_len = 32;
	assert_int_equal(set_up(&t, 0, 0), 0);
	assert_int_equal(strlen(t.name), 32);
	kernel_close(&t);
	kernel_names(name);
	kernel.name_len = 63;
	assert_int_equal(set_up(&t, 0, 8), 0);
	assert_int_equal(strlen(t.name), 63);
	kernel_close(&t);
	kernel_names(name);
	kernel.name_len = 64;
	assert_int_equal(set_up(&t, 0, 8), -EBADMSG);
	kernel_close(&t);
}

/* each step once, and closing does what has not been done */
static void test_life(void **state)
{
	struct kernel_trace t;

	(void)state;
	kernel_names("sda");
	assert_int_equal(set_up(&t, 0, 0), 0);
	assert_int_equal(kernel_start(&t), 0);
	assert_int_equal(kernel_stop(&t), 0);
	assert_int_equal(kernel_stop(&t), 0);
	assert_int_equal(kernel_tear_down(&t), 0);
	assert_int_equal(kernel_tear_down(&t), 0);
	kernel_close(&t);
	check_asked("SETUP START STOP TEARDOWN");
	assert_int_equal(set_up(&t, 0, 0), 0);
	assert_int_equal(kernel_start(&t), 0);
	kernel_close(&t);
	kernel_close(&t);
	check_asked("SETUP START STOP TEARDOWN");
}

/* a step that fails says so, and is not taken back */
static void test_failures(void **state)
{
	struct kernel_trace t;

	(void)state;
	kernel_names("sda");
	kernel_fails(START, EINVAL);
	kernel_fails(TEARDOWN, EIO);
	assert_int_equal(set_up(&t, 0, 0), 0);
	assert_int_equal(kernel_start(&t), -EINVAL);
	assert_int_equal(kernel_tear_down(&t), -EIO);
	kernel_close(&t);
	check_asked("SETUP START TEARDOWN");
	kernel_fails(START, 0);
	kernel_fails(STOP, ENODEV);
	kernel_fails(TEARDOWN, 0);
	assert_int_equal(set_up(&t, 0, 0), 0);
	assert_int_equal(kernel_start(&t), 0);
	assert_int_equal(kernel_stop(&t), -ENODEV);
	kernel_close(&t);
	check_asked("SETUP START STOP TEARDOWN");
}

/* -k ends somebody's trace, running or stopped, and says if there is none */
static void test_kill(void **state)
{
	struct kernel_trace t;

	(void)state;
	kernel_names("sda");
	kernel_fails(STOP, EINVAL);
	open_device(&t);
	assert_int_equal(kernel_kill(&t), 0);
	check_asked("STOP TEARDOWN");
	kernel_fails(TEARDOWN, EINVAL);
	assert_int_equal(kernel_kill(&t), -EINVAL);
	kernel_close(&t);
}

/* --- files ---------------------------------------------------------------- */

static void test_no_device(void **state)
{
	struct kernel_trace t;
	char name[64];

	(void)state;
	assert_int_equal(kernel_open(&t, "missing"), -ENOENT);
	kernel_close(&t);
	assert_int_equal(kernel_disk("missing", name, sizeof(name)), -ENOENT);
	assert_int_equal(kernel_disk("/dev/null", name, sizeof(name)),
			 -ENOTBLK);
	assert_false(kernel_is_zoned("no/such/disk"));
}

static void check_dropped(const char *text, int err, uint64_t dropped)
{
	uint64_t n = 77;

	put("block/sda/dropped", text);
	assert_int_equal(kernel_dropped(".", "sda", &n), err);
	assert_int_equal(n, dropped);
}

/* the kernel's counter, and what is none */
static void test_dropped(void **state)
{
	uint64_t n = 77;

	(void)state;
	assert_int_equal(kernel_dropped(".", "sda", &n), -ENOENT);
	assert_int_equal(n, 0);
	check_dropped("0\n", 0, 0);
	check_dropped("23018\n", 0, 23018);
	check_dropped("18446744073709551615", 0, UINT64_MAX);
	check_dropped("", -EBADMSG, 0);
	check_dropped("none\n", -EBADMSG, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_SCRATCH(test_layouts),
		IN_SCRATCH(test_seven),
		IN_SCRATCH(test_eight),
		IN_SCRATCH(test_fallback),
		IN_SCRATCH(test_no_fallback),
		IN_SCRATCH(test_wished_seven),
		IN_SCRATCH(test_refused),
		IN_SCRATCH(test_names),
		IN_SCRATCH(test_long_names),
		IN_SCRATCH(test_life),
		IN_SCRATCH(test_failures),
		IN_SCRATCH(test_kill),
		IN_SCRATCH(test_no_device),
		IN_SCRATCH(test_dropped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
