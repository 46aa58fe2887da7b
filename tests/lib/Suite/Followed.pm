# SPDX-License-Identifier: GPL-2.0-only
# Captures of recorded traces in segments, and exporters that follow them.
package Suite::Followed;

use strict;
use warnings;
use Cwd 'abs_path';
use Exporter 'import';
use File::Basename 'dirname';
use File::Path 'make_path';
use POSIX ();
use Process 'patience';
use Suite::Files qw(files_below slurp spew unpack_set);
use Time::HiRes qw(sleep time);

our @EXPORT_OK = qw(cut end feed feed_from manifests start %TRACES);

my $TESTS = abs_path(dirname(__FILE__) . '/../..');
my $ROTATE = abs_path($ENV{ROTATE} ||
	($ENV{UNITS} ? dirname($ENV{UNITS}) . '/rotate' :
	"$TESTS/../build/tests/rotate"));

# trace => ms of a segment; long is one of four minutes, hours of three hours
our %TRACES = (long => 20_000, hours => 600_000, 'smp4-mixed-procs' => 100,
	'dm-linear-3dev' => 20, 'md-raid1-3dev' => 30,
	'ext4-fsync-meta' => 100);

# how often a trace is repeated, and the ns between
my %MADE = (long => [13, 19_000_000_000], hours => [8, 1_500_000_000_000]);

# --- segments ----------------------------------------------------------------

# Feeds a trace to DIR, by what is unpacked below TOP; the segments' names.
sub feed
{
	my ($top, $trace, $dir) = @_;
	my $from = "$top/from-$trace";

	make_long($from, @{$MADE{$trace}}) if $MADE{$trace} && !-d $from;
	if (!-d $from) {
		mkdir $from or die "$from: $!\n";
		unpack_set("$TESTS/data/$trace", $from);
	}
	return feed_from($from, $dir, $TRACES{$trace});
}

# The same of a trace that is unpacked, in segments of MS.
sub feed_from
{
	my ($from, $dir, $ms) = @_;

	make_path($dir);
	system("$ROTATE/feed", $from, $dir, 0, $ms, 0, 0, 20) == 0
		or die "feed $from: status $?\n";
	my @segments = sort glob "\Q$dir\E/[0-9]*";
	spew((glob "$segments[-1]/*.blktrace.0")[0] =~ s/0\z/json/r,
	     '{"schema":1,"end":{"cause":"signal"}}');
	return map { s{.*/}{}r } @segments;
}

# a record and its payload, at an offset: of version 7
sub record_at
{
	my ($bytes, $at) = @_;
	my ($number, $time, $action, $payload) = unpack
		"x$at x4 L Q x12 L x14 S", $$bytes;

	return ($number, $time, $action, 48 + $payload);
}

# The events of a file COUNT times, STEP ns apart; notes once.
sub repeated
{
	my ($bytes, $count, $step) = @_;
	my ($all, $last) = ('', 0);

	for my $i (0 .. $count - 1) {
		my $most = 0;
		for (my ($at, $len) = (0, 0); $at < length $bytes; $at += $len) {
			my ($number, $time, $action);
			($number, $time, $action, $len) = record_at(\$bytes,
				$at);
			my $note = $action & 0x400 << 16;
			next if $i && $note;
			my $record = substr $bytes, $at, $len;
			substr($record, 4, 12) = pack 'L Q',
				$note ? $number : $number + $last,
				$time + $i * $step;
			$most = $number if !$note && $number > $most;
			$all .= $record;
		}
		$last += $most;
	}
	return $all;
}

sub make_long
{
	my ($from, @times) = @_;

	mkdir $from or die "$from: $!\n";
	unpack_set("$TESTS/data/smp4-mixed-procs", $from);
	for my $file (glob "$from/*.blktrace.*") {
		spew($file, repeated(slurp($file), @times));
	}
}

# --- exporters ---------------------------------------------------------------

my @started;
END { kill 'KILL', @started }

# Starts a command, whose messages are appended to a file; its number.
sub start
{
	my ($messages, @command) = @_;
	my $pid = fork;

	die "fork: $!\n" unless defined $pid;
	if (!$pid) {
		open STDERR, '>>', $messages;
		exec @command or POSIX::_exit(127);
	}
	push @started, $pid;
	return $pid;
}

sub end
{
	my ($pid, $signal) = @_;

	kill $signal, $pid;
	waitpid $pid, 0;
	@started = grep { $_ != $pid } @started;
	return $? & 127 || $? >> 8;
}

# the manifests of a folder, once there are COUNT
sub manifests
{
	my ($out, $count) = @_;
	my $until = time + 10 * patience(1);
	my @found;

	do {
		@found = -d "$out/manifest" ? grep { m{^host=} }
			files_below("$out/manifest") : ();
		sleep 0.05;
	} until @found >= $count || time > $until;
	@found = sort @found;
	return @found;
}

# rows of CSV less some columns, sorted; texts may be joined
sub cut
{
	my ($text, @without) = @_;
	my (@rows, @at);

	for my $line (split /\n/, $text) {
		my @cells = split /,/, $line, -1;
		if ($cells[0] eq 'host') {
			my %out = map { $_ => 1 } @without;
			@at = grep { !$out{$cells[$_]} } 0 .. $#cells;
			next;
		}
		push @rows, join ',', @cells[@at];
	}
	return join "\n", sort @rows;
}

1;
