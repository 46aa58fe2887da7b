#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# btstat --capacity: on recorded traces, levels counted once more from the I/Os that
# btexport has are those that it says; and its sentences.
#
#	BIN=DIR prove tests/capacity.t
#
# SHARED (../shared) has more traces.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Cwd 'abs_path';
use File::Temp 'tempdir';
use JSON::PP;
use List::Util qw(max min sum0);
use Suite::Files 'slurp';
use Suite::Run qw(find_programs run_command);
use Suite::Traces 'unpack_traces';
use Test::More;

my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my $TOP = tempdir('capacity.XXXXXX', TMPDIR => 1, CLEANUP => 1);
my @FIELDS = qw(disk id kind merge ended birth time_ns total_ns age_ns q2m_ns q2g_ns
		g2m_ns q2x_ns issue_ns);

# Until when an I/O is one of its device's, and whether it completes as such.
sub until_when
{
	my ($io) = @_;
	my $open = $io->{ended} !~ /^(?:C|below)\z/;
	my $over = $io->{time_ns} + ($open ? $io->{age_ns} : $io->{total_ns});

	return ($io->{time_ns} + $io->{q2x_ns}, 0) if $io->{q2x_ns} ne '';
	return ($over, !$open) if $io->{merge} eq '';
	return ($io->{issue_ns}, 0) if $io->{merge} eq 'silent';
	return ($io->{time_ns} + ($io->{q2m_ns} ne '' ? $io->{q2m_ns} :
				  ($io->{q2g_ns} || 0) + ($io->{g2m_ns} || 0)), 0);
}

# disk => its I/Os in order of first events: [from, to, whether it completes, id]
sub ios
{
	my ($trace) = @_;
	my $text = run_command('btexport --format=csv --no-header --fields=' .
			       join(',', @FIELDS) . " '$trace'", $TOP,
			       $PROGRAMS)->{out};
	my %of;

	for my $line (split /\n/, $text) {
		my %io;
		@io{@FIELDS} = split /,/, $line, @FIELDS;
		next if $io{kind} eq 'flush' || $io{birth} eq 'C';
		my ($to, $done) = until_when(\%io);
		push @{$of{$io{disk}}}, [$io{time_ns}, $to, $done, $io{id}];
	}
	@$_ = sort { $a->[3] <=> $b->[3] } @$_ for values %of;
	return %of;
}

# the row of a level
sub row
{
	my ($level) = @_;
	my $step = 1;

	return $level if $level < 16;
	$step *= 2 while $level >= 16 * $step;
	return int($level / $step) * $step;
}

# Times at levels, and completed I/Os by the level to which they came, and out of
# which they completed: that of an eighth of their latency before.
sub count_levels
{
	my ($end, @ios) = @_;
	my (%time, %came, %done, @changes, @path);
	my ($now, $since) = (0, 0);

	for my $i (0 .. $#ios) {
		push @changes, [$ios[$i][0], 1, $i], [$ios[$i][1], -1, $i];
	}
	for (sort { $a->[0] <=> $b->[0] || $a->[2] <=> $b->[2] ||
		    $b->[1] <=> $a->[1] } @changes) {
		my ($at, $by, $i) = @$_;
		$time{row($now)} += $at - $since;
		($now, $since) = ($now + $by, $at);
		push @path, [$at, $now];
		$came{row($now)}++ if $by > 0 && $ios[$i][2];
	}
	$time{0} += $end - $since;
	for my $io (grep { $_->[2] } @ios) {
		my $then = $io->[1] - int(($io->[1] - $io->[0]) / 8);
		my ($low, $high) = (0, scalar @path);
		while ($high - $low > 1) {
			my $middle = int(($low + $high) / 2);
			$path[$middle][0] > $then ? $high = $middle :
				($low = $middle);
		}
		$done{row($path[$low][1])}++;
	}
	return (time_ns => \%time, came => \%came, completed => \%done);
}

