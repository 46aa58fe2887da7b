# SPDX-License-Identifier: GPL-2.0-only
# A server and a client, which here are on the same machine:
#
#	. /etc/vm.sh
#	. /job/trace.sh
#	. /job/net.sh
#
# Either may be blktrace, or /job/old-blktrace, the original.

PORT=9462

# the port is bound, as the kernel tells it: in hexadecimal, 0A: it listens
listens()
{
	cat /proc/net/tcp /proc/net/tcp6 2>/dev/null |
		grep -q "$(printf ':%04X' $PORT) .* 0A "
}

# serve NAME PROGRAM: collects in $T/NAME; it is the $server.  NAME.served and
# NAME.complaints have what it says.
serve()
{
	mkdir -p "$T/$1"
	$2 -l -p $PORT -D "$T/$1" >"$T/$1.served" 2>"$T/$1.complaints" &
	server=$!
	within 5 listens
}

# unserve: ends the server; its status
unserve()
{
	kill -s INT $server
	wait $server
}

# works PID: one of the original's threads waits for events, in poll(2), which
# all do when all is started
works()
{
	cat /proc/$1/task/*/syscall 2>/dev/null | grep -q '^7 '
}

# send_to HOST NAME PROGRAM ARGUMENT ...: begins to; it is the $tracer
send_to()
{
	local host=$1 program=$3

	name=$2
	shift 3
	$program -h $host -p $PORT "$@" >"$T/$name.out" 2>"$T/$name.err" &
	tracer=$!
}

# send NAME PROGRAM ARGUMENT ...: to the server, and waits until it traces
send()
{
	send_to 127.0.0.1 "$@"
	case $2 in
	blktrace)
		tracing $tracer ;;
	*)
		within 10 works $tracer ;;
	esac
}

# run_of NAME: the one directory that the server has made, below $T
run_of()
{
	(cd $T && echo "$1"/127.0.0.1-*)
}

# ended_runs NAME N: that many devices are told to be through, which is when
# all of it is in the files
ended_runs()
{
	[ "$(grep -c '^server: end of run for 127.0.0.1' "$T/$1.served")" = "$2" ]
}
