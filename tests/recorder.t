#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Recorded traces, kept and dumped as blktrace --ring does.
#
#	make all rotate-programs
#	ROTATE=build/tests/rotate prove tests/recorder.t
#	... prove tests/recorder.t :: 'window/*'
#
# window: a dump has the events of its window, each byte for byte, and no
#	others; it is the same whenever CPUs are looked at, packed or not.
# whole: all programs say of a dump of all, gzip'd or one file, what they say of
#	the trace.
# agree: btstat says of a dump what it says of its time in the trace (-w).
# With ../shared (SHARED) at hand all its traces are tried, too.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Cwd 'abs_path';
use File::Basename qw(basename dirname);
use File::Path 'remove_tree';
use File::Temp 'tempdir';
use JSON::PP;
use List::Util qw(min);
use Suite::Case 'match';
use Suite::Files 'slurp';
use Suite::Tap 'run_named';
use Suite::Traces 'unpack_traces';

my $HERE = $FindBin::Bin;
my $SHARED = $ENV{SHARED} || "$HERE/../../shared";
my $BIN = abs_path($ENV{BIN} || "$HERE/..");
my $ROTATE = abs_path($ENV{ROTATE} ||
	($ENV{UNITS} ? dirname($ENV{UNITS}) . '/rotate' :
	"$HERE/../build/tests/rotate"));
my $TOP = tempdir('recorder.XXXXXX', TMPDIR => 1, CLEANUP => 1);
my $NOT_OURS = 2;	# what cannot be fed: another byte order or version
my ($NOTE, $MESSAGE, $KIND) = (1 << 26, 2, 0xff);	# of actions

# by version: where a record has its action and the length of its payload, and
# how long its head is
my %FORM = (7 => [28, 46, 48], 8 => [32, 50, 64]);

my @TRIGGERS = ('error', 'q2c>20ms', 'exit');

my %SAYS = (
	blkparse => 'blkparse -t',
	btt => 'btt -A -i',
	btstat => 'btstat',
	window => 'btstat -w 0.05:0.5',
	btexport => 'btexport --table=events --fields=-host,-trace',
);

# --- dumps --------------------------------------------------------------------

# Runs a feeder; its output, or undef: the trace cannot be fed.
sub feeder
{
	my ($program, @words) = @_;
	my $out = `'$ROTATE/$program' @{[map { "'$_'" } @words]} 2>&1`;

	return undef if $? >> 8 == $NOT_OURS;
	die "$program @words: status $?: $out" if $?;
	return $out;
}

# A packed dump becomes the directory that it holds; its name.
sub restored
{
	my ($dump) = @_;
	my $dir = $dump =~ s/\.btz\z//r;

	return $dump if $dir eq $dump;
	system("'$BIN/btpack' -d -D '$dir' '$dump' 2>/dev/null") == 0 or die "btpack\n";
	unlink $dump;
	return $dir;
}

# The dumps of a trace with these triggers, in DIR, which is made anew.
sub dumps
{
	my ($trace, $dir, %o) = @_;

	remove_tree($dir);
	defined feeder('record', $trace, $dir, $o{level} || 0, $o{step} || 20,
		       $o{before} || 500, $o{after} || 200,
		       @{$o{triggers} || \@TRIGGERS}) or return ();
	return sort glob "\Q$dir\E/[0-9]*";
}

# The trace as one plain segment, by another sink.
sub plain
{
	my ($trace, $dir) = @_;

	defined feeder('feed', $trace, $dir, 0, 0, 0, 0, 20) or return undef;
	return (glob "\Q$dir\E/[0-9]*")[0];
}

sub cause
{
	my ($dump) = @_;
	return decode_json(slurp("$dump/cause.json"));
}

