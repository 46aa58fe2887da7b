# SPDX-License-Identifier: GPL-2.0-only
# A loop device of our own, on a file in memory, and the I/Os that are queued
# for it, as our own blktrace sees them by ftrace, which every machine has.  For
# tests and benches of programs that do I/O.
#
# All of it wants root and, as tracefs may have to be mounted, a private mount
# namespace: enter_namespace() does that by starting the script again.
package Suite::Traced;

use strict;
use warnings;
use Exporter 'import';
use POSIX qw(:sys_wait_h);
use Suite::Files qw(slurp spew);
use Time::HiRes 'sleep';

our @EXPORT_OK = qw(enter_namespace hindrance loop_device traced);

my $TRACEFS = '/sys/kernel/tracing';
my $RECORD = 48;		# bytes of a record before its payload
my $TRIES = 60;		# a second apart, for blktrace to begin

my @loops;			# ours, with the pid that made them

END {
	my @mine = map { $_->[1] } grep { $_->[0] == $$ } @loops;
	local $?;
	system 'losetup', '-d', @mine if @mine;
}

# Why nothing of this can be done here, or nothing.
sub hindrance
{
	return 'not root' if $>;
	return 'no losetup' if system 'losetup >/dev/null 2>&1';
	return 'no private mount namespace'
		if system 'unshare -m true 2>/dev/null';
	return ();
}

# Comes back in a private mount namespace where tracefs is mounted.
sub enter_namespace
{
	my @self = @_;
	unless ($ENV{SUITE_TRACED_INSIDE}) {
		$ENV{SUITE_TRACED_INSIDE} = 1;
		exec 'unshare', '-m', $^X, @self or die "unshare: $!\n";
	}
	delete $ENV{SUITE_TRACED_INSIDE};
	system 'mount', '-t', 'tracefs', 'tracefs', $TRACEFS
		unless -e "$TRACEFS/current_tracer";
	return -e "$TRACEFS/current_tracer";
}

# A new one of MIB mebibytes in DIR; its node.
sub loop_device
{
	my ($dir, $mib) = @_;
	my $file = "$dir/disk" . @loops;
	spew($file, '');
	truncate $file, $mib << 20 or die "truncate: $!\n";
	my $node = `losetup -f --show $file`;
	die "no loop device\n" if $?;
	chomp $node;
	push @loops, [$$, $node];
	return $node;
}

# --- captures ---------------------------------------------------------------

# The device and the tracer are switched on before the buffer is.
sub is_traced
{
	my ($node) = @_;
	my $name = $node =~ s{.*/}{}r;
	return slurp("/sys/block/$name/trace/enable") =~ /^1/ &&
		slurp("$TRACEFS/current_tracer") =~ /^blk/ &&
		slurp("$TRACEFS/tracing_on") =~ /^1/;
}

# Starts BIN/blktrace; returns its pid once the device is traced, or nothing
# when it ends before that.
sub launch
{
	my ($bin, $node, $dir, @masks) = @_;
	my $pid = fork;
	die "fork: $!\n" unless defined $pid;
	if (!$pid) {
		open STDOUT, '>', "$dir/out";
		open STDERR, '>', "$dir/err";
		exec "$bin/blktrace", qw(--via=ftrace -b 1024 -n 8),
			(map { ('-a', $_) } @masks ? @masks : 'queue'), '-D', $dir, '-d', $node or die "$bin/blktrace: $!\n";
	}
	until (is_traced($node)) {
		return undef if waitpid($pid, WNOHANG) == $pid;
		sleep 0.05;
	}
	return $pid;
}

# The same, but waits for somebody else's capture to end: ftrace has room for
# one.
sub begin
{
	my ($bin, $node, $dir, @masks) = @_;
	mkdir $dir;
	for (1 .. $TRIES) {
		my $pid = launch($bin, $node, $dir, @masks);
		return $pid if defined $pid;
		last unless slurp("$dir/err") =~ /ftrace makes one trace/;
		sleep 1;
	}
	die 'blktrace does not begin: ', slurp("$dir/err");
}

# The queued I/Os of a CPU's file, each { time, sector, bytes, read, what, cpu };
# what are the bits of its categories.
sub queued
{
	my ($path) = @_;
	my ($bytes, $at, @ios) = (slurp($path), 0);
	my ($cpu) = $path =~ /\.(\d+)\z/;
	while ($at + $RECORD <= length $bytes) {
		my ($time, $sector, $size, $action, $len) =
			unpack 'x8 Q Q L L x14 S', substr $bytes, $at, $RECORD;
		$at += $RECORD + $len;
		push @ios, { time => $time, sector => $sector, bytes => $size,
			     read => $action >> 16 & 1, cpu => $cpu,
			     what => $action >> 16 }
			if ($action & 0xff) == 1 && !($action & 1 << 26);
	}
	return @ios;
}

# What WORK does to the device, while BIN/blktrace writes to DIR, in the order
# of time; dies if anything was dropped.
sub traced
{
	my ($bin, $node, $dir, $work, @masks) = @_;
	my $pid = begin($bin, $node, $dir, @masks);
	my $fine = eval { $work->(); 1 };
	my $why = $@;
	# its threads look once a second; nothing is lost by not waiting
	kill 'INT', $pid;
	waitpid $pid, 0;
	die $why unless $fine;
	die 'blktrace: ', slurp("$dir/err") if $?;
	die "events were dropped\n" unless slurp("$dir/out") =~ /dropped 0\)/;
	return sort { $a->{time} <=> $b->{time} }
		map { queued($_) } glob "$dir/*.blktrace.*";
}

1;
