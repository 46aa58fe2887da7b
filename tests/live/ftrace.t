#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Capture by tracefs' blk tracer, on this machine's kernel and loop devices.
#
#	BIN=DIR DRIVER=PROGRAM prove tests/live/ftrace.t
#
# Works in a private mount namespace, on loop devices it makes itself, with
# tests/live/ftrace_capture.c as PROGRAM.  The numbers of I/Os are known, so
# the numbers of events are, too.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib", "$FindBin::Bin/../hostile", $FindBin::Bin;
use Cwd 'abs_path';
use Fcntl qw(O_NONBLOCK O_RDONLY);
use File::Temp 'tempdir';
use IO::Handle;
use POSIX ();
use Process qw(deadline patience);
use Machine qw($TRACEFS enter switches loops forget_loop write_blocks
	       name_of wait_tracing);
use Suite::Files qw(slurp spew);
use Test::More;
use Time::HiRes qw(CLOCK_MONOTONIC clock_gettime sleep time);

my $BIN = abs_path($ENV{BIN} || '.');
my $DRIVER = abs_path($ENV{DRIVER} || 'build/tests/live/ftrace_capture');
my $HEADER = 48;
my $NOTE = 1 << 26;		# the category in an action word
my $CGROUP = 0x100;		# in an action's number
my ($PROCESS, $TIMESTAMP, $MESSAGE) = (0, 1, 2);

# --- a capture -------------------------------------------------------------

# A driver that says it is ready: { pid, in, out }; die with what it says.
sub start
{
	my ($dir, @words) = @_;
	mkdir $dir;
	pipe my $from, my $into or die "pipe: $!\n";
	pipe my $read, my $say or die "pipe: $!\n";
	my $pid = fork;
	die "fork: $!\n" unless defined $pid;
	if (!$pid) {
		close $into;
		open STDIN, '<&', $from;
		open STDOUT, '>&', $say;
		open STDERR, '>', "$dir/errors";
		exec($DRIVER, @words) or POSIX::_exit(127);
	}
	close $from;
	close $say;
	my $line = <$read>;
	my $run = { pid => $pid, in => $into, out => $read, dir => $dir };
	$run->{ready} = defined $line && $line eq "ready\n";
	return $run;
}

# Ends it: the numbers it tells, name by name, in lists.
sub finish
{
	my ($run) = @_;
	my %said = (wakeups => [0]);
	close $run->{in};
	while (readline $run->{out}) {
		push @{$said{$1}}, $2 if /^(\w+) (\d+)$/;
	}
	waitpid $run->{pid}, 0;
	$said{status} = $?;
	$said{errors} = slurp("$run->{dir}/errors");
	return \%said;
}

# start, WORK, finish; options stand before the directory
sub capture
{
	my ($dir, $loops, $work, @options) = @_;
	mkdir $dir;
	my $run = start($dir, @options, $dir, @$loops);
	$work->() if $run->{ready};
	return finish($run);
}

# --- what was captured -----------------------------------------------------

# all records of a file; FAULTS gets what is wrong with their order
sub records
{
	my ($path, $faults) = @_;
	my ($cpu) = $path =~ /\.(\d+)$/;
	my $bytes = slurp($path);
	my ($at, @records) = (0);
	while ($at + $HEADER <= length $bytes) {
		my %r;
		@r{qw(magic sequence time sector bytes action pid device cpu
		      error len)} =
			unpack 'L L Q Q L L L L L S S', substr $bytes, $at;
		$r{payload} = substr $bytes, $at + $HEADER, $r{len};
		$r{note} = $r{action} & $NOTE;
		$r{number} = $r{action} & 0xffff & ~$CGROUP;
		push @$faults, "$path: byte $at: no record"
			if $r{magic} != 0x65617407;
		push @$faults, "$path: byte $at: CPU $r{cpu}"
			if $r{cpu} != $cpu;
		push @records, \%r;
		$at += $HEADER + $r{len};
		last if @$faults > 5;
	}
	push @$faults, "$path: cut at its end" if $at != length $bytes;
	push @$faults, map { "$path: back in time" } grep {
		$records[$_]{time} < $records[$_ - 1]{time}
	} 1 .. $#records;
	return @records;
}