# [time, its bytes] of each event of a file; of notes messages only
sub events_in
{
	my ($bytes) = @_;
	my @events;

	for (my $at = 0; $at < length $bytes;) {
		my ($magic, $time) = unpack 'L x4 Q', substr $bytes, $at, 16;
		my ($action, $payload, $len) = @{$FORM{$magic & 0xff}};

		$len += unpack 'S', substr $bytes, $at + $payload, 2;
		my $what = unpack 'L', substr $bytes, $at + $action, 4;

		push @events, [$time, substr $bytes, $at, $len] if
			!($what & $NOTE) || ($what & $KIND) == $MESSAGE;
		$at += $len;
	}
	return \@events;
}

sub unpacked
{
	my ($file) = @_;
	return $file =~ /\.gz$/ ? scalar `gzip -dc '$file'` : slurp($file);
}

# file => its events, of a directory
sub events
{
	my ($dir) = @_;
	return { map { basename($_, '.gz') => events_in(unpacked($_)) }
		 grep { /\.blktrace\.\d+(?:\.gz)?$/ } glob "\Q$dir\E/*" };
}

# All of a run's dumps: their events, and why they are there.  Names in their
# heads are those that were known when they were written.
sub content
{
	my ($dir) = @_;
	my %all;

	for my $dump (map { restored($_) } glob "\Q$dir\E/*") {
		my ($name, $events) = (basename($dump), events($dump));

		$all{"$name/cause.json"} = slurp("$dump/cause.json");
		$all{"$name/$_"} = join '', map { $_->[1] } @{$events->{$_}}
			for keys %$events;
	}
	return \%all;
}