# how much of one count is not in the other
sub apart
{
	my ($x, $y) = @_;
	my %rows = (%$x, %$y);

	return sum0(map { abs(($x->{$_} // 0) - ($y->{$_} // 0)) } keys %rows) / 2;
}

# Events of one ns are in the order in which they were written, which an export
# lacks: a few I/Os may be off by one level.
sub test_device
{
	my ($name, $c, @ios) = @_;
	my %want = count_levels($c->{time_ns}, @ios);
	my (@other, %got);

	for my $count (sort keys %want) {
		my %is = map { $_->{depth} => $_->{$count} } @{$c->{levels}};
		my $off = apart(\%is, $want{$count});
		my $all = sum0(values %is);
		push @other, "$count: $off of $all"
			if $off > max(2, $all / 200);
		$got{$count} = $all;
	}
	my $done = grep { $_->[2] } @ios;
	push @other, "$c->{ios} I/Os, not $done" if $c->{ios} != $done;
	push @other, 'some are missing' if $got{came} != $done ||
		$got{completed} != $done || $got{time_ns} != $c->{time_ns};
	my $depth = $c->{time_ns} &&
		sum0(map { $_->[1] - $_->[0] } grep { $_->[2] } @ios) /
		$c->{time_ns};
	push @other, "mean depth $c->{mean_depth_completed}, not $depth"
		if abs($c->{mean_depth_completed} - $depth) > 0.001 +
			$depth / 1000;
	is(join("\n", @other), '', "$name, $c->{disk}: as counted");
}

sub test_trace
{
	my ($name, $trace) = @_;
	my $got = run_command("btstat --capacity --format=json '$trace'", $TOP,
			      $PROGRAMS);
	my $json = eval { decode_json($got->{out}) }
		or return fail("$name: $got->{err}");
	my %ios = ios($trace);

	for my $c (@{$json->{capacities}}) {
		my $ios = $ios{$c->{disk} =~ s/,/:/r} // [];
		test_device($name, $c, @$ios);
	}
}

# The table capacity has the same rows.
sub test_table
{
	my ($name, $trace) = @_;
	my @columns = qw(depth depth_to time_ns completed completed_bytes came
			 p50_ns p99_ns waiting_mean_ns device_mean_ns);
	my $json = run_command("btstat --capacity --format=json '$trace'", $TOP,
			       $PROGRAMS)->{out};
	my $csv = run_command('btexport --table=capacity --format=csv --no-header'
		. ' --fields=' . join(',', 'disk', 'state', @columns)
		. " '$trace'", $TOP, $PROGRAMS);
	my @want = map { my $c = $_; map { my $l = $_;
		join ',', $c->{disk} =~ s/,/:/r, $c->{state},
			map { $l->{$_} // '' } @columns } @{$c->{levels}}
	} @{decode_json($json)->{capacities}};

	is($csv->{out}, join('', map { "$_\n" } @want),
	   "$name: btexport's table capacity");
}

# A page has the knees of btstat, if they are asked for.
sub test_page
{
	my ($name, $trace) = @_;
	my %know = map { $_->{disk} => $_ } @{decode_json(run_command(
		"btstat --capacity --format=json '$trace'", $TOP, $PROGRAMS)
			->{out})->{capacities}};
	my $page = run_command("btreport --capacity --json c.json -o - '$trace'",
			       $TOP, $PROGRAMS)->{out};
	my $meta = decode_json(slurp("$TOP/c.json"));
	my @got = map { [$_->{state}, sprintf '%.3g', $_->{perSecond}[0]] }
		@{$meta->{capacity}};
	my @want = map { [$_->{state}, sprintf '%.3g',
			     $_->{capacity_per_second}{is}] }
		grep { $_->{state} !~ /too_few|doubtful/ } values %know;

	is(scalar @got, scalar @want, "$name: a page has as many");
	is(join(' ', sort map { "@$_" } @got), join(' ', sort map { "@$_" } @want),
	   '... with their states and capacities');
	is($page =~ /<section id="t-capacity">/ ? 1 : 0, @want ? 1 : 0,
	   '... in a section');
	$page = run_command("btreport --json c.json -o - '$trace'", $TOP,
			    $PROGRAMS)->{out};
	ok(!exists decode_json(slurp("$TOP/c.json"))->{capacity},
	   'without --capacity: none');
	unlike($page, qr/t-capacity"/, '... and no section');
}

# --- what is refused ------------------------------------------------------------

sub test_refused
{
	for my $try (['--capacity=0', 'not a time above 0'],
		     ['--capacity=fast', 'not a time above 0'],
		     ["--capacity --where 'op==read'", 'needs all I/Os'],
		     ['--capacity -a read', 'needs all I/Os'],
		     ['--capacity --format=csv', 'has its own tables'],
		     ['--capacity --top=5', 'has its own tables'],
		     ['--capacity --interval=1', 'has its own tables'],
		     ['--capacity --marks', 'stands alone']) {
		my $got = run_command("btstat $try->[0] x", $TOP, $PROGRAMS);
		is($got->{rc}, 1, "btstat $try->[0]: refused");
		like($got->{err}, qr/\Q$try->[1]/, '... and why');
	}
	for my $option ("--where 'op==read'", '-a read', '--follow=x -o y/') {
		my $got = run_command("btexport --table=capacity $option "
			. ($option =~ /follow/ ? '' : 'x'), $TOP, $PROGRAMS);
		is($got->{rc}, 1, "btexport --table=capacity $option: refused");
		like($got->{err}, qr/needs all I\/Os|of a whole trace/,
		     '... and why');
	}
}

# -----------------------------------------------------------------------------

my $where = unpack_traces($FindBin::Bin,
	$ENV{SHARED} || "$FindBin::Bin/../../shared", $TOP);
for my $name (grep { !/^derived/ } sort keys %$where) {
	my ($trace) = (glob("\Q$where->{$name}\E/*.bin"), $where->{$name});
	test_trace($name, $trace);
	test_table($name, $trace) if $name =~ /mixed|dm-linear|^nullblk/;
	test_page($name, $trace) if $name =~ /mixed|dm-linear|^nullblk/;
}
test_refused();
done_testing();