# a device's files, CPU after CPU: lists of records
sub files
{
	my ($dir, $loop, $faults) = @_;
	return map { [records($_, $faults)] }
		glob "$dir/" . name_of($loop) . '.blktrace.*';
}

# what is wrong with the numbers of a file's events; LOST may be missing
sub number_faults
{
	my ($lost, @records) = @_;
	my ($expect, $missing, @faults) = (1, 0);
	for my $r (@records) {
		if ($r->{note}) {
			push @faults, 'a note with a number' if $r->{sequence};
			next;
		}
		push @faults, "number $r->{sequence} after $expect"
			if $r->{sequence} < $expect;
		$missing += $r->{sequence} - $expect;
		$expect = $r->{sequence} + 1;
	}
	$$lost += $missing;
	return @faults;
}

# what is wrong with the names: each pid's before its first event, and once
sub name_faults
{
	my (@records) = @_;
	my (%named, @faults);
	for my $r (@records) {
		my $name = $r->{note} && $r->{number} == $PROCESS;
		push @faults, "pid $r->{pid} named twice"
			if $name && $named{$r->{pid}}++;
		push @faults, "pid $r->{pid} has no name"
			if !$r->{note} && !$named{$r->{pid}};
	}
	return @faults;
}

# how often blkparse shows each action: { letter => count }
sub actions
{
	my ($dir, $loop) = @_;
	my $name = name_of($loop);
	my %count;
	my $text = `$BIN/blkparse -q -D $dir $name -f 'act=%a\\n' 2>&1`;
	die "blkparse: $text\n" if $?;
	$count{$1}++ while $text =~ /^act=(\w+)$/mg;
	return \%count;
}

# --- the tests -------------------------------------------------------------

# WORK with captures that find no pages of the ring buffer, as nothing tells
# what these look like.
sub by_pipe
{
	my ($work) = @_;
	my $text = "$TRACEFS/events/header_page";
	system('mount', '--bind', '/dev/null', $text) and die "mount\n";
	$work->();
	system('umount', $text) and die "umount\n";
}

# Two devices at once, every I/O found again.
sub test_two
{
	my ($top, @loops) = @_;
	my %writes = ($loops[0] => 500, $loops[1] => 300);
	my $before = time;
	my $said = capture("$top/two", \@loops, sub {
		write_blocks($_, $writes{$_}) for @loops;
	});
	my @faults;

	is($said->{status}, 0, 'a capture of two devices ends well')
		or diag($said->{errors});
	is("@{$said->{lost}} @{$said->{skipped}}", '0 0 0',
	   'nothing lost, no byte that is no record');
	for my $loop (@loops) {
		my $found = actions("$top/two", $loop);
		my $n = $writes{$loop};
		is("@{[map { $found->{$_} || 0 } qw(Q G D C)]}",
		   "$n $n $n $n", "$n writes: as many Q, G, D and C");
		my @files = files("$top/two", $loop, \@faults);
		check_files($loop, @files);
		check_stamp($before, @files);
	}
	is("@faults", '', 'whole records, in order of time, of their CPU');
}

sub check_files
{
	my ($loop, @files) = @_;
	my $lost = 0;
	my @faults = map { number_faults(\$lost, @$_) } @files;
	my ($dd) = grep {
		$_->{note} && $_->{number} == $PROCESS &&
		$_->{payload} =~ /^dd\0+$/ && $_->{len} == 16
	} map { @$_ } @files;

	is("@faults $lost", ' 0', 'events numbered from 1 without a hole');
	is(join(', ', map { name_faults(@$_) } @files), '',
	   'a process is named once, before its first event');
	ok($dd, 'the process that wrote is named dd');
	my ($minor) = $loop =~ /(\d+)$/;
	is(scalar(grep { $_->{device} != (7 << 20 | $minor) }
		  map { @$_ } @files), 0, 'all records are of the device');
}

