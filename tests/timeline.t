#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# btexport's timelines, read by tests/export/Timeline.pm.
#
#	BIN=DIR prove tests/timeline.t
#	BIN=DIR perl tests/timeline.t --write DIRECTORY
#
# golden: slices, lanes, arrows and counters of a trace for which somebody else
# has written them, by what they mean.  slices: of every trace (with those of
# ../shared, or SHARED, if they are there) they are the rows of the table ios:
# each phase, the lane of each io, arrows, bytes.  --write puts NAME.pftrace
# and NAME.tsv of every trace there instead, for engines-perfetto.mjs.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/export";
use Cwd 'abs_path';
use File::Temp 'tempdir';
use Suite::Files qw(read_kept slurp spew unpack_set);
use Suite::Run 'find_programs';
use Suite::Tap qw(work_in_order test_line);
use Suite::Traces 'every_trace';
use Timeline 'read_timeline';

my $HERE = $FindBin::Bin;
my $SHARED = $ENV{SHARED} || "$HERE/../../shared";
my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my $TOP = tempdir('timeline.XXXXXX', TMPDIR => 1, CLEANUP => 1);
my $STEPS = 100;		# of a counter of bytes, in a second

my @PHASES = qw(q2a lower a2c q2x x2c q2g q2m preflush g2m g2i g2d i2d m2d
	requeue d2c postflush rest);

my $told = 0;

sub result
{
	my ($name, @faults) = @_;
	test_line(++$told, $name, @faults);
}

$ENV{PATH} = "$PROGRAMS->{path}:$ENV{PATH}" if $PROGRAMS->{path};

# what btexport makes of the trace in DIR, in a format
sub export_of
{
	my ($dir, $ending, @options) = @_;
	my $file = "$dir/export.$ending";
	my @dumps = glob "\Q$dir\E/*.bin";
	my $names = join ' ', map { "'$_'" } @dumps ? @dumps : $dir;
	# damaged ones are in the table as far as the timeline has them
	my $status = system "btexport -o '$file' @options $names 2>/dev/null";

	die "btexport: status $status\n" if $status & ~256 || !-e $file;
	my $bytes = slurp($file);
	unlink $file;
	return $bytes;
}

sub timeline_of
{
	my ($dir, @options) = @_;
	return read_timeline(export_of($dir, 'pftrace', @options));
}

sub rows_of
{
	my ($dir, @options) = @_;
	my ($names, @rows) = map { [split /\t/, $_, -1] }
		split /\n/, export_of($dir, 'tsv', @options);

	return map { my %row; @row{@$names} = @$_; \%row } @rows;
}

