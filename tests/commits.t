#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# btstat --by=commit and btexport's table commits: a made trace with calls, of which
# every part is known; and recorded traces without calls, whose parts add up.
#
#	BIN=DIR prove tests/commits.t
#
# tests/unit/commits.c has more cases, tests/live/commits.t real programs.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Cwd 'abs_path';
use File::Temp 'tempdir';
use JSON::PP;
use List::Util qw(sum sum0);
use Suite::Files qw(slurp spew);
use Suite::Made 'made_trace';
use Suite::Run qw(find_programs run_command);
use Suite::Traces 'unpack_traces';
use Test::More;

my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my $TOP = tempdir('commits.XXXXXX', TMPDIR => 1, CLEANUP => 1);
my @PARTS = qw(data journal flush other writeback idle);

sub output
{
	my ($command) = @_;
	my $got = run_command($command, $TOP, $PROGRAMS);
	is($got->{rc}, 0, $command =~ s/\Q$TOP\E.//r) or diag($got->{err});
	return $got->{out};
}

sub commits_of
{
	my ($name, @options) = @_;
	return decode_json(output("btstat --by=commit --format=json @options" .
				  " $name"))->{commits};
}

# the rows of the table, each a hash
sub rows_of
{
	my ($name, @options) = @_;
	return map { decode_json($_) } split /\n/,
		output("btexport --table=commits --format=jsonl @options $name");
}

# --- calls -----------------------------------------------------------------

# Two threads of a database: the second one's call waits for the first one's
# journal commit, and for its own.
sub made
{
	my ($db, $pg, $jbd) = (100, 200, 300);
	my @ios = (
		{ time => 0.010, took => 0.002, op => 'WS', sector => 800,
		  pid => $db, name => 'db' },
		{ time => 0.012, took => 0.003, op => 'WSM', sector => 8000,
		  bytes => 8192, pid => $jbd, name => 'jbd2/sda-8' },
		{ time => 0.015, took => 0.005, op => 'WFSM', sector => 8016,
		  pid => $jbd },
		{ time => 0.013, took => 0.001, op => 'WS', sector => 900,
		  pid => $pg, name => 'pg' },
		{ time => 0.021, took => 0.003, op => 'WSM', sector => 8024,
		  bytes => 8192, pid => $jbd },
		{ time => 0.025, took => 0.005, op => 'WFSM', sector => 8040,
		  pid => $jbd },
		# none of their waits
		{ time => 0.011, took => 0.020, op => 'R', sector => 5000,
		  pid => 400, name => 'cat' },
	);
	my @texts = (
		[0.001, 0, 'file 7: /data/wal'], [0.001, 0, 'file 9: /data/tab'],
		[0.021, $db, 'fsync of file 7 by 99: 12000000 ns'],
		[0.031, $pg, 'fdatasync of file 9 by 199: 18500000 ns'],
		# no calls
		(map { [0.031, $pg, $_] } 'fsync of file 9 by 199: 18500000',
		 'fsync of file x by 199: 1 ns', 'fsync of file 9',
		 'fsync of file 99999999999 by 199: 1 ns',
		 'close of file 9 by 199: 1 ns', '', 'file 7',
		 'fsync of file 9 by 199: ' . 9 x 30 . ' ns'),
	);
	return made_trace(\@ios, [map { { time => $_->[0], pid => $_->[1],
		text => "iotracer: $_->[2]" } } @texts]);
}

# of the first and the second call, ms
my %KNOWN = (
	'/data/wal' => { call => 'fsync', process => 'db', pid => 99, tid => 100,
		data => 2, journal => 8, flush => 0, other => 0, writeback => 0,
		idle => 2, other_process => undef, other_bytes => 0 },
	'/data/tab' => { call => 'fdatasync', process => 'pg', pid => 199,
		tid => 200, data => 1, journal => 8, flush => 0, other => 6.5,
		writeback => 0, idle => 3, other_process => 'jbd2/sda-8',
		other_bytes => 12288 },
);

sub check_row
{
	my ($row, $known) = @_;
	is($row->{$_}, $known->{$_}, "$row->{file}: $_")
		for qw(call process pid tid other_process other_bytes);
	is($row->{"${_}_ns"}, $known->{$_} * 1e6, "$row->{file}: $_")
		for @PARTS;
	is($row->{duration_ns}, sum(map { $row->{"${_}_ns"} } @PARTS),
	   '... adds up');
	is($row->{unsure}, 0, '... surely');
	is($row->{disk}, 'made', '... on the disk');
	is($row->{unix_ns}, undef, '... a trace without time of day');
}

spew("$TOP/made.blktrace.0", made());
my @rows = rows_of('made');
is(scalar @rows, 2, 'two calls');
check_row($_, $KNOWN{$_->{file}}) for @rows;

my $sums = commits_of('made');
ok($sums->{calls}, 'btstat: calls');
is($sums->{count}, 2, '... two');
for my $part (@PARTS) {
	is($sums->{"${part}_ns"}, sum(map { $_->{"${part}_ns"} } @rows),
	   "... $part");
}
is_deeply([map { [$_->{file}, $_->{count}, $_->{other_ns}] } @{$sums->{files}}],
	  [['/data/tab', 1, 6.5e6], ['/data/wal', 1, 0]], '... by file');
is_deeply([map { $_->{process} } @{$sums->{processes}}], ['pg', 'db'],
	  '... by process');
is($sums->{slowest}[0]{other_process}, 'jbd2/sda-8', '... and the slowest');

my $text = output('btstat --by=commit made');
like($text, qr{^fdatasync of /data/tab by pg 18\.5ms: 1\.00ms own data, 8\.00ms journal write, 6\.50ms waiting for another commit \(jbd2/sda-8, 3 blocks\), 3\.00ms without I/O$}m,
     'text: the slowest') or diag($text);
like($text, qr/^file .*\n.*^process .*/ms, '... tables by file and process');
like($text, qr/^all .* 10% +52% +0% +21% /m, '... and of all') or diag($text);

is(commits_of('made', '-w 0.022')->{count}, 1, 'a window has those that return');
is(scalar(rows_of('made', '-w 0.022:9')), 1, '... of the table, too');
for my $options ('--where=bytes', '--by=commit,op', '--top=3', '--format=csv',
		 '--cache', '-a read') {
	my $got = run_command("btstat --by=commit $options made", $TOP, $PROGRAMS);
	isnt($got->{rc}, 0, "btstat --by=commit $options is refused");
}

# --- a page ----------------------------------------------------------------

output('btreport -o made.html made');
my $page = slurp("$TOP/made.html");
like($page, qr{<section id="commits".*<tr><th>/data/tab</th><td class="num">1</td>.*</section>}s,
     'a page has a section of calls');
like($page, qr{<li>fdatasync of /data/tab by pg 18\.5ms: [^<]*without I/O</li>},
     '... with the slowest');

# --- without calls ---------------------------------------------------------

# What waits for a flush, by the table ios: writes with one, and empty flushes.
sub flushes_of
{
	my ($name) = @_;
	return grep { $_->{flags} =~ /^F|F/ && $_->{kind} ne 'flush' }
		map { decode_json($_) } split /\n/,
		output("btexport --format=jsonl --fields=kind,flags,ended $name");
}

sub test_recorded
{
	my ($name, $where) = @_;
	my $commits = commits_of($where);
	my @its = rows_of($where);

	ok(!$commits->{calls}, "$name: no calls");
	is($commits->{count}, scalar @its, '... as many as rows');
	is($commits->{time_ns}, sum0(map { $_->{duration_ns} } @its),
	   '... as long');
	is(scalar(grep { $_->{duration_ns} !=
			 sum(map { $_ } @{$_}{map { "${_}_ns" } @PARTS}) } @its),
	   0, '... each adds up');
	# a journal commit may end without one
	my @flushes = flushes_of($where);
	cmp_ok(scalar(grep { $_->{call} eq 'flush' } @its), '<=',
	       scalar @flushes, '... at most one a flush');
	return scalar @its;
}

my $traces = unpack_traces($FindBin::Bin, $ENV{SHARED} ||
	"$FindBin::Bin/../../shared", $TOP);
my %count = map { $_ => test_recorded($_, (glob("\Q$traces->{$_}\E/*.bin"),
					 $traces->{$_})[0]) }
	grep { !/^derived/ } sort keys %$traces;
cmp_ok(scalar(grep { $_ } values %count), '>=', 3, 'some have commits');
done_testing();