sub check_stamp
{
	my ($before, @files) = @_;
	my @all = map { @$_ } @files;
	my @stamps = grep { $_->{note} && $_->{number} == $TIMESTAMP } @all;
	my ($first) = sort { $a <=> $b } map { $_->{time} } @all;
	my ($wall) = @stamps ? unpack 'L', $stamps[0]{payload} : 0;

	is(scalar @stamps, 1, 'one note of when tracing began');
	is($stamps[0]{time}, $first, 'nothing is earlier than that');
	ok($wall >= $before - 1 && $wall <= time, 'it tells the wall clock');
	# a day of uptime more or less would show a clock that is not the same
	my ($uptime) = slurp('/proc/uptime') =~ /^(\d+)/;
	ok(abs($first / 1e9 - $uptime) < 60, 'times are the monotonic clock');
}

sub test_mask
{
	my ($top, $loop) = @_;
	my $said = capture("$top/mask", [$loop], sub {
		write_blocks($loop, 50);
	}, '-m', '40');
	my $found = actions("$top/mask", $loop);

	is($said->{status}, 0, 'a capture with a mask ends well')
		or diag($said->{errors});
	is(join(' ', map { "$_$found->{$_}" } sort keys %$found), 'D50',
	   'a mask of ISSUE records D and nothing else');
}

# A buffer too small, read too late.  Captures only make it larger.
sub test_overrun
{
	my ($top, @loops) = @_;
	my ($size) = switches() =~ /^buffer_size_kb (\d+)$/m;
	spew("$TRACEFS/buffer_size_kb", 16);
	my $said = capture("$top/over", \@loops, sub {
		write_blocks($_, 400) for @loops;
	}, '-l', '-b', '16');
	spew("$TRACEFS/buffer_size_kb", $size);
	my ($lost, $kept, $told, $overrun) = (0, 0, 0, 0);
	my @faults;

	for my $file (map { files("$top/over", $_, \@faults) } @loops) {
		push @faults, number_faults(\$lost, @$file);
		$kept += grep { !$_->{note} } @$file;
	}
	$told += $_ for @{$said->{lost}};
	$overrun += $_ for @{$said->{overrun}};
	is($said->{status}, 0, 'a capture that lost events ends well');
	is("@faults", '', 'what is left is whole and in order');
	is("@{$said->{skipped}}", '0', 'and nothing of it is passed over');
	cmp_ok($lost, '>', 0, 'events are lost where the buffer is too small');
	is($told, $lost, 'as many as there are numbers left out');
	is($overrun, $lost, 'as many as the kernel counts');
	cmp_ok($kept, '>', 0, 'and some are left');
}

# A few events do not wake anybody, and neither does silence.
sub test_wakeups
{
	my ($top, $loop) = @_;
	my $begin = clock_gettime(CLOCK_MONOTONIC);
	my $said = capture("$top/idle", [$loop], sub {
		write_blocks($loop, 5), sleep 0.5 for 1 .. 6;
	});
	my $seconds = clock_gettime(CLOCK_MONOTONIC) - $begin;
	# what has begun of a second, and the end
	cmp_ok($said->{wakeups}[0], '<=', int($seconds) + 2,
	       'one wakeup a second while little happens');
	is(actions("$top/idle", $loop)->{C}, 30, 'and no event is missing');
}

# One at a time; the second does no harm to the first.
sub test_busy
{
	my ($top, @loops) = @_;
	my $run = start("$top/first", "$top/first", $loops[0]);
	ok($run->{ready}, 'a first capture runs');
	my $second = capture("$top/second", [$loops[1]], sub { });
	isnt($second->{status}, 0, 'a second is refused');
	like($second->{errors}, qr/^ftrace_capture: .*another capture/,
	     'and says why');
	write_blocks($loops[0], 20);
	my $said = finish($run);
	is($said->{status}, 0, 'the first ends well');
	is(actions("$top/first", $loops[0])->{C}, 20, 'and has all its events');
}

