#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Recorded traces, written in segments as blktrace --rotate writes them.
#
#	make all rotate-programs; ROTATE=build/tests/rotate prove tests/rotate.t
#	... prove tests/rotate.t :: 'same/*'
#
# same: all programs say of the segments what they say of the whole.
# each: every segment is a trace by itself, with the names of its processes.
# long: of one, which segments are left and which are opened.
# With ../shared (SHARED) at hand all its traces are tried, too.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Cwd 'abs_path';
use File::Basename qw(basename dirname);
use File::Path 'remove_tree';
use File::Temp 'tempdir';
use Suite::Case 'match';
use Suite::Files qw(slurp spew);
use Suite::Tap 'run_named';
use Suite::Traces 'unpack_traces';

my $HERE = $FindBin::Bin;
my $SHARED = $ENV{SHARED} || "$HERE/../../shared";
my $BIN = abs_path($ENV{BIN} || "$HERE/..");
my $ROTATE = abs_path($ENV{ROTATE} ||
	($ENV{UNITS} ? dirname($ENV{UNITS}) . '/rotate' :
	"$HERE/../build/tests/rotate"));
my $TOP = tempdir('rotate.XXXXXX', TMPDIR => 1, CLEANUP => 1);
my $NOT_OURS = 2;	# what feed cannot take: another byte order or version

# by name, what comes behind is the trace's directory
my %SAYS = (
	blkparse => 'blkparse -t',
	processes => 'blkparse -q -O -s',
	btt => 'btt -A -i',
	btstat => 'btstat',
	btexport => 'btexport --table=events --fields=-host,-trace',
);

# --- segments -----------------------------------------------------------------

# Feeds a trace to DIR; false: it cannot be fed.
sub feed
{
	my ($trace, $dir, %o) = @_;
	my $status = system "$ROTATE/feed", $trace, $dir, $o{size} || 0,
		$o{ms} || 0, $o{keep} || 0, $o{level} || 0, $o{step} || 20;

	return 0 if $status >> 8 == $NOT_OURS;
	die "feed $trace: status $status\n" if $status;
	return 1;
}

sub segments
{
	my ($dir) = @_;
	return sort glob "\Q$dir\E/[0-9]*";
}

# what a command says, on both outputs, but for where it has read it and how
# long that took
sub said
{
	my ($command, @traces) = @_;
	my ($program, @words) = split / /, $command;
	my $out = `cd \Q$TOP\E && \Q$BIN/$program\E @words @traces 2>&1`;

	$out =~ s/^Input file .* added\n//mg;
	$out =~ s/^(btexport: .*) in [\d.]+ s;/$1;/m;
	$out =~ s/\Q$_\E//g for @traces;
	return $out;
}

# --- the same ------------------------------------------------------------------

# In segments of four kinds, complaints about one trace.
sub same_faults
{
	my ($name, $trace) = @_;
	my $dir = "$TOP/$name.segments";
	my @faults;

	for my $o ({ size => 5000 }, { ms => 1000, level => 1 },
		{ size => 20000, step => 300 },
		{ ms => 300, level => 'pack' }) {
		feed($trace, $dir, %$o) or return ();
		for my $what (sort keys %SAYS) {
			push @faults, "$what differs, " . join ' ', %$o
				if said($SAYS{$what}, $trace) ne
				said($SAYS{$what}, $dir);
		}
		remove_tree($dir);
	}
	return @faults;
}

# The events of traces, each with its number and its process' name; not their
# sectors, as a completion has those of a part if blkparse has seen the split,
# which may be in the segment before.  All idle processes have pid 0: whose name blkparse knows depends on what it read last.
sub events_of
{
	return map { s{swapper/\d+}{swapper}r } grep { /^\d+,\d+ *_/ }
		map { split /^/ } map {
		said('blkparse -qM -f %D_%c_%s_%a_%C\\\\n', $_)
	} @_;
}

# Each segment by itself has its events, and what they have in the whole.
sub each_faults
{
	my ($name, $trace) = @_;
	my $dir = "$TOP/$name.each";
	my (%whole, @lost);

	feed($trace, $dir, size => 5000) or return ();
	$whole{$_}++ for events_of($trace);
	for (events_of(segments($dir))) {
		push @lost, "not in the whole: $_" unless $whole{$_};
		$whole{$_}-- if $whole{$_};
	}
	remove_tree($dir);
	return (@lost, map { "missing: $_" } grep { $whole{$_} } keys %whole);
}

# --- one long trace -------------------------------------------------------------

my $traces = unpack_traces($HERE, $SHARED, $TOP);
my $LONG = $traces->{'dm-stripe'};

# segments of it, in a directory of this name
sub long_segments
{
	my ($name, %o) = @_;
	feed($LONG, "$TOP/$name", step => 100, size => 1, %o)
		or die "$LONG is not ours\n";
	return segments("$TOP/$name");
}

sub several_faults
{
	my @all = long_segments('several');
	return @all > 3 ? () : 'there are only ' . @all;
}

