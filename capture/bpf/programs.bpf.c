/*
 * The programs that run in the kernel, for iotracer and for blktrace
 * --via=bpf.  They are loaded together, so that they share their maps, and
 * attached as they are needed.
 *
 * `make bpf` compiles them to programs.lskel, which is kept beside this
 * file: clang and bpftool are needed for that and for nothing else.
 */
#include "capture/bpf/kernel.bpf.h"
#include "capture/bpf/layout.h"
#include "capture/bpf/state.bpf.h"
#include "capture/bpf/registers.bpf.h"
#include "capture/bpf/lines.bpf.h"
#include "capture/bpf/owner.bpf.h"
#include "capture/bpf/bios.bpf.h"
#include "capture/bpf/calls.bpf.h"
#include "capture/bpf/probes.bpf.h"
#include "capture/bpf/records.bpf.h"

/* some of the kernel's functions are only for programs that say so */
char licence[] SEC("license") = "Dual BSD/GPL";
