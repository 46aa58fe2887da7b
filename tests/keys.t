#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# How soon blktop shows what a key does: while a trace is piped in as fast as it
# can be read, while I/Os come one by one, and while a pipe is silent.  A line
# typed at once takes no longer than a key.
#
#	BIN=DIR prove tests/keys.t
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/hostile";
use Cwd 'abs_path';
use POSIX ();
use Process 'patience';
use Suite::Terminal qw(shown_in start_on_terminal type_letter);
use Test::More;
use Time::HiRes qw(sleep time);

my $BIN = abs_path($ENV{BIN} || '.');
my $SOON = 0.05;		# seconds from a key to the screen
my $KEYS = 30;			# pressed one after the other

plan skip_all => 'built without ncurses'
	unless `ldd \Q$BIN\E/blktop 2>&1` =~ /libncurses/;

# --- traces ------------------------------------------------------------------

my ($MAGIC, $ISSUE, $COMPLETE) = (0x65617407, 0x01410007, 0x01810008);
my ($PAIRS, $SPAN) = (1 << 14, 1 << 28);	# of I/Os, in ns, in a piece

sub record
{
	my ($number, $ns, $action, $k) = @_;
	return pack 'L L Q Q L L L L L S S', $MAGIC, $number, $ns,
		8 * ($k % 4096), 4096, $action, 1 + $k % 200, 8 << 20, 0, 0, 0;
}

# I/Os of a piece's time
sub piece
{
	my ($pairs) = @_;
	my $step = $SPAN / $pairs;

	return join '', map {
		record(2 * $_, $step * $_, $ISSUE, $_),
		record(2 * $_ + 1, $step * ($_ + 0.5 + $_ % 7 / 20), $COMPLETE, $_)
	} 0 .. $pairs - 1;
}

# what is added to the records of a piece to make the next ones of it
sub later
{
	my ($pairs, $round) = @_;
	return pack('L L Q Q L L L L L S S', 0, 2 * $pairs * $round,
		    $SPAN * $round, (0) x 8) x (2 * $pairs);
}

# --- who pipes it in ---------------------------------------------------------

# as fast as it is read
sub flood
{
	my ($into) = @_;
	my $piece = piece($PAIRS);

	for (my $round = 4; ; $round++) {
		my $bytes = $piece | later($PAIRS, $round);
		my $at = 0;
		while ($at < length $bytes) {
			my $n = syswrite $into, $bytes, 1 << 16, $at;
			return unless $n;
			$at += $n;
		}
	}
}

# an I/O every two ms
sub trickle
{
	my ($into) = @_;
	my $started = time;

	for (my $k = 0; ; $k++) {
		my $ns = int 1e9 * (time - $started);
		syswrite $into, record(2 * $k, $ns, $ISSUE, $k) .
			record(2 * $k + 1, $ns + 3e5, $COMPLETE, $k) or return;
		sleep 0.002;
	}
}

# nothing after the first
sub silence
{
	my ($into) = @_;
	syswrite $into, piece(16);
	sleep 1 while getppid != 1;
}

# --- the screen --------------------------------------------------------------

my @started;

# blktop on a terminal of its own, fed by FEEDER; that terminal
sub screen
{
	my ($feeder, @options) = @_;

	pipe my $out, my $in or die "pipe: $!\n";
	my $pid = fork // die "fork: $!\n";
	if (!$pid) {
		close $out;
		$feeder->($in);
		POSIX::_exit(0);
	}
	push @started, $pid;
	($pid, my $terminal) = start_on_terminal([200, 60], $out,
		"$BIN/blktop", @options, '-i', '-');
	push @started, $pid;
	return $terminal;
}

sub stop
{
	kill KILL => $_ for @started;
	waitpid $_, 0 for splice @started;
}

# --- tests -------------------------------------------------------------------

sub test_keys
{
	my ($name, $feeder, @options) = @_;
	my $terminal = screen($feeder, @options);

	shown_in($terminal, qr/by .*PROCESS/s);
	sleep 1;
	syswrite $terminal, '/';
	shown_in($terminal, qr/where: \S*_/);
	my @took = sort { $a <=> $b } map { type_letter($terminal, $_) }
		1 .. $KEYS;
	syswrite $terminal, "\e";
	shown_in($terminal, qr/quit/);
	syswrite $terminal, '/process==xfs_io && total>1ms';
	my $line = shown_in($terminal, qr/1ms_/);
	stop();
	diag sprintf '%s: p50 %.1f ms, most %.1f ms; a line %.1f ms', $name,
		map { 1e3 * $_ } $took[$KEYS / 2], $took[-1], $line;
	cmp_ok($took[$KEYS / 2], '<=', patience($SOON), "$name: half of the keys");
	cmp_ok($took[$KEYS * 9 / 10], '<=', patience(2 * $SOON),
	       '... nine of ten');
	cmp_ok($line, '<=', patience(2 * $SOON), '... and a line');
}

$SIG{PIPE} = 'IGNORE';
test_keys('a flood', \&flood, '-d', '0.1');
test_keys('a flood, a second each', \&flood);
test_keys('I/Os one by one', \&trickle);
test_keys('silence', \&silence);
done_testing();
