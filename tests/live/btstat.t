#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# btstat on what blktrace records here: as it comes, through a pipe, row by row
# and in time; and from files, against what the programs that did the I/O say.
#
#	BIN=DIR prove tests/live/btstat.t
#
# Works in a private mount namespace, on loop devices it makes itself.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib", "$FindBin::Bin/../hostile", $FindBin::Bin;
use Cwd 'abs_path';
use File::Temp 'tempdir';
use JSON::PP 'decode_json';
use List::Util qw(max min sum0);
use Machine qw(enter switches loops name_of wait_tracing);
use Process;
use Suite::Files 'slurp';
use Suite::Run qw(find_programs run_command);
use Test::More;
use Time::HiRes qw(CLOCK_MONOTONIC clock_gettime sleep);

my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my @FROM_ISSUE = map { ('-a', $_) } qw(queue issue complete);

# Seconds behind the end of its interval that a row comes: live order is half of
# one, and blktrace looks each quarter for what there is.  The rest is patience
# with a busy machine, but less than to the next read after the longest silence.
my ($USUALLY, $AT_MOST, $SILENCE) = (1.5, 3.5, 5);

# seconds in which whatever has been ended ends, unless it hangs
my $END = 30;

my $TOP;

sub now
{
	return clock_gettime(CLOCK_MONOTONIC);
}

# COUNT reads of 4 KiB, each waited for
sub read_blocks
{
	my ($loop, $count) = @_;
	system("dd if=$loop of=/dev/null bs=4k count=$count iflag=direct " .
	       '2>/dev/null') == 0 or die "dd: $?\n";
}

# --- through a pipe ----------------------------------------------------------

# PROGRAM, which reads what ends at the handle, and writes to another
sub start_filter
{
	my ($command, $in, $out) = @_;
	return Process->start($command, $TOP, $PROGRAMS->{path}, in => $in,
			      $out ? (out => $out) : ());
}

# blktrace to tee to btstat: the two that matter; tee's file is the stream
sub start_pipe
{
	my ($loop, @options) = @_;
	pipe my $from_tracer, my $to_tee or die "pipe: $!\n";
	pipe my $from_tee, my $to_btstat or die "pipe: $!\n";

	my $tracer = Process->start(['blktrace', '-d', $loop, @FROM_ISSUE,
				     '-o', '-'], $TOP, $PROGRAMS->{path},
				    out => $to_tee);
	my $tee = start_filter(['tee', "$TOP/stream"], $from_tracer,
			       $to_btstat);
	close $_ for $from_tracer, $to_tee, $to_btstat;
	my $btstat = start_filter(['btstat', '-i', '-', @options], $from_tee);
	close $from_tee;
	wait_tracing($tracer->pid);
	return ($tracer, $btstat, $tee);
}

# the lines of a process that come until a moment, in ARRIVED: [when, line]
sub gather
{
	my ($run, $until, $arrived) = @_;

	while ((my $left = $until - now()) > 0) {
		my $taken = sum0 map { length $_->[1] } @$arrived;
		$run->read_until(qr/\A.{$taken}[^\n]*\n/s, $left);
		take_lines($run, $arrived);
	}
}

# those that have come by now
sub take_lines
{
	my ($run, $arrived) = @_;
	my $taken = sum0 map { length $_->[1] } @$arrived;

	push @$arrived, map { [now(), $_] }
		substr($run->text, $taken) =~ /[^\n]*\n/g;
}

# WORK in the background while lines are gathered
sub gather_while
{
	my ($run, $arrived, $work) = @_;
	my $pid = fork;
	die "fork: $!\n" unless defined $pid;
	if (!$pid) {
		my $fine = eval { $work->(); 1 };
		POSIX::_exit(!$fine);
	}
	gather($run, now() + 0.1, $arrived) until waitpid $pid, 1;
	is($?, 0, 'the work is done');
}

# when the first event of the stream was, by the machine's clock
sub beginning
{
	my $bytes = slurp("$TOP/stream");
	my ($head, $note, $at, $first) = (48, 1 << 26, 0);

	while ($at + $head <= length $bytes) {
		my ($time, $action, $len) = unpack 'x8 Q x12 L x14 S',
			substr $bytes, $at, $head;
		$first = $time if !($action & $note) &&
			(!defined $first || $time < $first);
		$at += $head + $len;
	}
	return $first / 1e9;
}