sub differing
{
	my ($x, $y) = @_;
	return grep { ($x->{$_} // 'none') ne ($y->{$_} // 'none') }
		sort keys %{{ %$x, %$y }};
}

# --- window -------------------------------------------------------------------

sub wrong_events
{
	my ($name, $dump, $whole) = @_;
	my ($from, $to) = @{cause($dump)}{qw(from to)};
	my ($got, @wrong) = events($dump);

	for my $file (sort keys %$whole) {
		my $want = join '', map { $_->[1] } grep {
			$_->[0] >= $from && $_->[0] <= $to } @{$whole->{$file}};
		push @wrong, "$dump: $file has other events" if
			$want ne join '', map { $_->[1] } @{$got->{$file}};
	}
	push @wrong, "$dump: it has other files" if
		"@{[sort keys %$got]}" ne "@{[sort keys %$whole]}";
	return @wrong;
}

sub window_faults
{
	my ($name, $trace) = @_;
	my $dir = "$TOP/$name.window";
	my $whole = plain($trace, "$dir.plain") // return ();
	my @on = @TRIGGERS[0, 1];
	my @first = dumps($trace, "$dir.1", triggers => \@on);
	my @faults = map { wrong_events($name, $_, events($whole)) } @first;

	for my $o ({ step => 20 }, { step => 3 }, { level => 1 },
		   { level => 9, step => 300 },
		   { level => 'pack', step => 40 }) {
		dumps($trace, "$dir.2", triggers => \@on, %$o);
		push @faults, map { "$_ differs, " . join ' ', %$o }
			differing(content("$dir.1"), content("$dir.2"));
	}
	remove_tree(glob "\Q$dir\E.*");
	return @faults;
}

# --- whole --------------------------------------------------------------------

# what a command says, on both outputs, but for where it has read it, how long
# that took, and the cause; all idle processes have pid 0, and which of their
# names it has depends on what was read last
sub said
{
	my ($command, $trace) = @_;
	my ($program, @words) = split / /, $command;
	my $out = `cd '$TOP' && '$BIN/$program' @words '$trace' 2>&1`;

	$out =~ s/^Input file .* added\n//mg;
	$out =~ s/^(btexport: .*) in [\d.]+ s;/$1;/m;
	$out =~ s/^cause .*\n(?: .*\n)*//m;
	$out =~ s{\Q$trace\E/?}{}g;
	$out =~ s{swapper/\d+}{swapper}g;
	return $out;
}

# Of all, from chunks that were packed but for the last ones.  Where the trace
# does not tell the time of day, only the dump does.
sub whole_faults
{
	my ($name, $trace) = @_;
	my $dir = "$TOP/$name.whole";
	my $whole = plain($trace, "$dir.plain") // return ();
	my $timeless = said('blkparse -t', $whole) =~ /started at .* 1970$/m;
	my @faults;

	for my $level (1, 'pack') {
		my ($dump) = dumps($trace, "$dir.dump", level => $level,
				   before => 1e8, triggers => ['exit']);
		push @faults, map { "$_ differs, $level" } grep {
			said($SAYS{$_}, $dump) ne said($SAYS{$_}, $whole)
		} $timeless ? 'btt' : sort keys %SAYS;
	}
	remove_tree(glob "\Q$dir\E.*");
	return @faults;
}

# --- agree --------------------------------------------------------------------

# Whether ios are under way at either end of a time.
sub is_cut
{
	my ($whole, $from, $to) = @_;
	my @ios = `'$BIN/btexport' --no-header --table=ios '$whole' \\
		--fields=time_ns,complete_ns 2>/dev/null`;

	for (@ios) {
		my ($begin, $end) = /^(-?\d+),(\d*)/ or next;
		return 1 if $begin < $from && ($end eq '' || $end >= $from);
		return 1 if $begin <= $to && ($end eq '' || $end > $to);
	}
	return 0;
}

# ns from the trace's first event to the dump's first and last one
sub place
{
	my ($dump, $whole) = map { events($_) } @_;
	my ($first) = min(map { map { $_->[0] } @$_ } values %$whole);
	my @times = sort { $a <=> $b } map { map { $_->[0] } @$_ }
		values %$dump;
	return map { $_ - $first } @times[0, -1];
}

sub seconds
{
	my ($ns) = @_;
	return sprintf '%d.%09d', $ns / 1e9, $ns % 1_000_000_000;
}

# What btstat says of ios, not of what it has read.
sub numbers
{
	my ($command, $trace) = @_;
	return said($command, $trace) =~
		s/^(?:trace|window|I.Os|lost) .*\n(?:  +.*\n)*//mgr;
}

# What it says of a dump and of its time in the trace, if no io is cut; the
# end of -w is a microsecond later, as nothing that ends then is of it.
sub both_say
{
	my ($trace, $dir) = @_;
	my $whole = plain($trace, "$dir.plain") // return ();
	my ($dump) = dumps($trace, "$dir.dump", level => 1) or return ();
	my ($from, $to) = place($dump, $whole);

	return () if !defined $from || is_cut($whole, $from, $to);
	return (numbers('btstat', $dump),
		numbers('btstat -w ' . seconds($from) . ':' .
			seconds($to + 1000), $whole));
}

# all traces at once, as there have to be some
sub agree_faults
{
	my ($traces) = @_;
	my ($same, @faults) = (0);

	for my $name (sort keys %$traces) {
		my ($got, $want) = both_say($traces->{$name},
					    "$TOP/$name.agree");
		$same++ if defined $got && $got eq $want && $got =~ /Q2C/;
		push @faults, "$name differs" if defined $got && $got ne $want;
		remove_tree(glob "\Q$TOP/$name.agree\E.*");
	}
	push @faults, "only $same traces have such a dump" if $same < 6;
	return @faults;
}

# --- the run ------------------------------------------------------------------

my $traces = unpack_traces($HERE, $SHARED, $TOP);
my %do = (
	'agree/traces' => sub { agree_faults($traces) },
	(map { my $n = $_; "window/$n" =>
		sub { window_faults($n, $traces->{$n}) } } keys %$traces),
	(map { my $n = $_; "whole/$n" =>
		sub { whole_faults($n, $traces->{$n}) } } keys %$traces),
);

exit(run_named(\%do, match([sort keys %do], @ARGV)) > 0);
