#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# blktop on a device that works: its numbers against the kernel's and those of
# the programs that did the I/O, what it costs, and an end that leaves nothing
# behind.
#
#	BIN=DIR prove tests/live/blktop.t
#
# Works in a private mount namespace, on loop devices it makes itself.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib", "$FindBin::Bin/../hostile", $FindBin::Bin;
use Cwd 'abs_path';
use File::Temp 'tempdir';
use JSON::PP 'decode_json';
use List::Util qw(max sum0);
use Machine qw(enter switches loops name_of wait_tracing write_blocks);
use Process 'patience';
use Suite::Files 'slurp';
use Suite::Run 'find_programs';
use Suite::Terminal qw(shown_in start_on_terminal type_letter);
use Test::More;
use Time::HiRes 'sleep';

my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my $END = 60;		# seconds in which whatever has been ended ends
my $SECONDS = 8;	# of load, when the cost is looked at
# ns of CPU an event, blktrace's and blktop's together: 10 % of a CPU at 100,000
# events a second
my $COST = 1_000;
my $TOP;

sub json_lines
{
	return map { decode_json($_) } split /\n/, $_[0];
}

# reads and writes that have completed, and their sectors
sub diskstats
{
	my ($loop) = @_;
	my @f = split ' ', slurp('/sys/block/' . name_of($loop) . '/stat');

	return map { $f[$_] } 0, 2, 4, 6;
}

# Sums of the intervals of a run, in the order of diskstats().
sub sums
{
	my @rows = grep { $_->{row} eq 'interval' } json_lines($_[0]);
	my @sums = map {
		my $field = $_;
		sum0 map { $_->{$field} } @rows
	} qw(read_ios read_bytes write_ios write_bytes);

	return ($sums[0], $sums[1] / 512, $sums[2], $sums[3] / 512);
}

sub load
{
	my ($loop) = @_;

	for (1 .. 4) {
		write_blocks($loop, 50);
		system("dd if=$loop of=/dev/null bs=16k count=25 iflag=direct "
		       . '2>/dev/null') == 0 or die "dd: $?\n";
		sleep 0.3;
	}
}

# until something traces the device
sub wait_traced
{
	my ($loop) = @_;
	my $enabled = '/sys/block/' . name_of($loop) . '/trace/enable';

	for (1 .. 600) {
		return 1 if slurp($enabled) eq "1\n";
		sleep 0.05;
	}
	return 0;
}

# --- numbers -----------------------------------------------------------------

# The kernel's counters moved by what blktop has shown, which had an end by
# itself, as that of a user is.
sub test_numbers
{
	my ($loop) = @_;
	my $before = switches();
	my $run = Process->start([qw(blktop -d 0.5 --format=json --by=process),
				  $loop], $TOP, $PROGRAMS->{path});

	ok(wait_traced($loop), 'the device is traced');
	sleep 1;
	my @from = diskstats($loop);
	load($loop);
	my @to = diskstats($loop);
	sleep 2;
	$run->signal('INT');
	is($run->finish($END), 0, 'a signal ends it well');
	is(join(' ', sums($run->text)),
	   join(' ', map { $to[$_] - $from[$_] } 0 .. 3),
	   "reads, writes and their sectors are /proc/diskstats'");
	is(sum0(map { $_->{ios} } grep { $_->{row} eq 'process'
		&& $_->{process} =~ /dd|loop|kworker/ }
		json_lines($run->text)), 4 * 75, 'of processes that did them');
	is(switches(), $before, 'the tracer is as it was');
	is(slurp('/sys/block/' . name_of($loop) . '/trace/enable'), "0\n",
	   'nothing is traced any more');
}

# blktrace of here as that of another host
sub test_pipe
{
	my ($loop) = @_;
	pipe my $in, my $into or die "pipe: $!\n";
	my $trace = Process->start(['blktrace', '-o', '-', $loop], $TOP,
				   $PROGRAMS->{path}, out => $into);
	my $run = Process->start([qw(blktop -i - -d 0.5 --format=json)], $TOP,
				 $PROGRAMS->{path}, in => $in);

	close $_ for $in, $into;
	ok(wait_tracing($trace->pid), 'blktrace traces');
	my @from = diskstats($loop);
	load($loop);
	my @to = diskstats($loop);
	sleep 1;
	$trace->signal('INT');
	is($trace->finish($END) . ' ' . $run->finish($END), '0 0',
	   'both end when blktrace does');
	is(join(' ', sums($run->text)),
	   join(' ', map { $to[$_] - $from[$_] } 0 .. 3),
	   'of a pipe, the same');
}

# Flushes are counted though only issue and completion are traced.
sub test_flushes
{
	my ($loop) = @_;
	my $stat = '/sys/block/' . name_of($loop) . '/stat';
	my $flushes = sub { (split ' ', slurp($stat))[15] };
	my $run = Process->start([qw(blktop -d 0.5 --format=json), $loop], $TOP,
				 $PROGRAMS->{path});

	wait_traced($loop);
	sleep 1;
	my $before = $flushes->();
	for (1 .. 7) {
		system("dd if=/dev/zero of=$loop count=0 conv=fsync,notrunc"
		       . ' 2>/dev/null') == 0 or die "dd: $?\n";
	}
	my $after = $flushes->();
	sleep 2;
	$run->signal('INT');
	$run->finish($END);
	my @rows = grep { $_->{row} eq 'interval' } json_lines($run->text);
	cmp_ok($after, '>', $before, 'the device was flushed');
	is(sum0(map { $_->{flush_requests} } @rows), $after - $before,
	   "flushes are /proc/diskstats'");
	is(sum0(map { $_->{ios} } @rows), 0, '... and no I/Os');
}