sub test_foreign
{
	my ($top, @loops) = @_;
	my $enable = '/sys/block/' . name_of($loops[1]) . '/trace/enable';
	spew($enable, "1\n");
	my $said = capture("$top/foreign", [$loops[0]], sub { });
	my $still = slurp($enable);
	spew($enable, "0\n");
	like($said->{errors}, qr/traced already/,
	     'refused while another device is traced');
	is($still, "1\n", 'whose trace goes on');
}

sub test_killed
{
	my ($top, $loop) = @_;
	my $enable = '/sys/block/' . name_of($loop) . '/trace/enable';
	my $run = start("$top/killed", "$top/killed", $loop);
	my $early = system "$DRIVER -k $top $loop 2>/dev/null";
	isnt($early, 0, 'a capture that lives is not cleaned up');
	kill KILL => $run->{pid};
	finish($run);
	is(slurp("$TRACEFS/current_tracer"), "blk\n",
	   'one that is killed leaves its tracer');
	is(system("$DRIVER -k $top $loop"), 0, 'cleaning up after it works');
	is(slurp("$TRACEFS/current_tracer") . slurp($enable), "nop\n0\n",
	   'tracer and device are off again');
}

# A device that goes away in the middle.
sub test_gone
{
	my ($top, $loop) = @_;
	my $said = capture("$top/gone", [$loop], sub {
		write_blocks($loop, 10);
		system "losetup -d $loop";
		forget_loop($loop);
	});
	is($said->{status}, 0, 'a device that went away is no error')
		or diag($said->{errors});
	is(actions("$top/gone", $loop)->{C}, 10, 'its events are there');
}

# --- what others do to a capture ---------------------------------------------

my $IOS = 1600;			# of fio, in 4 s
my $PER_IO = 6;			# events: Q G P U D C

# blktrace of LOOP into DIR; true once it traces: { pid, dir }
sub blktrace
{
	my ($dir, $loop, @options) = @_;
	mkdir $dir;
	my $pid = fork;
	die "fork: $!\n" unless defined $pid;
	if (!$pid) {
		open STDOUT, '>', "$dir/totals";
		open STDERR, '>', "$dir/errors";
		exec("$BIN/blktrace", '--via=ftrace', '-d', $loop, '-D', $dir,
		     @options) or POSIX::_exit(127);
	}
	my $run = { pid => $pid, dir => $dir };
	return $run if wait_tracing($pid);
	end_blktrace($run);
	die "blktrace: $run->{errors}";
}

# its status, totals and errors
sub end_blktrace
{
	my ($run) = @_;
	kill INT => $run->{pid};
	waitpid $run->{pid}, 0;
	$run->{status} = $?;
	$run->{$_} = slurp("$run->{dir}/$_") for qw(totals errors);
	return $run;
}

# fio reads a LOOP at a steady rate
sub fio
{
	my ($loop) = @_;
	my $pid = fork;
	die "fork: $!\n" unless defined $pid;
	return $pid if $pid;
	open STDOUT, '>', '/dev/null';
	exec('fio', '--name=load', "--filename=$loop", '--rw=randread',
	     '--bs=4k', '--direct=1', '--rate_iops=400',
	     "--number_ios=$IOS", '--norandommap', '--io_size=1g')
		or POSIX::_exit(127);
}

# the line of a report that matches, as soon as it is there, and how long that
# took; else an empty one
sub wait_report
{
	my ($run, $pattern) = @_;
	my ($begin, $last) = (time, deadline(10));
	while (time < $last) {
		my ($line) = slurp("$run->{dir}/errors") =~ /^(.*$pattern.*)$/m;
		return ($line, time - $begin) if defined $line;
		sleep 0.05;
	}
	return ('', time - $begin);
}

