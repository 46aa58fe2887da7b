/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A seccomp filter of a list; see calls.h.
 *
 * The kernel caches its answer for each number allowed without arguments, so
 * its length costs nothing per call.
 */
#include <endian.h>
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "confine/calls.h"

/* Numbers differ between a machine's ABIs. */
#if defined(__x86_64__) && !defined(__ILP32__)
enum { ABI_HERE = (int)AUDIT_ARCH_X86_64 };
#elif defined(__i386__)
enum { ABI_HERE = (int)AUDIT_ARCH_I386 };
#elif defined(__aarch64__) && BYTE_ORDER == LITTLE_ENDIAN
enum { ABI_HERE = (int)AUDIT_ARCH_AARCH64 };
#elif defined(__arm__) && BYTE_ORDER == LITTLE_ENDIAN
enum { ABI_HERE = (int)AUDIT_ARCH_ARM };
#elif defined(__powerpc64__) && BYTE_ORDER == LITTLE_ENDIAN
enum { ABI_HERE = (int)AUDIT_ARCH_PPC64LE };
#elif defined(__s390x__)
enum { ABI_HERE = (int)AUDIT_ARCH_S390X };
#elif defined(__riscv) && __riscv_xlen == 64
enum { ABI_HERE = (int)AUDIT_ARCH_RISCV64 };
#else
enum { ABI_HERE = 0 };		/* no filters */
#endif

enum {
	EACH = 5,		/* instructions of a rule, at most */
	FRAME = 5,		/* of all else */
	NUMBER_AT = offsetof(struct seccomp_data, nr),
	ABI_AT = offsetof(struct seccomp_data, arch),
	/* the lower half of 64 bits */
	FIRST_AT = offsetof(struct seccomp_data, args) +
		   (BYTE_ORDER == BIG_ENDIAN ? sizeof(uint32_t) : 0),
};

#define REFUSE (SECCOMP_RET_ERRNO | ENOSYS)

struct filter {
	struct sock_filter code[FRAME + EACH * CALLS_MAX];
	unsigned short count;
};

static void add(struct filter *f, uint16_t code, uint32_t k)
{
	f->code[f->count++] = (struct sock_filter)BPF_STMT(code, k);
}

/* Unless the value is k, skips the next instructions. */
static void unless_skip(struct filter *f, uint32_t k, uint8_t skip)
{
	f->code[f->count++] = (struct sock_filter)
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, k, 0, skip);
}

static void add_rule(struct filter *f, const struct call_rule *r)
{
	unless_skip(f, (uint32_t)r->number, r->argument ? 4 : 1);
	if (r->argument) {
		add(f, BPF_LD | BPF_W | BPF_ABS, FIRST_AT +
		    (uint32_t)sizeof(uint64_t) * (r->argument - 1));
		unless_skip(f, r->value, 1);
	}
	add(f, BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	/* the next rule may be about the same call */
	if (r->argument)
		add(f, BPF_LD | BPF_W | BPF_ABS, NUMBER_AT);
}

bool calls_can_restrict(void)
{
	uint32_t action = SECCOMP_RET_ERRNO;

	return ABI_HERE != 0 &&
	       !syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action);
}

int calls_restrict(const struct call_rule *rules, size_t count)
{
	struct filter f = { .count = 0 };
	struct sock_fprog program = { .filter = f.code };

	if (count > CALLS_MAX)
		return -E2BIG;
	if (ABI_HERE == 0)
		return -ENOSYS;
	add(&f, BPF_LD | BPF_W | BPF_ABS, ABI_AT);
	/* for our ABI, past the refusal */
	f.code[f.count++] = (struct sock_filter)BPF_JUMP(
		BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)ABI_HERE, 1, 0);
	add(&f, BPF_RET | BPF_K, REFUSE);
	add(&f, BPF_LD | BPF_W | BPF_ABS, NUMBER_AT);
	for (size_t i = 0; i < count; i++)
		add_rule(&f, &rules[i]);
	add(&f, BPF_RET | BPF_K, REFUSE);
	program.len = f.count;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		return -errno;
	return 0;
}
