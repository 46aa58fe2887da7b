/* SPDX-License-Identifier: GPL-2.0-only */
/* trace.dat for libFuzzer: an input is a file. */
#include <sys/mman.h>
#include <unistd.h>

#include "file/source.h"
#include "import/formats.h"
#include "tests/fuzz/must.h"
#include "tests/fuzz/receiver.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("fuzz", 0);
	struct received r;
	struct source *s;

	must(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	lseek(fd, 0, SEEK_SET);
	must(!source_fd(&s, fd));
	receive(import_format_named("trace-cmd"), s,
		&(struct import_options){ 0 }, &r);
	close(fd);
	return 0;
}