# Reads, some seconds without any, reads, the end: a row for each second that
# comes when it is over, also when nothing else does.
sub test_rows
{
	my ($loop) = @_;
	my ($tracer, $btstat, $tee) = start_pipe($loop, '--interval=1',
						 '--format=csv');
	my @arrived;

	gather_while($btstat, \@arrived, sub {
		read_blocks($loop, 25), sleep 0.1 for 1 .. 40;
	});
	gather($btstat, now() + $SILENCE, \@arrived);
	gather_while($btstat, \@arrived, sub { read_blocks($loop, 100) });
	gather($btstat, now() + 1.2, \@arrived);
	my $live = @arrived;
	$tracer->signal('INT');
	is($tracer->finish($END), 0, 'SIGINT ends blktrace well')
		or diag($tracer->errors);
	is($tee->finish($END) . $btstat->finish($END), '00', '... and btstat')
		or diag($btstat->errors);
	take_lines($btstat, \@arrived);
	check_rows($live - 1, @arrived);
}

sub check_rows
{
	my ($live, @arrived) = @_;
	my ($heading, @rows) = map { $_->[1] } @arrived;
	my $from = beginning();
	my @ends = map { (split /,/)[0] / 1e9 + 1 } @rows;
	my @late = map { $arrived[$_ + 1][0] - $from - $ends[$_] }
		0 .. $live - 1;

	like($heading, qr/^time_ns,length_ns,ios,/, 'a heading');
	cmp_ok($live, '>=', 6, 'rows come while it is traced');
	is("@ends", join(' ', 1 .. @rows), '... one for each second');
	note(sprintf 'rows come %s s after their end',
	     join ' ', map { sprintf '%.2f', $_ } @late);
	cmp_ok(min(@late), '>', 0, '... when it is over');
	cmp_ok((sort { $a <=> $b } @late)[@late / 2], '<', $USUALLY,
	       '... in time, usually');
	cmp_ok(max(@late), '<', $AT_MOST, '... at most a bit later');
	is(sum0(map { (split /,/)[2] } @rows), 1100,
	   '... and have all that was read');
	cmp_ok(scalar(grep { (split /,/)[2] == 0 } @rows), '>=', 2,
	       '... also those of seconds without any');
}

# the same for people; whoever has seen enough ends btstat alone
sub test_interrupted
{
	my ($loop) = @_;
	my ($tracer, $btstat, $tee) = start_pipe($loop, '--interval=3');

	read_blocks($loop, 50);
	$btstat->read_until(qr/\n .*\n/, $END);
	$btstat->signal('INT');
	is($btstat->finish($END), 0, 'SIGINT ends btstat well');
	my @lines = split /\n/, $btstat->text;
	like($lines[0], qr/^ +from +I.Os /, '... which has printed a heading');
	like($lines[1], qr/^ *0\.000s? +50 /, '... a row');
	like($btstat->text, qr/^I.Os +50: 50 measured \(100%\), 0 open, 0 unm/m,
	     '... and all in all');
	$tracer->signal('INT');
	$tracer->finish($END);
	$tee->finish($END);
}

# ^C goes to all of a pipeline, after reads of which some are still held
sub test_terminal
{
	my ($loop) = @_;
	my ($tracer, $btstat, $tee) = start_pipe($loop, '--by=process');

	read_blocks($loop, 60);
	$_->signal('INT') for $btstat, $tracer;
	is($tracer->finish($END), 0, '^C: blktrace ends well')
		or diag($tracer->errors);
	is($btstat->finish($END), 0, '... and btstat');
	$tee->finish($END);
	like($btstat->text, qr/^I.Os +60: 60 measured \(100%\), 0 open, 0 unm/m,
	     '... which has all');
	like($btstat->text, qr/^dd +60 /m, '... and knows whose');
}

# --- from files --------------------------------------------------------------

# what btstat makes of the capture in DIR, a hash for each row of csv
sub rows_of
{
	my ($dir, $loop, $options) = @_;
	my $got = run_command("btstat -D $dir " . name_of($loop) .
			      " --format=csv $options", $TOP, $PROGRAMS);
	my ($heading, @lines) = split /\n/, $got->{out};
	my @names = split /,/, $heading // '';

	diag($got->{err}) if $got->{rc};
	return map {
		my %row;
		@row{@names} = split /,/;
		\%row
	} @lines;
}

