# SPDX-License-Identifier: GPL-2.0-only
# Captures to judge, for the scripts that tests/vm/capture runs:
#
#	. /etc/vm.sh
#	. /job/trace.sh
#
# A capture has a name.  Its files are in $T/NAME, and beside it NAME.out and
# NAME.err have what blktrace said, NAME.live what blkparse made of it.

T=/tmp/traces
BLOCK=/sys/kernel/debug/block
LATE=late
mkdir -p $T

# --- a capture ---------------------------------------------------------------

# idles PID: its first thread does, in poll(2), rt_sigtimedwait(2),
# clock_nanosleep(2) or ppoll(2); or it has ended
idles()
{
	[ ! -e "/proc/$1" ] ||
		grep -qE '^(7|128|230|271) ' "/proc/$1/syscall" 2>/dev/null
}

# tracing PID: until it idles, which it does once all is started
tracing()
{
	within 30 idles $1 && [ -e "/proc/$1" ] && return
	echo "blktrace $1 does not trace" >&2
	return 1
}

# launch NAME ARGUMENT ...: blktrace, which becomes $tracer
launch()
{
	name=$1
	shift
	mkdir -p "$T/$name"
	blktrace -D "$T/$name" "$@" >"$T/$name.out" 2>"$T/$name.err" &
	tracer=$!
}

# begin NAME ARGUMENT ...: and waits until it traces
begin()
{
	launch "$@"
	tracing $tracer
}

# begin_live NAME ARGUMENT ...: into a pipe to blkparse, the $reader
begin_live()
{
	name=$1
	shift
	rm -f $T/pipe
	mkfifo $T/pipe
	blkparse -i - <$T/pipe >"$T/$name.live" 2>"$T/$name.parse" &
	reader=$!
	blktrace -o - "$@" >$T/pipe 2>"$T/$name.err" &
	tracer=$!
	tracing $tracer
}

# gone PID: the process has ended.  sh takes leave of its children at once, so
# none of them stays as a zombie.
gone()
{
	[ ! -e "/proc/$1" ]
}

# finish [SECONDS]: waits for the capture, which ends itself.  $status is its,
# or $LATE, and then it is ended by force.
finish()
{
	if within "${1:-3}" gone $tracer; then
		wait $tracer
		status=$?
		return
	fi
	status=$LATE
	echo "# $name: does not end" >&2
	kill -KILL $tracer
	wait $tracer 2>/dev/null
}

# ends WHAT SECONDS STATUS: the capture, of itself; how soon is told
ends()
{
	local began=$(now)

	finish $2
	echo "# $1: ended after $(($(now) - began)) hundredths of a second"
	check "$1: ends with $3 within $2 s" ended $3
}

# end [SIGNAL]: asks the capture to end, and waits
end()
{
	kill -s "${1:-INT}" $tracer
	finish 5
}

# end_live: the reader sees the end of its input then
end_live()
{
	end
	wait $reader
}

# --- work --------------------------------------------------------------------

# read_blocks DEVICE COUNT [CPU]: one after the other, each a completion
read_blocks()
{
	local on=

	[ -z "$3" ] || on="taskset -c $3"
	$on dd if="/dev/$1" of=/dev/null bs=4k count="$2" iflag=direct \
		2>/dev/null
}

# load DEVICE SECONDS CPUS [OPTION ...]: as much as goes, on those CPUs and in
# the background; fio, which is the $loader, tells $T/fio how it went
load()
{
	local device=$1 seconds=$2 cpus=$3

	shift 3
	fio --name=load --filename="/dev/$device" --bs=4k --rw=randread \
		--direct=1 --ioengine=libaio --iodepth=32 --time_based \
		--runtime="$seconds" --cpus_allowed="$cpus" \
		--cpus_allowed_policy=split --group_reporting \
		--minimal --output=$T/fio "$@" &
	loader=$!
}

