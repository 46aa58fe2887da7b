/* SPDX-License-Identifier: GPL-2.0-only */
/* Paths of cgroups as runtimes make them, and whose containers they are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/container.h"

#define ID "0123456789ab" "cdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define OTHER "ffffffff" "89abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define POD "kubepods-burstable-pod0a1b2c3d_4e5f_6071_8293_a4b5c6d7e8f9.slice"

static const struct {
	const char *path, *text;	/* text: NULL: of no container */
} cases[] = {
	{ "/system.slice/docker-" ID ".scope", "docker:0123456789ab" },
	{ "/docker/" ID, "docker:0123456789ab" },
	{ "/docker/" ID "/init.scope", "docker:0123456789ab/init.scope" },
	{ "/kubepods.slice/kubepods-burstable.slice/" POD "/cri-containerd-" ID
	  ".scope", "containerd:0123456789ab" },
	{ "/kubepods.slice/" POD "/crio-" ID ".scope", "cri-o:0123456789ab" },
	{ "/kubepods/besteffort/pod0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9/" ID,
	  "container:0123456789ab" },
	{ "/system.slice/containerd.service/" POD ":cri-containerd:" ID,
	  "containerd:0123456789ab" },
	{ "/machine.slice/libpod-" ID ".scope", "podman:0123456789ab" },
	{ "/machine.slice/libpod-" ID ".scope/container",
	  "podman:0123456789ab/container" },
	{ "/user.slice/user-1000.slice/user@1000.service/user.slice/libpod-"
	  ID ".scope", "podman:0123456789ab" },
	{ "/libpod_parent/libpod-" ID, "podman:0123456789ab" },
	{ "/system.slice/nerdctl-" ID ".scope", "containerd:0123456789ab" },
	{ "/" ID, "container:0123456789ab" },
	{ "/lxc/" ID, "container:0123456789ab" },
	/* the innermost */
	{ "/docker/" OTHER "/kubelet/" POD "/cri-containerd-" ID ".scope",
	  "containerd:0123456789ab" },
	/* what a helper has is its own */
	{ "/machine.slice/libpod-conmon-" ID ".scope", NULL },
	{ "/kubepods.slice/" POD "/crio-conmon-" ID ".scope", NULL },
	/* digits that are no id */
	{ "/docker/0" ID, NULL },
	{ "/docker-x" ID ".scope", NULL },
	{ "/docker/0123456789ab", NULL },
	{ "/docker-" ID ".service", NULL },
	{ "/docker/0123456789AB"
	  "cdef0123456789abcdef0123456789abcdef0123456789abcdef", NULL },
	{ "/system.slice/nginx.service", NULL },
	{ "/.scope", NULL }, { "/", NULL }, { "", NULL }, { "//", NULL },
};

static void test_containers(void **state)
{
	char text[512];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct container c;
		bool found = container_find(cases[i].path, &c);

		if (found != (cases[i].text != NULL))
			fail_msg("%s", cases[i].path);
		if (!found)
			continue;
		assert_memory_equal(c.id, ID, CONTAINER_ID);
		assert_string_equal(container_short(text, sizeof(text),
						    cases[i].path),
				    cases[i].text);
	}
}

static void test_short(void **state)
{
	static const char *const texts[][2] = {
		{ "/", "/" }, { "", "" },
		{ "/system.slice/nginx.service",
		  "/system.slice/nginx.service" },
		{ "/user.slice/user-1000.slice/user@1000.service/app.slice/"
		  "app-editor.scope", "../app.slice/app-editor.scope" },
		/* a part that is long by itself, and one that is empty */
		{ "/a-part-that-is-longer-than-what-people-read-in-a-table",
		  "/a-part-that-is-longer-than-what-people-read-in-a-table" },
		{ "/a-part-that-is-longer-than-what-people-read-in-a-table/",
		  "/a-part-that-is-longer-than-what-people-read-in-a-table/" },
	};
	char text[512], little[8];

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		assert_string_equal(container_short(text, sizeof(text),
						    texts[i][0]), texts[i][1]);
	assert_string_equal(container_short(little, sizeof(little),
					    "/docker/" ID), "docker:");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_containers),
		cmocka_unit_test(test_short),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
