#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Rows of btstat --interval through a real pipe: each when it is over, by the
# events or, when none come, by the clock; and never earlier.
#
#	BIN=DIR prove tests/rows.t
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/hostile";
use Cwd 'abs_path';
use File::Temp 'tempdir';
use Process qw(patience wait_taken);
use Suite::Run 'find_programs';
use Test::More;
use POSIX 'SIGINT';
use Time::HiRes qw(CLOCK_MONOTONIC clock_gettime sleep);

my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my $TOP = tempdir('rows.XXXXXX', TMPDIR => 1, CLEANUP => 1);

# of reads: categories and action
my %ACTION = (Q => 0x00110001, G => 0x00110004, D => 0x01410007,
	      C => 0x01810008);
my $MAGIC = 0x65617407;
my $DEVICE = 8 << 20;
my $HOLD = 0.5;			# live order

$SIG{PIPE} = 'IGNORE';
my ($zero, $number) = (0, 0);	# of the trace: its clock, its records

# the time of the trace, in seconds
sub now
{
	return clock_gettime(CLOCK_MONOTONIC) - $zero;
}

# when it is over
sub sleep_until
{
	my ($when) = @_;
	my $left = $when - now();
	sleep $left if $left > 0;
	return now();
}

# an event of 4 KiB at a sector, and a time
sub event
{
	my ($action, $seconds, $sector) = @_;
	return pack 'L L Q Q L L L L L S S', $MAGIC, ++$number,
		1e9 + 1e9 * $seconds, $sector, 4096, $ACTION{$action}, 100,
		$DEVICE, 0, 0, 0;
}

sub start
{
	pipe my $in, my $into or die "pipe: $!\n";
	my $run = Process->start([qw(btstat -i - --interval=1 --format=csv)],
				 $TOP, $PROGRAMS->{path}, in => $in);
	close $in;
	return ($run, $into);
}

# so many rows, and no more: when the last of them came
sub row_comes
{
	my ($run, $count) = @_;
	my $text = $run->read_until(qr/\A(?:[^\n]*\n){@{[$count + 1]}}/);
	is($text =~ tr/\n//, $count + 1, "row $count comes");
	return now();
}

sub in_time
{
	my ($run, $count) = @_;
	my $late = row_comes($run, $count) - $count;

	cmp_ok($late, '>', 0, '... when it is over');
	cmp_ok($late, '<', $HOLD + patience(0.5), '... and soon');
}

# Ten reads, then nothing: rows come all the same.  Then one whose end is long
# in coming: that it was issued is no reason to take for silence what was there
# before.
sub test_silence
{
	my ($run, $into) = start();

	$zero = clock_gettime(CLOCK_MONOTONIC) - 0.95;
	syswrite $into, join '', map {
		my $n = $_;
		map { event($_, $n / 10, 8 * $n) } qw(Q G D C)
	} 0 .. 9;
	in_time($run, $_) for 1 .. 2;
	sleep_until(2.6);
	syswrite $into, join '', map { event($_, now(), 800) } qw(Q G D);
	my $end = sleep_until(4.3);
	syswrite $into, event('C', $end, 800);
	close $into;
	is($run->finish, 0, 'the end: status 0');
	my (undef, @rows) = map { [split /,/] } split /\n/, $run->text;
	is(join(' ', map { $_->[2] } @rows), '10 0 0 0 1',
	   '... all ios are in the rows in which they end');
	# a row does not wait longer than the next for what is under way
	is(join(' ', map { sprintf '%.3f', $_->[5] / 1e9 } @rows[3, 4]),
	   sprintf('1.000 %.3f', $end - 4),
	   '... and under way in those that were not printed yet');
}

# A terminal's ^C reaches blktrace, too, whose last events are still to come;
# but whoever does not end is not waited for.
sub test_interrupt
{
	my ($run, $into) = start();
	my @read = map { event($_, 0, 8) } qw(Q G D C);

	syswrite $into, join '', @read[0 .. 2];
	$run->wait_for_handler(SIGINT);
	wait_taken($into);
	$run->signal('INT');
	sleep 0.2;
	syswrite $into, $read[3];
	close $into;
	is($run->finish, 0, 'SIGINT: status 0');
	like($run->text, qr/^0,1,1,/m, '... what comes until the end counts');

	($run, $into) = start();
	$run->wait_for_handler(SIGINT);
	$run->signal('INT');
	my $begun = clock_gettime(CLOCK_MONOTONIC);
	is($run->finish, 0, 'SIGINT alone: status 0');
	cmp_ok(clock_gettime(CLOCK_MONOTONIC) - $begun, '<', patience(2.5),
	       '... soon');
}

test_silence();
test_interrupt();
done_testing();