# unload: ends the load
unload()
{
	kill $loader 2>/dev/null
	wait $loader 2>/dev/null
}

# --- what came of it ---------------------------------------------------------

# events NAME DISK FORMAT [OPTION ...]: a line for each, as blkparse formats it,
# and nothing else of what it says
events()
{
	local capture=$1 disk=$2 format=$3

	shift 3
	blkparse -q -D "$T/$capture" -i "$disk" -f "@$format\\n" "$@" |
		sed -n 's/^@//p'
}

# completions NAME DISK: how many its files have
completions()
{
	events "$1" "$2" %a -a complete | grep -cx C
}

# is WANTED GOT: the same, or says what it is instead
is()
{
	[ "$1" = "$2" ] || {
		echo "# wanted $1, got ${2:-nothing}"
		false
	}
}

# ended WANTED [NAME]: with that status; else shows what the capture has said
ended()
{
	is "$1" "$status" || {
		sed 's/^/# /' "$T/${2:-$name}.err"
		false
	}
}

# says_only NAME PATTERN: one line of NAME.err has it, and nothing else is there
says_only()
{
	is 1 "$(grep -cv "^blktrace: tracing .*Ctrl-C$" "$T/$1.err")" && says "$1" "$2" || {
		sed 's/^/# /' "$T/$1.err"
		false
	}
}

# says NAME PATTERN: a line of NAME.err does
says()
{
	grep -q "$2" "$T/$1.err" || {
		echo "# no \"$2\" in:"
		sed 's/^/# /' "$T/$1.err"
		false
	}
}

# complains NAME: it has said more than that tracing runs
complains()
{
	grep -qv "^blktrace: tracing .*; stop with Ctrl-C$" "$T/$1.err"
}

# silent NAME: it has not
silent()
{
	! complains "$1" || {
		sed 's/^/# /' "$T/$1.err"
		false
	}
}

# readable NAME DISK: its files have completions and nothing that is damaged;
# NAME.text is how blkparse shows them
readable()
{
	blkparse -D "$T/$1" -i "$2" >"$T/$1.text" 2>"$T/$1.parse" &&
		[ ! -s "$T/$1.parse" ] && grep -q '^[0-9].* C ' "$T/$1.text" ||
	{
		sed 's/^/# /' "$T/$1.parse"
		ls -l "$T/$1" | sed 's/^/# /'
		false
	}
}

# said NAME SECONDS: until it complains
said()
{
	within "$2" complains "$1"
}

# no_drop NAME: neither in the totals nor among the complaints
no_drop()
{
	grep -q '(dropped 0)' "$T/$1.out" &&
		! grep -q "dropped [1-9]" "$T/$1.out" &&
		! grep -q dropped "$T/$1.err"
}

# in_order NAME: the times of NAME.live never go back
in_order()
{
	awk '$4 ~ /^[0-9]+\.[0-9]+$/ {
		if ($4 + 0 < last) { print "# back in time: " $0; bad = 1 }
		last = $4 + 0
	} END { exit bad || !last }' "$T/$1.live"
}

# bare DISK: has no files of a trace; its directory may hold other things
bare()
{
	local file

	for file in $BLOCK/$1/trace* $BLOCK/$1/dropped; do
		[ ! -e "$file" ] || is "no $file" one || return
	done
}

# can_trace DISK
can_trace()
{
	blktrace --check "/dev/$1" >$T/check &&
		grep -q "can be traced" $T/check || {
		sed 's/^/# /' $T/check
		false
	}
}

# clear DISK ...: nothing is set up in the kernel, and a trace could be.  If
# that is not so, it is put right for the checks that follow.
clear()
{
	local disk

	for disk; do
		bare "$disk" && can_trace "$disk" || {
			blktrace -k "/dev/$disk"
			return 1
		}
	done
}

# forget NAME: the files go, as memory is the disk here
forget()
{
	rm -rf "${T:?}/$1" "$T/$1".*
}
