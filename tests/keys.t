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
use List::Util 'max';
use POSIX ();
use Process qw(deadline patience);
use Suite::Terminal 'new_terminal';
use Test::More;
use Time::HiRes qw(sleep time);

my $BIN = abs_path($ENV{BIN} || '.');
my ($COLUMNS, $LINES) = (200, 60);
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

sub start
{
	my ($code) = @_;
	my $pid = fork // die "fork: $!\n";

	if (!$pid) {
		$code->();
		POSIX::_exit(0);
	}
	push @started, $pid;
}

# blktop on a terminal of its own, fed by FEEDER; that terminal
sub screen
{
	my ($feeder, @options) = @_;
	my ($slave, $path, $master) = new_terminal();

	BAIL_OUT('no terminal') unless $master;
	ioctl $master, 0x5414, pack 'S4', $LINES, $COLUMNS, 0, 0;	# TIOCSWINSZ
	pipe my $out, my $in or die "pipe: $!\n";
	start(sub { close $out; $feeder->($in) });
	start(sub {
		POSIX::setsid();
		open my $tty, '+<', $path;
		open STDIN, '<&', $out;
		open STDOUT, '>&', $tty;
		close $in;
		@ENV{qw(TERM LC_ALL)} = qw(xterm-256color C.UTF-8);
		exec "$BIN/blktop", @options, '-i', '-';
	});
	return $master;
}

sub stop
{
	kill KILL => $_ for @started;
	waitpid $_, 0 for splice @started;
}

# Reads what is shown until PATTERN; the seconds that took, or nothing.
sub shown_in
{
	my ($terminal, $pattern) = @_;
	my ($from, $end, $text) = (time, deadline(), '');

	while (time < $end) {
		vec(my $ready = '', fileno $terminal, 1) = 1;
		next unless select $ready, undef, undef, 1;
		sysread $terminal, $text, 1 << 16, length $text or return;
		return time - $from if $text =~ $pattern;
	}
	return;
}

# Types a letter; the seconds until it is on the screen.
sub type
{
	my ($terminal, $letter) = @_;

	syswrite $terminal, $letter;
	return shown_in($terminal, qr/${letter}[^A-Z]{0,40}_/);
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
	my @took = sort { $a <=> $b } map {
		sleep 0.017 + rand 0.02;
		type($terminal, $_ % 2 ? 'Z' : 'J') // 1e9
	} 1 .. $KEYS;
	syswrite $terminal, "\e";
	shown_in($terminal, qr/quit/);
	syswrite $terminal, '/process==xfs_io && total>1ms';
	my $line = shown_in($terminal, qr/1ms_/) // 1e9;
	stop();
	diag sprintf '%s: p50 %.1f ms, most %.1f ms; a line %.1f ms', $name,
		map { 1e3 * $_ } $took[$KEYS / 2], $took[-1], $line;
	cmp_ok($took[$KEYS / 2], '<=', patience($SOON), "$name: half of the keys");
	cmp_ok($took[-1], '<=', patience(3 * $SOON), '... all of them');
	cmp_ok($line, '<=', patience(2 * $SOON), '... and a line');
}

$SIG{PIPE} = 'IGNORE';
test_keys('a flood', \&flood, '-d', '0.1');
test_keys('a flood, a second each', \&flood);
test_keys('I/Os one by one', \&trickle);
test_keys('silence', \&silence);
done_testing();
