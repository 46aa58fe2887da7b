/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a process cannot do any more once it has given it up.  Each test is a
 * process of its own, as there is no way back; its exit status is a number of
 * a failure, or 0.
 */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "confine/calls.h"
#include "confine/places.h"
#include "confine/user.h"
#include "confine/wanted.h"
#include "scratch.h"

/* runs step in a child: 0, or which of its steps failed */
static int in_child(int (*step)(void))
{
	int status;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (!pid)
		_exit(step());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static bool refused(const char *path, int flags)
{
	int fd = open(path, flags | O_CLOEXEC, 0600);

	if (fd >= 0)
		close(fd);
	return fd < 0 && errno == EACCES;
}

static bool opens(const char *path, int flags)
{
	int fd = open(path, flags | O_CLOEXEC, 0600);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* --- places --------------------------------------------------------------- */

static int confine_to_store(void)
{
	struct places p;

	if (places_open(&p, true) ||
	    places_allow(&p, "store", PLACE_STORE) || places_enforce(&p))
		return 1;
	return p.fd == -1 ? 0 : 2;
}

/* the planted open */
static int store_only(void)
{
	if (confine_to_store())
		return 1;
	if (!refused("/etc/passwd", O_RDONLY) || !refused(".", O_RDONLY))
		return 2;
	if (!refused("beside", O_WRONLY | O_CREAT) ||
	    !refused("store/../beside", O_WRONLY | O_CREAT))
		return 3;
	if (mkdir("store/run", 0700) ||
	    !opens("store/run/file", O_WRONLY | O_CREAT | O_TRUNC) ||
	    !opens("store/run", O_RDONLY | O_DIRECTORY))
		return 4;
	if (!opens("store/run/file", O_RDONLY))
		return 5;
	if (!symlink("/etc/passwd", "store/link") || errno != EACCES)
		return 6;
	return unlink("store/run/file") && errno == EACCES ? 0 : 7;
}

/* what is open stays so */
static int keeps_open(void)
{
	int fd = open("/etc/passwd", O_RDONLY | O_CLOEXEC);
	char byte;

	if (confine_to_store())
		return 1;
	return read(fd, &byte, 1) == 1 ? 0 : 2;
}

/* a file, and what a link points to, and nothing beside */
static int one_file(void)
{
	struct places p;

	if (places_open(&p, false) ||
	    places_allow(&p, "link", PLACE_READ) ||
	    places_allow(&p, "absent", PLACE_READ) != -ENOENT ||
	    places_enforce(&p))
		return 1;
	if (!opens("link", O_RDONLY) || !opens("target", O_RDONLY))
		return 2;
	return refused("target", O_RDWR) && refused("other", O_RDONLY) ? 0 : 3;
}

static int no_ports(void)
{
	struct sockaddr_in a = { .sin_family = AF_INET };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (confine_to_store())
		return 1;
	if (places_version() < 4)
		return 0;
	return bind(fd, (struct sockaddr *)&a, sizeof(a)) && errno == EACCES ?
	       0 : 2;
}

static void need_landlock(void)
{
	if (!places_version() || !confine_is_wanted())
		skip();
}

static void test_store(void **state)
{
	(void)state;
	need_landlock();
	assert_int_equal(mkdir("store", 0700), 0);
	assert_int_equal(in_child(store_only), 0);
	assert_int_equal(in_child(keeps_open), 0);
	assert_int_equal(in_child(no_ports), 0);
}

static void test_file(void **state)
{
	(void)state;
	need_landlock();
	assert_true(opens("target", O_WRONLY | O_CREAT));
	assert_true(opens("other", O_WRONLY | O_CREAT));
	assert_int_equal(symlink("target", "link"), 0);
	assert_int_equal(in_child(one_file), 0);
}

/* --- calls ---------------------------------------------------------------- */

static const struct call_rule few[] = {
	{ .number = SYS_getppid },
	{ .number = SYS_socket, .argument = 1, .value = AF_UNIX },
	{ .number = SYS_socket, .argument = 1, .value = AF_NETLINK },
	{ .number = SYS_exit_group },
};

/* socket(2), which C libraries of some machines make by another call */
static int socket_of(int family)
{
	return (int)syscall(SYS_socket, family, SOCK_DGRAM, 0);
}

static int few_calls(void)
{
	if (calls_restrict(few, sizeof(few) / sizeof(*few)))
		return 1;
	if (getppid() <= 0)
		return 2;
	if (socket_of(AF_UNIX) < 0 || socket_of(AF_NETLINK) < 0)
		return 3;
	if (socket_of(AF_INET) >= 0 || errno != ENOSYS)
		return 4;
	return open("/etc/passwd", O_RDONLY) < 0 && errno == ENOSYS ? 0 : 5;
}

/* a kernel without Landlock, as a filter makes it look */
static int no_landlock(void)
{
	struct places p;

	if (calls_restrict(few, sizeof(few) / sizeof(*few)))
		return 1;
	if (places_version() != 0)
		return 2;
	return places_open(&p, true) == -ENOSYS && p.fd == -1 ? 0 : 3;
}

static void test_calls(void **state)
{
	(void)state;
	if (!calls_can_restrict() || !confine_is_wanted())
		skip();
	assert_int_equal(in_child(few_calls), 0);
	assert_int_equal(in_child(no_landlock), 0);
	assert_int_equal(calls_restrict(few, CALLS_MAX + 1), -E2BIG);
}

/* --- users ---------------------------------------------------------------- */

static int become_nobody(void)
{
	struct user u;

	if (user_find(&u, "nobody") || user_become(&u))
		return 1;
	if (getuid() != u.uid || geteuid() != u.uid || getegid() != u.gid)
		return 2;
	return setuid(0) && errno == EPERM ? 0 : 3;
}

static void test_user(void **state)
{
	struct user u;

	(void)state;
	assert_int_equal(user_find(&u, "no-such-user"), -ENOENT);
	if (geteuid())
		skip();
	assert_int_equal(in_child(become_nobody), 0);
}

/* --- whether -------------------------------------------------------------- */

static void test_wanted(void **state)
{
	bool here;

	(void)state;
	unsetenv("BLKTRACE_NO_SANDBOX");
	here = confine_is_wanted();
	setenv("BLKTRACE_NO_SANDBOX", "0", 1);
	assert_int_equal(confine_is_wanted(), here);
	setenv("BLKTRACE_NO_SANDBOX", "1", 1);
	assert_false(confine_is_wanted());
	unsetenv("BLKTRACE_NO_SANDBOX");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_SCRATCH(test_store),
		IN_SCRATCH(test_file),
		cmocka_unit_test(test_calls),
		cmocka_unit_test(test_user),
		cmocka_unit_test(test_wanted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
