#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Live order, through real pipes: what is held, for how long, what lets it go.
#
#	BIN=DIR prove tests/live-order.t
#
# An event waits until the newest time read is half a second of trace time
# later, or the pipe has been silent for half a second, or ended.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/hostile";
use Cwd 'abs_path';
use File::Temp 'tempdir';
use Process 'patience';
use Records qw(record trace queue_lines $HEADER);
use Suite::Files 'spew';
use Suite::Run qw(find_programs run_command);
use Test::More;
use Time::HiRes qw(sleep time);

my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my $TOP = tempdir('live.XXXXXX', TMPDIR => 1, CLEANUP => 1);
my $MS = 1_000_000;
my $HOLD = 0.5;		# seconds, of trace time and of silence
my $SOON = 4;		# far more than that, far less than for ever
my $TRIES = 50;

die "no blkparse in $PROGRAMS->{dir}\n" unless -x "$PROGRAMS->{dir}/blkparse";

# a blkparse that reads a pipe: (the run, the pipe's other end)
sub start_live
{
	my @options = @_;

	pipe my $in, my $into or die "pipe: $!\n";
	my $run = Process->start(['blkparse', '-', @options], $TOP,
				 $PROGRAMS->{path}, in => $in);
	close $in;
	return ($run, $into);
}

# Number NUMBER of CPU at MS milliseconds; numbers tell events apart here, so
# they have holes per CPU, which is no reason to wait for anything.
sub at
{
	my ($number, $ms, $cpu) = @_;
	return record(number => $number, time => $ms * $MS, cpu => $cpu || 0);
}

sub send_to
{
	my ($into, @records) = @_;
	my $bytes = join '', @records;
	die "the pipe took too little\n"
		unless syswrite($into, $bytes) == length $bytes;
}

# one that must be the last to appear
sub line_of
{
	my ($number) = @_;
	return qr/ @{[8 * $number]} \+ 8 .*\n/;
}

# the numbers of all that has appeared so far
sub shown
{
	my ($run) = @_;
	return [queue_lines($run->text)];
}

# A run in which silence has no part: RECORDS are sent to it, and then nothing
# until the line of event LAST has appeared, and none behind it.  On a busy
# machine silence may have let the others go by the time we look: then it is
# tried again, as what waits for silence never shows the one without the others.
# Returns the run and its pipe.
sub run_before_silence
{
	my ($last, $options, @records) = @_;

	for my $try (1 .. $TRIES) {
		my ($run, $into) = start_live(@$options);
		send_to($into, @records);
		$run->read_until(line_of($last));
		return ($run, $into)
			if shown($run)->[-1] == $last || $try == $TRIES;
		close $into;
		$run->finish;
	}
}

# --- what lets events go -----------------------------------------------------

sub test_silent_cpu
{
	# CPU 1 says nothing between its first event and the end
	my ($run, $into) = run_before_silence(15, [], at(1, 0, 1),
		map { at($_, 100 * $_) } 2 .. 20);

	is_deeply(shown($run), [1 .. 15], 'a silent CPU holds nobody up: what'
		  . ' is half a second old in the trace is shown');
	close $into;
	is($run->finish, 0, '... the end lets all others go, status 0');
	is_deeply(shown($run), [1 .. 20], '... each once');
}

sub test_silence
{
	my ($run, $into) = start_live();

	send_to($into, map { at($_, $_) } 1 .. 3);
	my $begun = time;
	$run->read_until(line_of(3));
	my $took = time - $begun;
	is_deeply(shown($run), [1 .. 3], 'silence lets everything go');
	cmp_ok($took, '>', 0.9 * $HOLD, '... after half a second');
	cmp_ok($took, '<', patience($SOON), '... and not much later');
	# what follows is in order again
	send_to($into, at(5, 20, 1), at(4, 10));
	close $into;
	$run->finish;
	is_deeply(shown($run), [1 .. 5], '... and what comes then is sorted');
}

# The end is as good as silence, and at once.
sub test_end
{
	my ($run, $status, $took);

	for (1 .. $TRIES) {
		($run, my $into) = start_live();
		send_to($into, at(2, 2), at(1, 1, 1));
		my $begun = time;
		close $into;
		$status = $run->finish($SOON);
		$took = time - $begun;
		last if $took < patience(0.8 * $HOLD);
		diag(sprintf 'it took %.1f s: once more', $took);
	}
	is($status, 0, 'the end of a pipe: status 0');
	cmp_ok($took, '<', patience(0.8 * $HOLD), '... without a wait');
	is_deeply(shown($run), [1, 2], '... with everything, in order');
}