# what is not the same in two lists of texts
sub list_faults
{
	my ($what, $got, $want) = @_;
	my (%got, %want);

	$got{$_}++ for @$got;
	$want{$_}++ for @$want;
	my @faults = ((map { "$what: wants $_" } grep {
			($got{$_} // 0) != $want{$_} } sort keys %want),
		(map { "$what: has $_" } grep { !$want{$_} } sort keys %got));
	return @faults[0 .. ($#faults < 3 ? $#faults : 3)];
}

# --- golden -----------------------------------------------------------------

# what recordings call otherwise
my %RECORDED = (req => 'id', rwbs => 'flags');

sub slice_texts
{
	my ($trace) = @_;
	return map {
		my $s = $_;
		my %a = map { ($RECORDED{$_} // $_, $s->{annotations}{$_}) }
			keys %{$s->{annotations}};
		join ' ', @$s{qw(track time length level name)},
			(map { "$_=$a{$_}" } sort keys %a),
			sort { $a <=> $b } @{$s->{flows}};
	} @{$trace->{slices}};
}

# values from when on they are; all begin as 0
sub counter_texts
{
	my ($trace) = @_;
	my @texts;

	for my $track (sort keys %{$trace->{counters}}) {
		my $before = 0;
		for my $point (@{$trace->{counters}{$track}}) {
			push @texts, "$track @$point" if $point->[1] != $before;
			$before = $point->[1];
		}
	}
	return @texts;
}

sub track_texts
{
	my ($trace) = @_;
	return map { join ' in ', $_->{name}, $_->{group} // () }
		values %{$trace->{tracks}};
}

sub test_golden
{
	my $dir = "$TOP/alpha";
	my $golden = read_timeline(read_kept(
		"$HERE/export/golden/alpha.pftrace") // die "no golden file\n");

	mkdir $dir or die "$dir: $!\n";
	unpack_set("$HERE/data/dm-linear-3dev", $dir);
	my $trace = timeline_of($dir);
	result('golden/slices', list_faults('slice', [slice_texts($trace)],
		[slice_texts($golden)]));
	result('golden/counters', list_faults('counter',
		[counter_texts($trace)], [counter_texts($golden)]));
	result('golden/tracks', list_faults('track', [track_texts($trace)],
		[track_texts($golden)]));
	result('golden/start', $trace->{start} == $golden->{start} ? () :
		"$trace->{start}, not $golden->{start}");
}

# --- every trace ------------------------------------------------------------

# slices that rows make, without their lanes: [io's id, time, length, name]
sub expected_slices
{
	my ($row) = @_;
	my ($at, @slices) = ($row->{time_ns});

	push @slices, join ' ', $at, $row->{total_ns}, $row->{op}
		if $row->{total_ns} ne '\N';
	push @slices, join ' ', $at, $row->{age_ns}, $row->{op}
		if $row->{ended} eq 'open';
	for my $phase (@PHASES) {
		my $length = $row->{"${phase}_ns"};
		next if $length eq '\N';
		push @slices, join ' ', $at, $length, uc $phase;
		$at += $length;
	}
	$at = $row->{time_ns} + $row->{age_ns} if $row->{ended} eq 'open';
	return ($at, @slices);
}

# Slices and, in order of id, lanes: the lowest that is free.
sub slice_faults
{
	my ($trace, $rows) = @_;
	my @got = map { join ' ', @$_{qw(track time length name)} }
		@{$trace->{slices}};
	my (%free, @want);

	for my $row (sort { $a->{id} <=> $b->{id} } @$rows) {
		my ($end, @slices) = expected_slices($row);
		next unless @slices;
		my $ends = $free{"$row->{disk} $row->{dev}"} //= [];
		my $lane = 0;
		$lane++ while $lane < @$ends &&
			$ends->[$lane] > $row->{time_ns};
		$ends->[$lane] = $end;
		push @want, map { "$row->{disk} slot $lane $_" } @slices;
	}
	return list_faults('slice', \@got, \@want);
}

# each io's first slice says what it is
sub annotation_faults
{
	my ($trace, $rows) = @_;
	my %said = map { ($_->{annotations}{id}, $_->{annotations}) }
		grep { $_->{annotations}{id} } @{$trace->{slices}};
	my @columns = qw(id sector bytes flags pid process);
	my (@got, @want);

	for my $row (@$rows) {
		next unless (expected_slices($row))[1];
		my $a = $said{$row->{id}} // {};
		push @want, join ' ', @$row{@columns}, $row->{error},
			$row->{total_ns} eq '\N' ? $row->{ended} : '';
		push @got, join ' ', (map { $_ // '\N' } @$a{@columns}),
			$a->{error} // 0, $a->{ended} // '';
	}
	return list_faults('annotations', \@got, \@want);
}

# arrows from each parent to its children
sub flow_faults
{
	my ($trace, $rows) = @_;
	my (%from, @got);

	# the first slice that has a number is where its arrow begins
	for my $s (@{$trace->{slices}}) {
		for my $flow (@{$s->{flows}}) {
			push @got, "$from{$flow} $s->{annotations}{id}"
				if $from{$flow};
			$from{$flow} = $s->{annotations}{id};
		}
	}
	my @want = map { "$_->{parent} $_->{id}" }
		grep { $_->{parent} ne '\N' } @$rows;
	return list_faults('arrow', \@got, \@want);
}

# bytes of all steps, by counter
sub byte_faults
{
	my ($trace, $rows) = @_;
	my (%want, %got);

	for my $row (@$rows) {
		next if $row->{total_ns} eq '\N' || $row->{kind} eq 'part';
		my $what = { read => 'read', write => 'written',
			append => 'written' }->{$row->{op}} or next;
		$want{"$row->{disk} $what"} += $row->{bytes};
	}
	for my $track (grep { !/ depth$/ } keys %{$trace->{counters}}) {
		my ($since, $value) = (0, 0);
		for my $point (@{$trace->{counters}{$track}}) {
			$got{$track} += $value * ($point->[0] - $since) /
				1e9;
			($since, $value) = @$point;
		}
		delete $got{$track} unless $got{$track};
	}
	return list_faults('bytes',
		[map { sprintf '%s %.0f', $_, $got{$_} } keys %got],
		[map { "$_ $want{$_}" } grep { $want{$_} } keys %want]);
}

# below nothing, or left over
sub depth_faults
{
	my ($trace) = @_;
	my @faults;

	for my $track (grep { / depth$/ } keys %{$trace->{counters}}) {
		my @points = @{$trace->{counters}{$track}};
		push @faults, "$track ends with $points[-1][1]"
			if $points[-1][1];
		push @faults, "$track: $_->[1] at $_->[0]"
			for grep { $_->[1] >= 1 << 20 } @points;
	}
	return @faults;
}

sub trace_faults
{
	my ($item, $dir) = @_;

	unpack_set($item->[1], $dir);
	my $trace = timeline_of($dir);
	my @rows = rows_of($dir);
	return (slice_faults($trace, \@rows),
		annotation_faults($trace, \@rows),
		flow_faults($trace, \@rows), byte_faults($trace, \@rows),
		depth_faults($trace));
}

# --- some ios only ----------------------------------------------------------

sub test_some
{
	for my $options ("--where 'op==write'", '-a read', '-w 0.05:0.1') {
		my $dir = "$TOP/alpha";
		my $trace = timeline_of($dir, $options);
		my @rows = rows_of($dir, $options);
		my %shown = map { ($_->{id} => 1) } @rows;

		$_->{parent} = '\N' for grep { !$shown{$_->{parent}} } @rows;
		result("some/$options", slice_faults($trace, \@rows),
			annotation_faults($trace, \@rows),
			flow_faults($trace, \@rows),
			byte_faults($trace, \@rows), depth_faults($trace),
			@rows ? () : 'no rows');
	}
}

sub write_trace
{
	my ($item, $dir) = @_;

	unpack_set($item->[1], $dir);
	spew("$ARGV[1]/$item->[0].$_", export_of($dir, $_)) for qw(pftrace tsv);
	return ();
}

if (@ARGV && $ARGV[0] eq '--write') {
	work_in_order([every_trace($HERE, $SHARED)], \&write_trace, sub {
		my ($item, @faults) = @_;
		die "$item->[0]: @faults\n" if @faults;
	});
	exit 0;
}

test_golden();
test_some();
work_in_order([every_trace($HERE, $SHARED)], \&trace_faults, sub {
	my ($item, @faults) = @_;
	result("slices/$item->[0]", @faults);
});
print "1..$told\n";
