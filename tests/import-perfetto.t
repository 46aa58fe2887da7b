#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# btimport reads Perfetto's traces: one that Perfetto has recorded next to blktrace, and
# ones that are made of a perf.data (Suite::Perfetto), whose events are the same;
# damaged ones are read as far as they are whole.
#
#	BIN=DIR prove tests/import-perfetto.t
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Cwd 'abs_path';
use File::Path 'remove_tree';
use File::Temp 'tempdir';
use IO::Compress::Gzip 'gzip';
use Suite::Files qw(read_kept slurp spew);
use Suite::Pairs qw(ios compare);
use Suite::Perf qw(as_file parse);
use Suite::Perfetto qw(bundles_of compressed_trace field packet
		       trace_of_bundles);
use Suite::Run qw(find_programs run_command);
use Test::More;

my $HERE = $FindBin::Bin;
my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my $TOP = tempdir('perfetto.XXXXXX', TMPDIR => 1, CLEANUP => 1);

sub run
{
	return run_command($_[0], $TOP, $PROGRAMS);
}

sub import_bytes
{
	my ($bytes, $command, $name) = @_;

	remove_tree("$TOP/out");
	unlink glob "$TOP/out.*";
	spew("$TOP/" . ($name // 'trace'), $bytes);
	my $got = run($command || 'btimport trace -o out');
	$got->{files} = { map { s{.*/}{}r => slurp($_) } glob "$TOP/out.*" };
	return $got;
}

# --- a real one ----------------------------------------------------------------

my $real = import_bytes(read_kept("$HERE/data/import/perfetto.pftrace"));
is($real->{rc}, 0, 'what Perfetto has recorded: is read');
my $card = slurp("$TOP/out/loop0.blktrace.json");
like($card, qr/$_/, "... and its card has $_") for '"kernel":"6.18.44',
	'"cpus_online":2', '"from":"Perfetto"', '"tool":"Perfetto v56',
	'"clock":"boot"';
spew("$TOP/kept.blktrace.$_",
     read_kept("$HERE/data/import/perfetto.lo.blktrace.$_")) for 0, 1;
my $same = compare(map {
	[ios(run("btexport --format=csv --table=ios $_")->{out})]
} 'out/loop0', 'kept');
cmp_ok($same->{pairs}, '>=', 64, '... and has the I/Os of blktrace');
is($same->{alone}{$_}, 0, "... and none is alone in the $_")
	for 'first', 'second';

# --- the same events -------------------------------------------------------------

my $perf = parse(read_kept("$HERE/data/import/direct.perf.data"));
my @BUNDLES = bundles_of($perf);
# boot time, and no time of day
my @CLOCKS = ([6, 1000]);
my $PLAIN = trace_of_bundles(\@BUNDLES, \@CLOCKS);
my $made = import_bytes(as_file($perf), 'btimport perf.data -o out',
			'perf.data');
my $without = $made->{err} =~ /without libtraceevent/;

sub events_of
{
	my ($name) = @_;
	return [grep { !/ m +N / } split /\n/,
		run("blkparse -q $name -f '%D %2c %8s %T.%9t %5p %2a %3d %S %n " .
		    "%C %e\\n'")->{out}];
}

my $want;
if (!$without) {
	$want = events_of('out');
	cmp_ok(scalar @$want, '>', 3000, 'perf.data has events');
}

sub test_same
{
	my ($what, $bytes, $command) = @_;
	my $got = import_bytes($bytes, $command);

	is($got->{err}, "btimport: 3561 events of 1 device\n", "$what: is read");
	is($got->{rc}, 0, '... with status 0');
	is_deeply(events_of('out'), $want, '... and has the same events')
		if $want;
	return $got;
}

test_same('made of a perf.data', $PLAIN);
test_same('from a pipe', $PLAIN, 'cat trace | btimport - -o out');
test_same('compressed', compressed_trace($PLAIN));
gzip(\$PLAIN, \my $gzipped);
test_same('gzip\'d', $gzipped);
test_same('of events that it does not know',
	  trace_of_bundles([bundles_of($perf, 1)], \@CLOCKS));

my ($stamp) = map { unpack 'x24 Q<', $_->[2] } grep { $_->[0] == 9 }
	@{$perf->{records}};
import_bytes(trace_of_bundles(\@BUNDLES, [[1, 1_800_000_000 * 1_000_000_000],
				  [6, $stamp]]));
like(run("blkparse -q out -f '%z\\n' -t")->{out}, qr/^08:00:00\.0/m,
     'clocks: the time of day');
my $got = import_bytes(trace_of_bundles(\@BUNDLES, \@CLOCKS, field(5, 3)));
like($got->{files}{'out.blktrace.json'}, qr/"clock":"local"/,
     '... and which clock it was');

# --- losses ------------------------------------------------------------------------

# what the kernel has counted: phase, overrun
sub stats
{
	my ($phase, $overrun) = @_;
	return packet(field(34, field(1, $phase) .
		field(2, field(1, 0) . field(3, $overrun) . field(8, 2), 1), 1),
		field(10, 2));
}

my @lossy = map { [@$_] } @BUNDLES;
my $marked = trace_of_bundles([@lossy[0 .. 9]], \@CLOCKS) .
	substr(trace_of_bundles([$lossy[10]], [], field(3, 1)),
	       length trace_of_bundles([], [])) .
	substr(trace_of_bundles([@lossy[11 .. $#lossy]], []), length trace_of_bundles([], []));
$got = import_bytes($marked);
like($got->{err}, qr/: 1 event was lost/, 'a bundle that says so: a loss');
$got = import_bytes(trace_of_bundles([], \@CLOCKS) . stats(1, 10) . $marked .
		    stats(2, 25));
like($got->{err}, qr/: 15 events were lost/, '... as many as the kernel counted');
like(run('btstat out')->{out}, qr/lost/, '... which btstat reports');

# --- what cannot be read --------------------------------------------------------------

sub test_refused
{
	my ($what, $bytes, $words) = @_;
	my $got = import_bytes($bytes);

	like($got->{err}, $words, "$what: the reason");
	is($got->{rc}, 1, '... status 1');
	return $got;
}

test_refused('no events', trace_of_bundles([], \@CLOCKS),
	     qr/no events of the block layer; .*"block\/\*"$/m);
$got = test_refused('half of it', substr($PLAIN, 0, length($PLAIN) / 2),
		    qr/byte \d+: a packet is cut short$/m);
like($got->{err}, qr/^btimport: \d{3,} events of 1 device$/m,
     '... but what was whole is there');
test_refused('a huge packet', $PLAIN . "\x0a\xff\xff\xff\xff\x0f",
	     qr/byte \d+: a packet of an impossible size$/m);
test_refused('something else', "${PLAIN}nonsense",
	     qr/byte \d+: no packet where one should be$/m);
test_refused('a damaged packet', $PLAIN . packet("\x07"),
	     qr/byte \d+: a damaged packet$/m);
test_refused('a damaged bundle', $PLAIN . packet(field(1, "\x0e", 1)),
	     qr/byte \d+: a damaged bundle of events$/m);
test_refused('a damaged event',
	     $PLAIN . packet(field(1, field(2, "\x0e", 1), 1)),
	     qr/byte \d+: a damaged event$/m);
test_refused('broken compression', $PLAIN . packet(field(50, 'nonsense', 1)),
	     qr/byte \d+: compressed packets are damaged$/m);
test_refused('compressed twice', compressed_trace(compressed_trace($PLAIN)),
	     qr/trace: compressed packets are damaged$/m);

my $bad = 0;
for (1 .. $ENV{ROUNDS} || ($ENV{WRAP} ? 8 : 100)) {
	my $bytes = $_ & 1 ? $PLAIN : compressed_trace($PLAIN);
	substr $bytes, rand length $bytes, 1, chr rand 256 for 0 .. rand 8;
	$got = import_bytes($bytes, 'btimport --from=perfetto trace -o out');
	$bad++ if $got->{rc} > 1 || $got->{err} !~ /^btimport: /;
}
is($bad, 0, 'damaged anywhere: is read or refused');

# --- by mistake ----------------------------------------------------------------------

for my $bytes ($PLAIN, compressed_trace($PLAIN),
	       read_kept("$HERE/data/import/perfetto.pftrace")) {
	spew("$TOP/trace", $bytes);
	like(run("$_ trace")->{err},
	     qr/recorded by Perfetto; convert it with: btimport trace -o NAME$/m,
	     "$_ trace: says what it is") for 'btstat', 'blkparse';
}
like(run('cat trace | btstat -')->{err}, qr/standard input: recorded by Perfetto/,
     '... also from a pipe');
done_testing();
