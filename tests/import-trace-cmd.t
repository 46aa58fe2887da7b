#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# btimport reads trace.dat: the events are those of the perf.data that the file is made
# of (Suite::TraceCmd), in versions 6 and 7, compressed, of either byte order; and
# damaged ones are read as far as they are whole.  vm/imported has trace-cmd's own.
#
#	BIN=DIR prove tests/import-trace-cmd.t
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Cwd 'abs_path';
use File::Path 'remove_tree';
use File::Temp 'tempdir';
use IO::Compress::Gzip 'gzip';
use Suite::Files qw(read_kept slurp spew);
use Suite::Perf qw(as_file parse swapped);
use Suite::Run qw(find_programs run_command);
use Suite::TraceCmd qw(trace_of as_6 as_7 page pages_of);
use Test::More;

my $HERE = $FindBin::Bin;
my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my $TOP = tempdir('trace.XXXXXX', TMPDIR => 1, CLEANUP => 1);

sub run
{
	return run_command($_[0], $TOP, $PROGRAMS);
}

sub import_bytes
{
	my ($bytes, $command, $name) = @_;

	remove_tree("$TOP/out");
	unlink glob "$TOP/out.*";
	spew("$TOP/" . ($name // 'trace.dat'), $bytes);
	my $got = run($command || 'btimport trace.dat -o out');
	$got->{files} = { map { s{.*/}{}r => slurp($_) } glob "$TOP/out.*" };
	return $got;
}

my $perf = parse(read_kept("$HERE/data/import/direct.perf.data"));
my $made = import_bytes(as_file($perf), 'btimport perf.data -o out',
			'perf.data');

if ($made->{err} =~ /built without libtraceevent/) {
	my $got = import_bytes(as_6(trace_of($perf)));
	like($got->{err}, qr/built without libtraceevent/,
	     'without libtraceevent it cannot be read');
	is($got->{rc}, 1, '... status 1');
	done_testing();
	exit;
}
my $TRACE = trace_of($perf);
my @RECORDS = grep { !/json/ } sort keys %{$made->{files}};

# --- the same events -----------------------------------------------------------

# but for the note of what they are from
sub records
{
	my ($got, $name) = @_;
	return ($got->{files}{$name} // '') =~
		s/imported from trace\.dat/imported from perf.data/r;
}

sub test_same
{
	my ($what, $bytes) = @_;
	my $got = import_bytes($bytes);

	is($got->{err}, $made->{err}, "$what: is read");
	is($got->{rc}, 0, '... with status 0');
	ok(!grep({ records($got, $_) ne $made->{files}{$_} } @RECORDS),
	   '... and has the same events');
	return $got;
}

my $got = test_same('version 6', as_6($TRACE));
like($got->{files}{'out.blktrace.json'}, qr/$_/, "... whose card has $_") for
	'"host":"vm"', '"kernel":"6.18.44"', '"cpus_online":2',
	'"from":"trace.dat"', '"tool":"trace-cmd 3.1.6 x"', '"clock":"mono"';
unlike($got->{files}{'out.blktrace.json'}, qr/lacks/,
       '... and nothing that it lacks');
like(run('btstat out')->{out}, qr/^imported +from trace\.dat/m,
     '... as btstat shows');

my $zstd = run('btpack -l trace.dat')->{err} !~ /built without libzstd/;
my $other = trace_of(swapped($perf));
test_same('version 6, big-endian', as_6($other));
for my $by ('none', 'zlib', $zstd ? 'zstd' : ()) {
	test_same("version 7, $by", as_7($TRACE, $by));
	test_same("version 7, $by, big-endian", as_7($other, $by));
}
if (!$zstd) {
	like(import_bytes(as_7($TRACE, 'zstd'))->{err},
	     qr/compressed by zstd, and .* built without libzstd$/m,
	     'without libzstd: is said');
}

sub with
{
	my (%more) = @_;
	return { %$TRACE, %more };
}

# CPU 1 in another ring buffer
my ($first, $second) = @{$TRACE->{buffers}[0]{pages}};
my $two = with(buffers => [
	{ name => '', clock => 'mono', pages => [$first, []] },
	{ name => 'more', clock => 'mono', pages => [[], $second] }]);
test_same('two buffers, version 6', as_6($two));
test_same('two buffers, version 7', as_7($two, 'zlib'));
$two->{buffers}[1]{clock} = 'boot';
$got = import_bytes(as_7($two, 'none'));
like($got->{err}, qr/byte \d+: a buffer of another clock is passed over$/m,
     'two clocks: is said');
is($got->{rc}, 1, '... status 1');

# --- what is known of it ---------------------------------------------------------

$got = import_bytes(as_6(with(names => "22 ksoftirqd/1\n23 odd name\nx\n")));
is($got->{err}, $made->{err}, 'names of processes: are read');
like(run("blkparse -q out -f '%a %C\\n'")->{out}, qr{^C ksoftirqd/1$}m,
     '... and known where no event has one');

sub options
{
	return with(options => [@{$TRACE->{options}}, @_]);
}

my ($stamp) = map { unpack 'x24 Q<', $_->[2] } grep { $_->[0] == 9 }
	@{$perf->{records}};
my $day = int((1_800_000_000 * 1_000_000_000 - $stamp) / 1000);
$got = import_bytes(as_6(options([1, sprintf "0x%x\0", $day])));
is($got->{err}, $made->{err}, 'with --date: is read');
like(run("blkparse -q out -f '%z\\n' -t")->{out}, qr/^08:00:00\.0/m,
     '... and has the time of day');

$got = import_bytes(as_7(options([2, "CPU: 0\nentries: 0\noverrun: 5\ncommit " .
			 "overrun: 2\ndropped events: 40\n\0"]), 'none'));
like($got->{err}, qr/^btimport: 42 events were lost when it was recorded/m,
     'events that found no room are lost ones');

# the same times in units of 2 ns, as if of a time stamp counter
my $half = trace_of({ %$perf, records => [map {
	my ($type, $misc, $body) = @$_;
	substr($body, 24, 8) = pack 'Q<', unpack('Q<', substr $body, 24, 8) / 2
		if $type == 9;
	[$type, $misc, $body];
} @{$perf->{records}}] });
$half->{buffers}[0]{clock} = 'x86-tsc';
$got = import_bytes(as_7($half, 'none'));
like($got->{err}, qr/its clock counts no time: record with .* -C mono$/m,
     'a counter: is said');
is($got->{rc}, 1, '... status 1');
push @{$half->{options}}, [14, pack 'V2 Q<', 1 << 21, 20, 1000];
$got = import_bytes(as_7($half, 'none'));
is($got->{err}, $made->{err}, '... which has its rate: is read');
my ($was, $is) = map { unpack 'x8 Q<', $_->{files}{'out.blktrace.0'} } $made,
	$got;
cmp_ok(abs($was - $is - 1000), '<=', 2, '... with its times less the offset');

# --- losses ------------------------------------------------------------------------

for (['a known number', 7, qr/: 7 events were lost/, qr/\(7 - /],
     ['an unknown one', -1, qr/: 1 event was lost/, qr/\(1 - /]) {
	my ($what, $count, $words, $hole) = @$_;
	my @pages = @$second;
	my ($time, $size) = unpack 'Q<2', $pages[3];
	$pages[3] = page('<', $time, substr($pages[3], 16, $size), $count);
	my $lossy = with(buffers => [{ %{$TRACE->{buffers}[0]},
				       pages => [$first, \@pages] }]);
	$got = import_bytes(as_6($lossy));
	like($got->{err}, $words, "losses, $what");
	like(run('blkparse out')->{out}, $hole,
	     '... and a hole in the numbers where it was');
}

# --- what it lacks -------------------------------------------------------------------

my $few = trace_of({ %$perf, features => { %{$perf->{features}},
	1 => Suite::Perf::tracing_data('<', $perf->{features}{1},
				       'block_rq_issue', 'block_rq_complete') } });
$got = import_bytes(as_6($few));
like($got->{files}{'out.blktrace.json'}, qr/"lacks":"no queue, /,
     'only two tracepoints: the card says what is not there');

# --- what cannot be read ---------------------------------------------------------------

sub test_refused
{
	my ($what, $bytes, $words, $command) = @_;
	my $got = import_bytes($bytes, $command);

	like($got->{err}, $words, "$what: the reason");
	is($got->{rc}, 1, '... status 1');
	return $got;
}

my $six = as_6($TRACE);
my $seven = as_7($TRACE, 'zlib');
gzip(\$seven, \my $gzipped);
my $needs_file = qr/read neither gzip'd nor from a pipe: unpack it$/m;
test_refused('gzip\'d', $gzipped, $needs_file);
test_refused('from a pipe', $seven, $needs_file,
	     'cat trace.dat | btimport - -o out');
test_refused('version 5', $six =~ s/tracing6/tracing5/r,
	     qr/a version other than 6 and 7$/m);
test_refused('unknown compression', as_7($TRACE, 'none') =~ s/none/lzma/r,
	     qr/compressed in an unknown way$/m);
test_refused('text in place of events',
	     $six =~ s/flyrecord\0/latency  \0/r, qr/what trace-cmd report prints/);
test_refused('no block events', $six =~ s/block\0/blocs\0/r,
	     qr/no formats of the block layer's .*trace-cmd record -e block$/m);
test_refused('no events at all', as_6(with(buffers => [
	{ name => '', clock => 'mono', pages => [[], []] }])),
	     qr/no events of the block layer; .*trace-cmd record -e block$/m);
test_refused('only the start', substr($_, 0, 40), qr/byte \d+: cut short/)
	for $six, $seven;

$got = test_refused('half a file', substr($six, 0, length($six) / 2),
		    qr/byte \d+: pages of events are cut short/);
like($got->{err}, qr/^btimport: \d{3,} events of 1 device$/m,
     '... but what was whole is there');

# every part of it, damaged
my $bad = 0;
for (1 .. $ENV{ROUNDS} || ($ENV{WRAP} ? 8 : 100)) {
	for ($six, $seven) {
		my $bytes = $_;
		substr $bytes, rand length $bytes, 1, chr rand 256
			for 0 .. rand 8;
		$got = import_bytes($bytes);
		$bad++ if $got->{rc} > 1 || $got->{err} !~ /^btimport: /;
	}
}
is($bad, 0, 'damaged anywhere: is read or refused');

my @pages = @$first;
substr $pages[2], 8, 8, pack 'Q<', 70000;
substr $pages[4], 16, 8, pack 'L<2', 0, 0xfffffff0;
my $damaged = with(buffers => [{ %{$TRACE->{buffers}[0]},
				 pages => [\@pages, $second] }]);
$got = test_refused('damaged pages', as_6($damaged),
		    qr/byte \d+: a damaged page of events$/m);
like($got->{err}, qr/byte \d+: a damaged event in a page$/m, '... and events');
like($got->{err}, qr/^btimport: 3[0-9]{3} events of 1 device$/m,
     '... and the others are there');

# --- by mistake ----------------------------------------------------------------------

spew("$TOP/trace.dat", $six);
like(run("$_ trace.dat")->{err},
     qr/recorded by trace-cmd; convert it with: btimport trace\.dat -o NAME$/m,
     "$_ trace.dat: says what it is") for 'btstat', 'blkparse';
done_testing();