# "lost" of btstat: how many records, or its text
sub lost_of
{
	my ($dir, $loop) = @_;
	my $name = name_of($loop);
	my ($text) = `$BIN/btstat $dir/$name 2>&1` =~ /^lost\s+(.*)$/m;
	return $1 if $text =~ /^(\d+) of /;
	return $text;
}

# WORK is done to a capture that has run for 1.5 s under a load
sub disturb
{
	my ($dir, $loop, $pattern, $work, @options) = @_;
	my $run = blktrace($dir, $loop, @options);
	my $load = fio($loop);
	sleep 1.5;
	$work->();
	my ($line, $took) = wait_report($run, $pattern);
	waitpid $load, 0;
	end_blktrace($run);
	my $found = actions($dir, $loop);
	$run->{events} = 0;
	$run->{events} += $found->{$_} || 0 for qw(Q G P U D C);
	is($run->{status}, 0, "$pattern: the capture goes on, and ends well");
	my $times = qr/between \d+\.\d{3} and \d+\.\d{3} s/;
	like($line, qr/$pattern.* $times: (?:about )?\d+ events lost/,
	     'reported with its times, and how many events');
	cmp_ok($took, '<', patience(2), 'within two seconds');
	return ($run, $line);
}

# What btstat says is lost is what is missing, by fio's count.
sub check_lost
{
	my ($run, $loop, $slack) = @_;
	my $lost = lost_of($run->{dir}, $loop);
	my $true = $IOS * $PER_IO - $run->{events};
	my ($total) = $run->{totals} =~ /Total:.*dropped (\d+)/;

	cmp_ok($true, '>', 0, "$true events are missing");
	like($lost, qr/^\d+$/, 'btstat has a loss');
	cmp_ok(abs($lost - $true), '<=', $slack * $true + 60,
	       "btstat: $lost lost, truly $true");
	is($total, $lost, 'as many as the totals have as dropped');
	my $text = `$BIN/blkparse -q -D $run->{dir} @{[name_of($loop)]}`;
	like($text, qr/ m +N blktrace: \d+ dropped since \d+\.\d{9}$/m,
	     'and a message in the trace');
}

sub test_switched_off
{
	my ($top, $loop) = @_;
	my ($run, $line) = disturb("$top/off", $loop,
				   'tracing was switched off', sub {
		spew("$TRACEFS/tracing_on", "0\n");
	});
	like($line, qr/; switched on again$/, 'switched on again');
	check_lost($run, $loop, 0.2);
}

# shorter than the time between two looks
sub test_blip
{
	my ($top, $loop) = @_;
	my ($run, $line) = disturb("$top/blip", $loop,
				   'tracing was switched off', sub {
		spew("$TRACEFS/tracing_on", "0\n");
		sleep 0.3;
		spew("$TRACEFS/tracing_on", "1\n");
	});
	check_lost($run, $loop, 0.2);
}

# The mask is set again, too.
sub test_disabled
{
	my ($top, $loop) = @_;
	my $place = '/sys/block/' . name_of($loop) . '/trace';
	my ($before, $after);
	my ($run, $line) = disturb("$top/disabled", $loop, 'the trace of '
				   . name_of($loop) . ' was disabled', sub {
		$before = slurp("$place/act_mask");
		spew("$place/enable", "0\n");
		sleep 1.2;
		$after = slurp("$place/act_mask");
	}, qw(-a queue -a issue -a complete));
	like($line, qr/; switched on again$/, 'switched on again');
	is($after, $before, 'with the same mask');
	isnt(lost_of("$top/disabled", $loop), 0, 'btstat has a loss');
	like(lost_of("$top/disabled", $loop), qr/^\d+$/, 'with its number');
}

sub test_cleared
{
	my ($top, $loop) = @_;
	my ($run) = disturb("$top/cleared", $loop, 'the buffer was cleared',
			    sub { spew("$TRACEFS/trace", "\n") });
	check_lost($run, $loop, 0.2);
}