# the last ones are left, and what they are called goes on
sub keep_faults
{
	my @all = map { basename $_ } long_segments('all');
	my @left = map { basename $_ } long_segments('left', keep => 2);
	return "@left" eq "@all[-2, -1]" ? () : ("left are @left", "of @all");
}

# some of them, in any order, are the trace of these
sub some_faults
{
	my @all = long_segments('some');
	my $line = 'blkparse -qM -f %D_%c_%s_%a_%C\\\\n';
	my $two = said($line, @all[2, 1]);
	my @hosts = grep { m{/} } split /^/, said('btstat', @all[1, 2]);
	my @faults;

	push @faults, 'two of them are not what each is' if
		join('', sort grep { /_/ } split /^/, $two) ne
		join('', sort grep { /_/ } map { split /^/ }
			map { said($line, $_) } @all[1, 2]);
	push @faults, 'they are two hosts' if grep { /^000\d-/ } @hosts;
	return @faults;
}

# What a window needs is read and nothing else: what is damaged is not opened.
sub window_faults
{
	my $trace = $traces->{'scsidbg-passthru'};
	my $dir = "$TOP/window";
	my $whole = said('blkparse -w 21.5:99', $trace);
	my @faults;

	feed($trace, $dir, size => 1, step => 100) or die "$trace is not ours\n";
	push @faults, 'the window is empty' unless $whole =~ / Q /;
	push @faults, 'the window differs' if
		said('blkparse -w 21.5:99', $dir) ne $whole;
	# of the other CPU all are needed: its last event before is in the second
	for my $path (map { glob "\Q$_\E/*.1" } (segments($dir))[2 .. 30]) {
		spew($path, slurp($path) . 'x' x 100);
	}
	push @faults, 'it differs behind damage' if
		said('blkparse -w 21.5:99', $dir) ne $whole;
	push @faults, 'there is no damage' if
		said('blkparse', $dir) eq said('blkparse', $trace);
	return @faults;
}

# A trace of 10 s, an io of 1 ms every 3 ms: 1,000 events a second.
sub make_trace
{
	my ($dir) = @_;
	my %action = (0x00110001 => 0, 0x00410007 => 10_000,
		      0x00810008 => 1_000_000);
	my ($number, $bytes) = (0, '');

	for my $io (1 .. 3_333) {
		for my $what (sort { $a <=> $b } keys %action) {
			$bytes .= pack 'L L Q Q L L L L L S S', 0x65617407,
				++$number, 3e6 * $io + $action{$what}, 8 * $io,
				4096, $what, 7, 8 << 20, 0, 0, 0;
		}
	}
	mkdir $dir or die "$dir: $!\n";
	spew("$dir/sda.blktrace.0", $bytes);
}

# Nor is what begins further behind a window's end than the batch of events that
# is read ahead: no file of it is a trace any more.
sub behind_faults
{
	my ($trace, $dir) = ("$TOP/made", "$TOP/behind");
	my @lines = ('blkparse -w 1', 'blkparse -q -s -w 1', 'btstat -w 1',
		     'btexport -w 1', 'btt -t 0 -T 1 -i');
	my @faults;

	make_trace($trace);
	feed($trace, $dir, size => 1, step => 100) or die "$trace is not ours\n";
	my %whole = map { $_ => said($_, $dir) } @lines;
	my @segments = segments($dir);
	push @faults, 'there are too few segments' if @segments < 20;
	for my $path (map { glob "\Q$_\E/*" } @segments[12 .. $#segments]) {
		spew($path, 'no trace' x 100);
	}
	for my $line (@lines) {
		push @faults, "$line: it says nothing" if
			length $whole{$line} < 100;
		push @faults, "$line: it differs before what is none" if
			said($line, $dir) ne $whole{$line};
	}
	push @faults, 'nothing is broken' if
		said('btstat', $dir) eq said('btstat', $trace);
	return @faults;
}

# what a killed run leaves
sub partial_faults
{
	my @all = long_segments('partial');
	my $whole = said('blkparse', "$TOP/partial");

	rename $all[-1], "$all[-1].partial" or die "rename: $!\n";
	return said('blkparse', "$TOP/partial") eq $whole ? () : 'it differs';
}

# the device by its name, in the directory
sub device_faults
{
	my ($device) = glob "\Q$LONG\E/*.blktrace.0";
	long_segments('device');
	$device = basename($device) =~ s/\..*//r;
	return said("blkparse -D $TOP/device", $device) eq
		said("blkparse -D $LONG", $device) ? () : 'it differs';
}

# --- the run -------------------------------------------------------------------

my %do = (
	'long/several' => \&several_faults, 'long/keep' => \&keep_faults,
	'long/some' => \&some_faults, 'long/window' => \&window_faults,
	'long/behind' => \&behind_faults,
	'long/partial' => \&partial_faults, 'long/device' => \&device_faults,
	(map { my $n = $_; "same/$n" => sub { same_faults($n, $traces->{$n}) } }
		keys %$traces),
	(map { my $n = $_; "each/$n" => sub { each_faults($n, $traces->{$n}) } }
		keys %$traces),
);

exit(run_named(\%do, match([sort keys %do], @ARGV)) > 0);