# Keys take effect at once, while the device works.
sub test_keys
{
	my ($loop) = @_;
	my $load = fork // die "fork: $!\n";
	local $ENV{PATH} = "$PROGRAMS->{path}:$ENV{PATH}";

	if (!$load) {
		exec 'exec fio --name=writes --rw=randrw --bs=4k --direct=1'
		     . ' --ioengine=libaio --iodepth=16 --fsync=64 --time_based'
		     . " --runtime=60 --filename=$loop >/dev/null 2>&1";
	}
	my ($pid, $terminal) = start_on_terminal([200, 60], \*STDIN,
		"$PROGRAMS->{path}/blktop", $loop);
	shown_in($terminal, qr/write [1-9]/);
	syswrite $terminal, '/';
	shown_in($terminal, qr/where: \S*_/);
	my @took = sort { $a <=> $b } map { type_letter($terminal, $_) } 1 .. 100;
	kill TERM => $_ for $load, $pid;
	waitpid $_, 0 for $load, $pid;
	diag sprintf 'keys: p50 %.1f ms, most %.1f ms', 1e3 * $took[50],
		1e3 * $took[-1];
	cmp_ok($took[50], '<=', patience(0.05), 'half of the keys take effect soon');
	cmp_ok($took[90], '<=', patience(0.1), '... and nine of ten');
}

# A device whose file finds no space: the screen's head says that I/Os fail.
sub test_headline
{
	my $dir = "$TOP/full";
	local $ENV{PATH} = "$PROGRAMS->{path}:$ENV{PATH}";

	mkdir $dir or die "$dir: $!\n";
	system("mount -t tmpfs -o size=1m tmpfs $dir && truncate -s 64M $dir/disk")
		== 0 or die "$dir: $?\n";
	chomp(my $disk = `losetup -f --show $dir/disk`);
	my ($pid, $terminal) = start_on_terminal([120, 40], \*STDIN,
		"$PROGRAMS->{path}/blktop", $disk);
	shown_in($terminal, qr/in flight 0/);
	system("dd if=/dev/zero of=$disk bs=64k count=64 oflag=direct"
	       . ' 2>/dev/null');
	my $took = shown_in($terminal, qr/failed|ENOSPC/);
	cmp_ok($took, '<', patience(30), 'the head says what is wrong');
	kill TERM => $pid;
	waitpid $pid, 0;
	system("losetup -d $disk; umount $dir");
}

# An idle device: it ends, by the clock, and says that nothing was.
sub test_idle
{
	my ($loop) = @_;
	my $run = Process->start([qw(blktop -b -d 0.5 -n 3), $loop], $TOP,
				 $PROGRAMS->{path});

	is($run->finish($END), 0, 'an idle device: -n is an end');
	is(scalar(() = $run->text =~ /^read 0\/s/mg), 3,
	   'and intervals are shown');
}

# --- what it costs -----------------------------------------------------------

# "10.9k" as a number
sub number
{
	my ($text) = @_;
	my %unit = (k => 1e3, M => 1e6);

	return $text =~ /^([\d.]+)([kM]?)$/ ? $1 * ($unit{$2} // 1) : 0;
}

# [events a second, ns of CPU of each], interval by interval
sub costs
{
	my ($text) = @_;
	my @found;

	while ($text =~ m{^read (\S+)/s.*own +([\d.]+)%}mg) {
		my $events = 2 * number($1);
		push @found, [$events, $2 / 100 * 1e9 / $events] if $events;
	}
	return @found;
}

sub test_cost
{
	my ($loop) = @_;
	my $run = Process->start([qw(blktop -b -d 1 --width=120), $loop],
				 $TOP, $PROGRAMS->{path});

	wait_traced($loop);
	system('fio --name=reads --rw=randread --bs=4k --direct=1'
	       . ' --ioengine=libaio --iodepth=32 --time_based'
	       . " --runtime=$SECONDS --filename=$loop >/dev/null 2>&1") == 0
		or die "fio: $?\n";
	sleep 1;
	$run->signal('INT');
	$run->finish($END);
	my @costs = costs($run->text);
	my $most = max(map { $_->[0] } @costs) // 0;
	# where much is to be done, as little has a cost of its own
	my @busy = sort { $a->[1] <=> $b->[1] } grep { $_->[0] > $most / 2 }
		@costs;
	diag(join ', ', map { sprintf '%.0f/s %.0f ns', @$_ } @costs);
	SKIP: {
		skip 'fewer than 20,000 events a second', 1 if $most < 20_000;
		cmp_ok($busy[@busy / 2][1], '<', $COST,
		       'its share is below 10 % at 100,000 events a second');
	}
}

my ($reason) = enter();
plan skip_all => $reason if $reason;
$TOP = tempdir('blktop.XXXXXX', TMPDIR => 1, CLEANUP => 1);
my ($loop) = loops($TOP, 1);

test_idle($loop);
test_headline();
test_numbers($loop);
test_pipe($loop);
test_flushes($loop);
SKIP: {
	skip 'no fio', 3 if system 'fio --version >/dev/null 2>&1';
	test_cost($loop);
	test_keys($loop);
}
done_testing;