# From a pipe -b is how many events may wait.
sub test_bound
{
	my ($run, $into) = run_before_silence(6, ['-b', 4],
		map { at($_, $_) } 1 .. 10);

	is_deeply(shown($run), [1 .. 6], 'with -b 4 no more than 4 events wait,'
		  . ' the others are shown at once');
	close $into;
	$run->finish;
}

# --- order -------------------------------------------------------------------

# Blocks as blktrace reads them: a CPU's quarter of a second at a time.
sub test_blocks
{
	my ($run, $into) = start_live();
	my @zero = grep { $_ % 2 } 1 .. 100;
	my @one = grep { $_ % 2 == 0 } 1 .. 100;

	while (@zero) {
		send_to($into, map { at($_, 10 * $_, 0) } splice @zero, 0, 12);
		send_to($into, map { at($_, 10 * $_, 1) } splice @one, 0, 12);
		sleep 0.01;
	}
	close $into;
	$run->finish;
	is_deeply(shown($run), [1 .. 100],
		  'blocks of two CPUs come out in time order');
	is($run->errors, '', '... and none is late');
}

# 1.3.0 waited for a lost record for ever.
sub test_gap
{
	my ($run, $into) = run_before_silence(70, [], at(1, 0), at(2, 100),
		at(50, 200), map { at($_, 10 * $_) } 51 .. 120);

	is_deeply(shown($run), [1, 2, 50 .. 70],
		  'a gap in the numbers stops nothing');
	close $into;
	is($run->finish, 0, '... nor is it damage');
	like($run->text, qr/^Skips: 1 forward \(47 - /m,
	     '... the summary counts what is missing');
}

# Held back no longer than the rest, but not kept quiet either.
sub test_late
{
	my ($run, $into);

	for (1 .. $TRIES) {
		($run, $into) = run_before_silence(15, [],
			map { at($_, 100 * $_) } 2 .. 20);
		send_to($into, at(1, 100, 1));
		$run->read_until(line_of(1));
		# or silence was quicker than we are
		last if shown($run)->[-1] == 1;
		close $into;
		$run->finish;
	}
	is_deeply(shown($run), [2 .. 15, 1],
		  'what comes too late is shown at once');
	close $into;
	is($run->finish, 0, '... that is no error');
	like($run->errors, qr/\Ablkparse: 1 line late\b.*\n\z/,
	     '... and is counted on standard error');
	is_deeply(shown($run), [2 .. 15, 1, 16 .. 20],
		  '... the others stay in order');
}

# --- the way of the bytes ----------------------------------------------------

# A cut in a header, one behind it, one in a payload.
sub test_pieces
{
	my ($run, $into) = start_live();
	my $bytes = trace(1, 3, payload => 'abc');

	for my $cut (20, $HEADER + 1, length $bytes) {
		my $piece = substr $bytes, 0, $cut, '';
		send_to($into, $piece);
		sleep 0.05;
	}
	send_to($into, $bytes) if length $bytes;
	close $into;
	is($run->finish, 0, 'records that come in pieces: status 0');
	is_deeply(shown($run), [1 .. 3], '... all of them whole');
}

# Only an event beyond the window AND beyond the hold tells that no more come.
sub test_window
{
	my ($run, $into) = start_live('-w', '1');

	send_to($into, map { at($_, 100 * $_) } 1 .. 20);
	my $begun = time;
	# the pipe is open, and so blkparse ends by itself
	is($run->finish, 0, '-w ends the run while the pipe is open');
	cmp_ok(time - $begun, '<', patience($SOON), '... promptly');
	is_deeply(shown($run), [1 .. 11], '... with both ends of the window');
	close $into;
}

# Nobody waits in front of a file: all of it is sorted, up to -b.
sub test_redirected
{
	my $stream = join '', (map { at($_, 100 * $_) } 2 .. 20), at(1, 100, 1);
	my %run = map { $_ => "blkparse - $_< '$TOP/stream'" } '', '-b 4 ';
	my (%texts, $got);

	spew("$TOP/stream", $stream);
	for (1 .. 3) {
		$got = run_command($run{''}, $TOP, $PROGRAMS);
		$texts{$got->{out}}++;
	}
	is_deeply([queue_lines($got->{out})], [1 .. 20],
		  'a redirected file is sorted over any time');
	is($got->{err}, '', '... and nothing is late');
	is(scalar(keys %texts), 1, '... with the same text each time');
	like(run_command($run{'-b 4 '}, $TOP, $PROGRAMS)->{err},
	     qr/\Ablkparse: 1 line late/, '... with -b 4 it may be');
}

test_silent_cpu();
test_silence();
test_end();
test_bound();
test_blocks();
test_gap();
test_late();
test_pieces();
test_window();
test_redirected();
done_testing();