# fio: COUNT random reads, one at a time; what it says of them
sub run_fio
{
	my ($loop, $count, $size) = @_;
	my $bytes = $count * ($size << 10);
	my $text = `fio --name=reads --filename=$loop --rw=randread \\
		--bs=${size}k --size=64m --io_size=$bytes --direct=1 \\
		--ioengine=psync --output-format=json`;
	return undef if $?;
	return decode_json($text)->{jobs}[0]{read};
}

sub record_work
{
	my ($dir, $loop, $work) = @_;
	mkdir $dir;
	my $tracer = Process->start(['blktrace', '-d', $loop, '-D', $dir],
				    $TOP, $PROGRAMS->{path});
	wait_tracing($tracer->pid);
	my $result = $work->();
	ok($tracer->runs, 'all is done while it is traced');
	$tracer->signal('INT');
	is($tracer->finish($END), 0, 'the capture ends well');
	return $result;
}

sub test_files
{
	my ($loop) = @_;
	my ($dir, $name) = ("$TOP/files", name_of($loop));
	my $fio = record_work($dir, $loop, sub {
		read_blocks($loop, 70);
		return run_fio($loop, 300, 256);
	});
	my $got = run_command("btstat --strict -D $dir $name", $TOP, $PROGRAMS);

	is($fio->{total_ios}, 300, 'fio has done its reads');
	is($got->{rc}, 0, '--strict: all was measured') or diag($got->{out});
	like($got->{out}, qr/^I.Os +370: 370 measured \(100%\), 0 open, 0 unm/m,
	     '... as many as were done');
	like($got->{out}, qr/^lost +none \(/m, '... and nothing lost');
	test_processes($dir, $loop);
	test_times($dir, $loop, $fio);
}

sub test_processes
{
	my ($dir, $loop) = @_;
	my %of = map { $_->{process} => $_->{count} }
		grep { $_->{phase} eq 'q2c' }
		rows_of($dir, $loop, '--by=process');
	is_deeply(\%of, { dd => 70, fio => 300 }, '--by=process: whose');

	my ($row) = grep { $_->{phase} eq 'q2c' }
		rows_of($dir, $loop, q{--where='process==dd && size==4K'});
	is($row->{count}, 70, '--where: those of one');
	is(scalar rows_of($dir, $loop, q{--where='process==dd && size>4K'}), 0,
	   '... or none');
}

# fio's clock begins before a read is queued, and ends when fio runs again: a
# system call and a wakeup more, which a busy machine may make long for a few.
sub test_times
{
	my ($dir, $loop, $fio) = @_;
	my %of = map { $_->{phase} => $_ }
		rows_of($dir, $loop, q{--where='process==fio'});
	my $mean = $of{q2c}{sum_ns} / $of{q2c}{count};
	my ($q2c, $d2c) = map { $of{$_}{p50_ns} } qw(q2c d2c);
	my $median = $fio->{clat_ns}{percentile}{'50.000000'};

	note(sprintf 'fio mean %.1f us, p50 %.1f; Q2C %.1f, %.1f; D2C p50 %.1f',
	     map { $_ / 1e3 } $fio->{lat_ns}{mean}, $median, $mean, $q2c, $d2c);
	cmp_ok($mean, '<', $fio->{lat_ns}{mean},
	       'mean Q2C: less than fio has measured');
	# the percentiles of both are cells' middles
	cmp_ok($q2c, '<', 1.02 * $median, 'p50: no more');
	cmp_ok($q2c, '>', 0.5 * $median, '... and most of it');
	cmp_ok($d2c, '<=', $q2c, 'p50 of D2C: less than of Q2C');
	cmp_ok($d2c, '>', 0.4 * $median, "... and most of fio's");
}

sub main
{
	$TOP = tempdir('btstat.XXXXXX', TMPDIR => 1, CLEANUP => 1);
	my ($loop) = loops($TOP, 1);
	my $before = switches();

	test_rows($loop);
	test_interrupted($loop);
	test_terminal($loop);
 SKIP: {
		skip 'no fio', 1 if system 'fio --version >/dev/null 2>&1';
		test_files($loop);
	}
	is(switches(), $before, 'every switch is put back');
	done_testing();
}

my ($reason) = enter();
plan skip_all => $reason if $reason;
main();
