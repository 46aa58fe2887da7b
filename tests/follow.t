#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# btexport --follow: captures of recorded traces, exported while their segments
# are completed.
#
#	make all rotate-programs; ROTATE=build/tests/rotate prove tests/follow.t
#
# The rows must be those of one export of all segments, even if the exporter is
# killed after each segment.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/hostile";
use Cwd 'abs_path';
use File::Path qw(make_path remove_tree);
use File::Temp 'tempdir';
use JSON::PP;
use List::Util 'sum';
use Process 'patience';
use Suite::Files qw(files_below slurp spew);
use Suite::Followed qw(cut end feed manifests start %TRACES);
use Suite::Run qw(find_programs run_command);
use Test::More;
use Time::HiRes qw(sleep time);

my $HERE = $FindBin::Bin;
my $PROGRAMS = find_programs(abs_path($ENV{BIN} || "$HERE/.."));
my $TOP = tempdir('follow.XXXXXX', TMPDIR => 1, CLEANUP => 1);
my $BTEXPORT = "$PROGRAMS->{path}/btexport";


# the segment; and what a restart may not know of a disk that was idle
my @TOLD = qw(segment seek_sectors);

# --- exports ---------------------------------------------------------------

sub follow
{
	my ($dir, $out, @options) = @_;
	return start("$TOP/messages", $BTEXPORT, "--follow=$dir", '-o',
		     "$out/", @options);
}

# rows of a table in a folder of CSV, less some columns, sorted
sub rows
{
	my ($out, $table, @without) = @_;
	return cut(join('', map { slurp("$out/$table/$_") }
		sort(files_below("$out/$table"))), @without);
}

# the same of all segments at once
sub whole
{
	my ($dir, $table, @without) = @_;
	return cut(run_command("btexport --table=$table '$dir'", $TOP,
			       $PROGRAMS)->{out}, @without);
}

# what both tables have
sub same_tables
{
	my ($what, $out, $dir, @without) = @_;

	for my $table (qw(ios latency)) {
		same_rows("$what: $table", rows($out, $table, @without),
			  whole($dir, $table, @without));
	}
}