# what blktrace has reported, but that it began
sub remarks_of
{
	my ($run) = @_;
	return $run->{errors} =~ s/^blktrace: tracing .*\n//r;
}

# The kernel keeps its tracer while we read, so that this cannot do harm.
sub test_tracer
{
	my ($top, $loop) = @_;
	my $run = blktrace("$top/tracer", $loop);
	my $failed = system "echo nop 2>/dev/null >$TRACEFS/current_tracer";
	write_blocks($loop, 100);
	end_blktrace($run);
	isnt($failed, 0, 'the kernel lets nobody make another tracer current');
	is(actions("$top/tracer", $loop)->{C}, 100, 'all events are there');
	is(remarks_of($run), '', 'and nothing is reported');
}

# Reads pages of the ring buffer for 0.7 s, and until it has had some, if there
# are any.
sub read_pages
{
	my @files = map {
		sysopen my $file, $_, O_RDONLY | O_NONBLOCK or die "$_: $!\n";
		$file;
	} glob "$TRACEFS/per_cpu/cpu*/trace_pipe_raw";
	my ($end, $last) = (time + 0.7, deadline(10));
	my $got = 0;

	while (time < ($got ? $end : $last)) {
		$got += grep { sysread $_, my $page, 4096 } @files;
		sleep 0.001;
	}
}

# What another process reads is counted exactly.
sub test_read_away
{
	my ($top, $loop) = @_;
	my ($run) = disturb("$top/read", $loop, 'another process read events',
			    \&read_pages);
	check_lost($run, $loop, 0.05);
}

sub test_healthy
{
	my ($top, $loop) = @_;
	my @wrong;
	for my $i (1 .. 10) {
		my $run = blktrace("$top/healthy.$i", $loop);
		write_blocks($loop, 2000) for 1 .. 4;
		sleep 0.13 * $i;
		end_blktrace($run);
		my $ios = actions($run->{dir}, $loop)->{C};
		my $lost = lost_of($run->{dir}, $loop);
		push @wrong, "$ios ios, $lost, $run->{errors}$run->{totals}"
			if remarks_of($run) ne '' || $ios != 8000 ||
			   $lost =~ /^\d/ || $run->{totals} !~ /dropped 0\)/;
	}
	is("@wrong", '', 'ten captures that nobody disturbs report nothing');
}

sub test_disturbed
{
	my ($top, $loop) = @_;
	test_switched_off($top, $loop);
	test_blip($top, $loop);
	test_disabled($top, $loop);
	test_cleared($top, $loop);
	test_tracer($top, $loop);
	test_read_away($top, $loop);
	test_healthy($top, $loop);
}

sub main
{
	my $top = tempdir('ftrace.XXXXXX', TMPDIR => 1, CLEANUP => 1);
	my @loops = loops($top, 3);
	my $before = switches();
	my $check = sub {
		is(switches(), $before, "$_[0]: every switch is put back");
	};

	test_two($top, @loops[0, 1]);
	$check->('two devices');
	test_mask($top, $loops[0]);
	$check->('mask');
	test_overrun($top, @loops[0, 1]);
	$check->('overrun');
	mkdir "$top/pipe";
	by_pipe(sub {
		test_two("$top/pipe", @loops[0, 1]);
		test_overrun("$top/pipe", @loops[0, 1]);
	});
	$check->('by trace_pipe');
	test_wakeups($top, $loops[0]);
	test_busy($top, @loops);
	test_foreign($top, @loops);
	$check->('refused');
	SKIP: {
		skip 'no fio', 1 if system 'fio --version >/dev/null 2>&1';
		test_disturbed($top, $loops[0]);
	}
	$check->('disturbed');
	test_gone($top, $loops[2]);
	$check->('device gone');
	test_killed($top, $loops[0]);
	$check->('killed');
	done_testing();
}

my ($reason) = -x $DRIVER ? enter() : 'no program ftrace_capture';
plan skip_all => $reason if $reason;
main();