# Says only what differs.
sub same_rows
{
	my ($what, $got, $want) = @_;
	my %want = map { $_ => 1 } split /\n/, $want;
	my @more = grep { !delete $want{$_} } split /\n/, $got;
	my @less = sort keys %want;

	ok($got eq $want, $what) or diag(scalar @more, " other rows:\n",
		join "\n", map { "$more[$_]\n" . ($less[$_] // '') }
		0 .. (@more < 3 ? $#more : 2));
}

sub verified
{
	my ($out) = @_;
	my $got = run_command("btexport --verify='$out'", $TOP, $PROGRAMS);
	return $got->{rc} . $got->{err};
}

# --- tests ------------------------------------------------------------------

# all segments are there already
sub test_whole
{
	my ($trace) = @_;
	my ($dir, $out) = ("$TOP/all-$trace", "$TOP/out-$trace");
	my @segments = feed($TOP, $trace, "$dir/db1");
	my $pid = follow($dir, $out, '--format=csv');

	cmp_ok(scalar @segments, '>', 3, "$trace: segments");
	is(scalar(manifests($out, scalar @segments)), scalar @segments,
	   '... each has a manifest');
	is(end($pid, 'TERM'), 0, '... until a signal');
	same_tables('... and all rows of a whole export', $out, "$dir/db1",
		    'segment');
	is(verified($out), '0', '... as the manifests say');
	my %sums;
	for (split /\n/, rows($out, 'segments')) {
		my @c = split /,/;
		$sums{rows} += $c[8] if length $c[8];
		$sums{ios} += $c[9];
	}
	is($sums{rows}, scalar(split /\n/, rows($out, 'ios')),
	   '... which the table segments counts');
}

# Segments come one by one, and the exporter is killed after each.
sub test_killed
{
	my ($trace) = @_;
	my ($dir, $out) = ("$TOP/killed-$trace", "$TOP/killed-out-$trace");
	my @segments = feed($TOP, $trace, "$TOP/later-$trace");

	make_path("$dir/db1");
	for my $i (0 .. $#segments) {
		rename "$TOP/later-$trace/$segments[$i]",
			"$dir/db1/$segments[$i]" or die "$segments[$i]: $!\n";
		my $pid = follow($dir, $out, '--format=csv');
		manifests($out, $i + 1);
		end($pid, 'KILL');
	}
	same_tables("$trace: killed after each segment, all rows are there once",
		    $out, "$dir/db1", @TOLD);
	is(verified($out), '0', '... as the manifests say');
}

# Killed at any moment: what was written without a manifest is made again.
sub test_moments
{
	my ($trace) = @_;
	my ($dir, $out) = ("$TOP/moments", "$TOP/moments-out");
	my @segments = feed($TOP, $trace, "$dir/db1");

	for my $ms (1 .. 25) {
		my $pid = follow($dir, $out, '--format=csv');
		sleep $ms / 1000;
		end($pid, 'KILL');
	}
	my $pid = follow($dir, $out, '--format=csv');
	manifests($out, scalar @segments);
	end($pid, 'TERM');
	same_tables("$trace: killed at any moment, all rows are there once",
		    $out, "$dir/db1", @TOLD);
	is(join(' ', grep { /\.part-/ } files_below($out)), '',
	   '... and nothing else is left');
	is(verified($out), '0', '... as the manifests say');
}

# Files of hours that are over are joined, whenever the exporter is killed.
sub test_joined
{
	my ($dir, $out) = ("$TOP/hours", "$TOP/hours-out");
	my @segments = feed($TOP, 'hours', "$TOP/hours-later");
	my $last = pop @segments;

	make_path("$dir/db1");
	rename "$TOP/hours-later/$_", "$dir/db1/$_" or die for @segments;
	for my $ms (map { 4 * $_ } 1 .. 30) {
		my $pid = follow($dir, $out);
		sleep $ms / 1000;
		end($pid, 'KILL');
	}
	my $pid = follow($dir, $out);
	my $until = time + 20 * patience(1);
	my (@ios, @whole, %hours);
	do {
		# The last segment's file is there before the hour that is
		# over is joined.
		sleep 0.1;
		@ios = grep { !m{/\.} } files_below("$out/ios");
		@whole = grep { /-[0-9a-f]{16}\.parquet\z/ } @ios;
		%hours = map { m{/(\d\d)-[^/]*-\d{6}\.parquet\z} ? ($1 => 1) : () }
			@ios;
	} until ("@{[keys %hours]}" eq '08'
		 && grep { /-0*@{[scalar @segments]}\.parquet\z/ } @ios) ||
		time > $until;
	is(scalar @whole, 2, 'two hours that are over: a file for each');
	is(join(' ', sort keys %hours), '08', '... and segments of the last one');
	is(verified($out), '0', '... as the manifests say');
	rename "$TOP/hours-later/$last", "$dir/db1/$last" or die;
	do {
		sleep 0.1;
		@ios = grep { !m{/\.} } files_below("$out/ios");
	} until !(grep { /-\d{6}\.parquet\z/ } @ios) || time > $until;
	end($pid, 'TERM');
	is(scalar @ios, 3, 'the capture has ended: its last hour, too');
	is(verified($out), '0', '... as the manifests say');
	my %sums;
	for my $file (grep { m{^host=} } files_below("$out/manifest")) {
		for my $table (@{decode_json(slurp("$out/manifest/$file"))
				->{tables}}) {
			my $its = $sums{$table->{table}} //= [0, 0];
			$its->[0] += $table->{rows};
			$its->[1] += $table->{sums}[0]{sum};
		}
	}
	for my $what (['ios', 'bytes'], ['latency', 'count']) {
		my @numbers = split /\n/, run_command('btexport --no-header'
			. " --table=$what->[0] --fields=$what->[1] '$dir/db1'",
			$TOP, $PROGRAMS)->{out};
		is("@{$sums{$what->[0]}}", @numbers . ' ' . sum(@numbers),
		   "... with all rows of $what->[0]");
	}
	$pid = follow($dir, $out);
	sleep 1;
	end($pid, 'TERM');
	is(scalar(grep { !m{/\.} } files_below("$out/ios")), 3,
	   '... and nothing more is exported');
}

# What is being written is left alone, and exported soon after it is complete;
# captures that begin later are found.
sub test_live
{
	my ($dir, $out) = ("$TOP/live", "$TOP/live-out");
	my @segments = feed($TOP, 'dm-linear-3dev', "$TOP/live-later");

	make_path("$dir/db1");
	rename "$TOP/live-later/$segments[0]",
		"$dir/db1/$segments[0].partial" or die;
	my $pid = follow($dir, $out);
	sleep 1.5;
	is(scalar(manifests($out, 0)), 0, 'a segment that is being written: no');
	rename "$dir/db1/$segments[0].partial", "$dir/db1/$segments[0]" or die;
	my $zero = time;
	is(scalar(manifests($out, 1)), 1, '... once it is complete');
	cmp_ok(time - $zero, '<', 2 * patience(1), '... within two seconds');
	make_path("$dir/db2");
	rename "$TOP/live-later/$segments[1]", "$dir/db2/$segments[1]" or die;
	my @found = manifests($out, 2);
	like("@found", qr{host=db2/\S+-000002\.parquet\.json},
	     'a capture that begins later');
	# the next but one
	rename "$TOP/live-later/$segments[2]", "$dir/db1/$segments[2]" or die;
	is(scalar(manifests($out, 3)), 3, 'a segment that was not exported');
	like(slurp("$TOP/messages"), qr{live/db1: segments 2 to 2 are gone},
	     '... is said to be gone');
	end($pid, 'TERM');
	is(verified($out), '0', '... as the manifests say');
}

# Two of them would send, and remove, each other's files.
sub test_alone
{
	my ($dir, $out) = ("$TOP/alone", "$TOP/alone-out");
	my @segments = feed($TOP, 'dm-linear-3dev', "$dir/db1");
	my $pid = follow($dir, $out, '--format=csv');

	manifests($out, scalar @segments);
	spew("$TOP/messages", '');
	my $next = follow($dir, $out, '--format=csv');
	my $until = time + 10 * patience(1);
	sleep 0.1 until time > $until || -s "$TOP/messages";
	like(slurp("$TOP/messages"), qr{^btexport:\ \Q$out\E/:\ another\ btexport
	     \ follows\ into\ it;\ waiting}mx, 'a second one waits');
	rename "$dir/db1", "$dir/db2" or die;
	end($pid, 'KILL');
	is(scalar(manifests($out, 2 * @segments)), 2 * @segments,
	   '... until the first has ended');
	end($next, 'TERM');
	$pid = follow($dir, $out, '--format=csv');
	$next = follow($dir, $out, '--format=csv');
	sleep 0.5;
	is(end($next, 'TERM'), 0, '... or a signal comes');
	end($pid, 'TERM');
}

# No room: said once, tried again, and complete when there is room.
sub test_no_room
{
	my ($dir, $out) = ("$TOP/room", "$TOP/room-out");
	my @segments = feed($TOP, 'dm-linear-3dev', "$dir/db1");
	my $pid = start("$TOP/messages", '/bin/sh', '-c',
			'ulimit -f 2; exec "$@"', 'sh', $BTEXPORT,
			"--follow=$dir", '-o', "$out/", '--format=csv');

	sleep 1;
	end($pid, 'TERM');
	like(slurp("$TOP/messages"), qr{cannot write \Q$out\E/\S+\.csv: File too},
	     'no room for a file');
	cmp_ok(scalar(manifests($out, 0)), '<', scalar @segments,
	       '... whose segment has no manifest');
	$pid = follow($dir, $out, '--format=csv');
	manifests($out, scalar @segments);
	end($pid, 'TERM');
	same_tables('... and is complete when there is', $out, "$dir/db1",
		    @TOLD);
}

# A checkpoint that nobody can have written: nothing is guessed.
sub test_damaged
{
	my ($dir, $out) = ("$TOP/room", "$TOP/room-out");
	my ($state) = glob "$out/manifest/follow/*";
	my $said = slurp($state);

	for my $try ('', 'x', substr($said, 0, -4), $said =~ s/last/first/r,
		     $said =~ s/^point.*\n//mgr) {
		spew($state, $try);
		spew("$TOP/messages", '');
		my $pid = follow($dir, $out, '--format=csv');
		my $until = time + 10 * patience(1);
		sleep 0.05 until slurp("$TOP/messages") || time > $until;
		end($pid, 'TERM');
		like(slurp("$TOP/messages"), qr{\Q$state\E: damaged: restore it},
		     'a damaged checkpoint is said');
	}
	spew($state, $said);
	is(verified($out), '0', '... and nothing was done');
}

sub test_refused
{
	for my $try (['', 'needs a directory'], ['-o x.csv', 'needs a directory'],
		     ['-o x/ sda', 'leave out sda'],
		     ['-o x/ --table=meta', 'of a whole trace'],
		     ['-o x/ -w 5', 'exports all'],
		     ['-o x/ --where op==read', 'exports all']) {
		my $got = run_command("btexport --follow=. $try->[0]", $TOP,
				      $PROGRAMS);
		is($got->{rc}, 1, "--follow $try->[0]: refused");
		like($got->{err}, qr/$try->[1]/, '... and why');
	}
	my $got = run_command('btexport --follow=nowhere -o x/', $TOP,
			      $PROGRAMS);
	is($got->{rc}, 1, 'a directory that is not there');
	like($got->{err}, qr/nowhere: No such file/, '... is named');
}

spew("$TOP/messages", '');
test_whole($_) for sort keys %TRACES;
test_killed($_) for qw(md-raid1-3dev smp4-mixed-procs long);
test_moments('smp4-mixed-procs');
test_joined();
test_live();
test_alone();
test_no_room();
test_damaged();
test_refused();
done_testing();
