#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# btimport reads perf.data: the I/Os are those that blktrace recorded in the same
# seconds, whether it is a file, comes from a pipe, is compressed or from a machine
# of the other byte order; and damaged ones are read as far as they are whole.
#
#	BIN=DIR [SHARED=DIR] prove tests/import-perf.t
#
# data/import has a few milliseconds of a load that both recorded (import/cut);
# with ../shared (SHARED) at hand all of it is compared, too.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Cwd 'abs_path';
use File::Path 'remove_tree';
use File::Temp 'tempdir';
use IO::Compress::Gzip 'gzip';
use Suite::Files qw(files_below read_kept slurp spew);
use Suite::Pairs qw(ios compare %ENOUGH);
use Suite::Perf qw(as_file as_pipe block_formats compressed parse swapped);
use Suite::Run qw(find_programs run_command);
use Test::More;

my $HERE = $FindBin::Bin;
my $SHARED = $ENV{SHARED} || "$HERE/../../shared";
my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my $TOP = tempdir('perf.XXXXXX', TMPDIR => 1, CLEANUP => 1);

my ($SAMPLE, $LOST, $COMM, $LOST_SAMPLES) = (9, 2, 3, 13);
my ($COMPRESSED, $COMPRESSED2) = (81, 83);
my ($TIME, $RAW) = (24, 52);		# offsets in a sample
my $DEV = 8;				# in its raw bytes
my $EVENT = qr/^ *7,0 .* [A-Z]+ +[A-Z]+ /m;	# a line of blkparse

sub run
{
	return run_command($_[0], $TOP, $PROGRAMS);
}

# What btimport makes of BYTES: as run(), and files by name, without their numbers
# of device files.
sub import_bytes
{
	my ($bytes, $command) = @_;

	remove_tree("$TOP/out");
	unlink glob "$TOP/out.*";
	spew("$TOP/perf.data", $bytes);
	my $got = run($command || 'btimport perf.data -o out');
	my @names = -d "$TOP/out" ? map { "out/$_" } files_below("$TOP/out") :
		map { s{.*/}{}r } glob "$TOP/out.*";
	$got->{files} = { map { $_ => slurp("$TOP/$_") } @names };
	return $got;
}

# --- the same I/Os -------------------------------------------------------------

sub ios_of
{
	my ($name) = @_;
	return ios(run("btexport --format=csv --table=ios $name")->{out});
}

sub test_pairs
{
	my ($what, $imported, $recorded) = @_;
	my $got = compare([ios_of($imported)], [ios_of($recorded)]);

	cmp_ok($got->{alone}{$_}, '<=', (1 - $ENOUGH{paired}) * $got->{$_},
	       "$what: I/Os that pair, of $got->{$_}") for 'first', 'second';
	cmp_ok($got->{pairs}, '>', 500, '... which are many');
	for my $column (sort keys %{$got->{times}}) {
		my ($one, $by) = @{$got->{times}{$column}}{qw(one by)};
		cmp_ok(scalar(grep { $_ <= $ENOUGH{near} } @$by), '>=',
		       $ENOUGH{close} * @$by,
		       "... with $column within 5us, of " . @$by);
		is($one, 0, '... which both have');
		note(sprintf '%s differs by %d ns (p50), %d (p99), %d (max)',
		     $column, @$by[@$by * 0.5, @$by * 0.99, -1]);
	}
}

# --- what is made of it --------------------------------------------------------

my $kept = read_kept("$HERE/data/import/direct.perf.data");
my $perf = parse($kept);
my $made = import_bytes($kept);

if ($made->{err} =~ /built without libtraceevent/) {
	is($made->{rc}, 1, 'without libtraceevent it cannot be read');
	done_testing();
	exit;
}

my %FILES = %{$made->{files}};
is($made->{err}, "btimport: 3561 events of 1 device\n", 'a file is read');
is($made->{rc}, 0, '... with status 0');
is(join(' ', sort keys %FILES),
   'out.blktrace.0 out.blktrace.1 out.blktrace.json', '... into a trace');
like($FILES{'out.blktrace.json'}, qr/$_/, "... whose card has $_") for
	'"host":"vm"', '"kernel":"6.18.44-fc-v669"', '"cpus_online":2',
	'"from":"perf.data"', '"tool":"perf 6.1.192"',
	'"command":"/usr/bin/perf record ', '"clock":"perf \(local_clock\)"',
	'"name":"loop0"';
unlike($FILES{'out.blktrace.json'}, qr/lacks/, '... and nothing that it lacks');

spew("$TOP/kept.blktrace.$_",
     read_kept("$HERE/data/import/direct.lo.blktrace.$_")) for 0, 1;
test_pairs('kept', 'out', 'kept');

# the kernel's own records of the same events, but for times and numbers
sub records
{
	my @records;
	for my $bytes (@_) {
		for (my $at = 0; $at < length $bytes;) {
			my ($action, $len) = unpack 'x28 V x14 v',
				substr $bytes, $at, 48;
			push @records, unpack 'H*', substr $bytes, $at + 16,
				32 + $len unless $action >> 26 & 1;
			$at += 48 + $len;
		}
	}
	return @records;
}

for my $cpu (0, 1) {
	my @ours = records($FILES{"out.blktrace.$cpu"});
	my @theirs = records(slurp("$TOP/kept.blktrace.$cpu"));
	# the clocks differ a bit where both were cut
	pop @ours while @ours > @theirs;
	pop @theirs while @theirs > @ours;
	cmp_ok(scalar @ours, '>', 500, "CPU $cpu has events");
	is_deeply(\@ours, \@theirs, '... each as the kernel recorded it');
}

sub test_same
{
	my ($what, $bytes, $command) = @_;
	my $got = import_bytes($bytes, $command);
	my @names = grep { !/json/ } sort keys %FILES;

	is($got->{err}, $made->{err}, "$what: is read");
	ok(!grep({ $got->{files}{$_} ne $FILES{$_} } @names),
	   '... with the same events');
}

my $big = swapped($perf);
my $from_pipe = 'cat perf.data | btimport - -o out';
gzip(\as_pipe($perf), \my $gzipped);

test_same('put together again', as_file($perf));
test_same('a pipe', as_pipe($perf), $from_pipe);
test_same('a pipe, kept in a file', as_pipe($perf));
test_same('a pipe, gzip\'d', $gzipped);
test_same('a big-endian file', as_file($big));
test_same('a big-endian pipe', as_pipe($big), $from_pipe);
my $zstd = run('btpack -l perf.data')->{err} !~ /built without libzstd/;
if (!$zstd) {
	my $got = import_bytes(as_file(compressed($perf, $COMPRESSED)));
	like($got->{err}, qr/compressed, and .* built without libzstd$/m,
	     'compressed, without libzstd: is said');
	is($got->{rc}, 1, '... status 1');
} else {
	test_same('compressed', as_file(compressed($perf, $COMPRESSED)));
	test_same('compressed, as since 6.16',
		  as_file(compressed($perf, $COMPRESSED2)));
	test_same('compressed, a pipe', as_pipe(compressed($perf, $COMPRESSED)),
		  $from_pipe);
	test_same('compressed, big-endian',
		  as_file(compressed($big, $COMPRESSED2)));
}

# a copy with other parts
sub reduced
{
	my ($of, %more) = @_;
	return { %$of, records => [@{$of->{records}}], %more };
}

# what a record ends with: pid, tid, time, CPU, id
sub ending
{
	my ($time, $cpu) = @_;
	return pack 'V2 Q< V2 Q<', 1, 1, $time, $cpu, 0,
		$perf->{attrs}[0]{ids}[0];
}

my @samples = grep { $_->[0] == $SAMPLE } @{$perf->{records}};
my ($first) = sort { $a <=> $b } map { unpack 'Q<', substr $_->[2], $TIME }
	@samples;

# --- partitions -----------------------------------------------------------------

# Since 5.12 bios have the partition's number.
sub on_partition
{
	my ($number) = @_;
	my $formats = block_formats($perf->{features}{1});
	my %bios = map { $formats->{$_} =~ /^ID: (\d+)$/m ? ($1 => 1) : () }
		grep { /^block_(?:bio_|getrq|split)/ } keys %$formats;
	return [map {
		my ($type, $misc, $body) = @$_;
		substr($body, $RAW + $DEV, 4) = pack 'V', $number
			if $type == $SAMPLE &&
			   $bios{unpack 'v', substr $body, $RAW, 2};
		[$type, $misc, $body];
	} @{$perf->{records}}];
}

test_same('a partition of the disk',
	  as_file(reduced($perf, records => on_partition(259 << 20 | 5))));

# --- what it lacks --------------------------------------------------------------

sub without
{
	my ($names) = @_;
	my $formats = block_formats($perf->{features}{1});
	my %out = map { $formats->{$_} =~ /^ID: (\d+)$/m ? ($1 => 1) : () }
		grep { /$names/ } keys %$formats;
	return reduced($perf, attrs => [grep {
		!$out{unpack 'x8 Q<', $_->{attr}}
	} @{$perf->{attrs}}], records => [grep {
		$_->[0] != $SAMPLE || length $_->[2] < $RAW + 2 ||
		!$out{unpack 'v', substr $_->[2], $RAW, 2}
	} @{$perf->{records}}]);
}

my %LACKS = (
	'plug|merge' => 'no plug or merge events',
	'bio_queue' => 'no queue events',
	'getrq|remap' => 'no get request or remap events',
);
for my $names (sort keys %LACKS) {
	my $got = import_bytes(as_file(without($names)));
	is($got->{rc}, 0, "without $names: is read");
	like($got->{files}{'out.blktrace.json'},
	     qr/"lacks":"$LACKS{$names}"/, "... and its card says so");
	like(run('btstat out')->{out}, qr/perf\.data: $LACKS{$names}/,
	     '... as btstat does');
}

# --- losses and names -------------------------------------------------------------

my $lossy = reduced($perf);
my $middle = unpack 'Q<', substr $samples[@samples / 2][2], $TIME;
splice @{$lossy->{records}}, @{$lossy->{records}} / 2, 0,
	[$LOST, 0, pack('Q<2', 1, 7) . ending($middle, 1)];
push @{$lossy->{records}}, [$LOST_SAMPLES, 0, pack('Q<', 9) . ending(0, 0)],
	[$LOST_SAMPLES, 1 << 15, pack('Q<', 100) . ending(0, 0)];
my $got = import_bytes(as_file($lossy));
like($got->{err}, qr/^btimport: 9 events were lost when it was recorded/m,
     'losses: those of a CPU, and what perf counted in addition');
like(run('btstat out')->{out}, qr/lost/, '... which btstat reports');
is((() = run('blkparse -q out')->{out} =~ /$EVENT/g), 3561,
   '... with all events');
like(run('blkparse out')->{out}, qr/Skips: 1 forward \(7 - /,
     '... and a hole in the numbers where it was');

my $named = reduced($perf, records => [
	[$COMM, 0, pack('V2 a16', 22, 22, 'ksoftirqd/1') . ending(0, 0)],
	[$COMM, 0, pack('V2 a16', 23, 23, 'later') . ending($middle, 1)],
	@{$perf->{records}}]);
$got = import_bytes(as_file($named));
is($got->{err}, $made->{err}, 'names: are read');
like(run("blkparse -q out -f '%a %C\\n'")->{out}, qr{^C ksoftirqd/1$}m,
     '... and known where no event has one');

# perf at times writes a part of its buffers twice, some rounds later
my $doubled = reduced($perf);
my @part = grep { $_->[0] == $SAMPLE } @{$perf->{records}}[200 .. 299];
splice @{$doubled->{records}}, 320, 0, @part;
$got = import_bytes(as_file($doubled));
like($got->{err}, qr/perf\.data: @{[scalar @part]} events are in it twice, and read once$/m,
     'events recorded twice are reported');
is($got->{rc}, 0, '... with status 0');
ok(!grep({ $got->{files}{$_} ne $FILES{$_} } grep { !/json/ } keys %FILES),
   '... and each is read once');

# --- clocks -----------------------------------------------------------------------

my $timed = reduced($perf, features => { %{$perf->{features}},
	29 => pack('V2 Q<2', 1, 1, 1_800_000_000 * 1_000_000_000, $first) });
$got = import_bytes(as_file($timed));
is($got->{err}, $made->{err}, 'with a time of day: is read');
like(run("blkparse -q out -f '%z\\n' -t")->{out}, qr/^08:00:00\.0/m,
     '... and has it');

# --- what cannot be read ------------------------------------------------------------

sub test_refused
{
	my ($what, $bytes, $words, $command) = @_;
	my $got = import_bytes($bytes, $command);

	like($got->{err}, $words, "$what: the reason");
	is($got->{rc}, 1, '... status 1');
	return $got;
}

gzip(\$kept, \$gzipped);
my $needs_file = qr/neither gzip'd nor from a pipe.*: unpack it$/m;
test_refused('a gzip\'d file', $gzipped, $needs_file);
test_refused('a file from a pipe', $kept, $needs_file, $from_pipe);
test_refused('only the start', substr($kept, 0, 50),
	     qr/byte 50|cut short/);
test_refused('half a file', substr($kept, 0, length($kept) / 2),
	     qr/cut short: the formats of its events, which are at its end/);
test_refused('killed', do {
	my $bytes = $kept;
	substr($bytes, 48, 8) = pack 'Q<', 0;
	$bytes;
}, qr/perf record was killed/);
test_refused('half a pipe', substr(as_pipe($perf), 0, length($kept) / 2),
	     qr/^btimport: perf\.data: byte \d+: cut short$/m);
is((() = run('blkparse -q out')->{out} =~ /$EVENT/g) > 1000, 1,
   '... but what was whole is there');
test_refused('no block events', as_file(without('.')),
	     qr/no events of the block layer; .*perf record -a -e 'block:\*'/);
test_refused('other formats', as_file(reduced($perf, features => {})),
	     qr/no events of the block layer/);
test_refused('--from', "nothing of the kind\n" x 9, qr/no perf\.data$/m,
	     'btimport --from=perf perf.data -o out');

# a record of no size, and one that is longer than all
for my $size (0, 7, 65535) {
	my $bytes = as_file($perf);
	my $at = unpack 'x40 Q<', $bytes;
	substr($bytes, $at + 6, 2) = pack 'v', $size;
	test_refused("a record of $size bytes", $bytes,
		     qr/byte \d+: (?:a damaged record|a sample that is)/);
}

# what is compressed must not be compressed once more, nor be broken
if ($zstd) {
	my $twice = compressed(compressed($perf, $COMPRESSED), $COMPRESSED);
	test_refused('compressed twice', as_file($twice),
		     qr/a compressed record in another one/);
	my $broken = compressed($perf, $COMPRESSED);
	my @packed = grep { $_->[0] == $COMPRESSED } @{$broken->{records}};
	substr($packed[1][2], 0, 3) = "\xff\xff\xff";
	test_refused('broken zstd data', as_file($broken),
		     qr/damaged zstd data/);
}

# one that is damaged is passed over, and many are counted
my $odd = reduced($perf);
$odd->{records} = [map {
	my ($type, $misc, $body) = @$_;
	[$type, $misc, $type == $SAMPLE && $body =~ s/fio\0/fio\x01/ ?
	 substr($body, 0, 40) : $body]
} @{$odd->{records}}];
$got = test_refused('short samples', as_file($odd),
		    qr/byte \d+: a sample that is too short/);
is((() = $got->{err} =~ /\n/g) <= 4, 1, '... in a few lines');
like($got->{err}, qr/too short or of no known event: \d+ more$/m,
     '... with how many');

# --- by mistake ----------------------------------------------------------------------

spew("$TOP/perf.data", $kept);
my $advice = 'recorded by perf; convert it with: btimport %s -o NAME';
for my $program ('blkparse', 'btt -i', 'btstat', 'btexport --format=csv',
		 'btreport -o page.html', 'blktop -b', 'iowatcher -o p.svg -t',
		 'btrecord') {
	my $got = run("$program perf.data");
	my $words = sprintf $advice, '(?:\./)?perf\.data';
	like($got->{err}, qr/perf\.data: $words$/m,
	     "$program perf.data: says what it is");
	isnt($got->{rc}, 0, '... and fails') unless $program =~ /iowatcher/;
}
for my $program ('blkparse -i -', 'btt -i -', 'btstat -', 'btexport --format=csv'
		 . ' -i -', 'btreport -o page.html -', 'blkiomon -I 1') {
	my $got = run("cat perf.data | $program");
	my $words = sprintf $advice, '-';
	like($got->{err}, qr/standard input: $words$/m,
	     "$program, from a pipe: says what it is");
}
mkdir "$TOP/dir" or die "$TOP: $!\n";
spew("$TOP/dir/perf.data", $gzipped);
like(run('btstat -D dir perf.data')->{err}, qr{btimport dir/perf\.data -o},
     'a gzip\'d one in a directory, too');

# --- all of it ------------------------------------------------------------------------

SKIP: {
	skip "no $SHARED/import", 1 unless -d "$SHARED/import";
	my $got = import_bytes(read_kept("$SHARED/import/direct.perf.data"));

	is($got->{err}, "btimport: 16218 events of 2 devices\n",
	   'shared: is read');
	spew("$TOP/all.blktrace.$_",
	     read_kept("$SHARED/import/direct.lo.blktrace.$_")) for 0, 1;
	test_pairs('shared', 'out/loop0', 'all');
	for my $cpu (0, 1) {
		is_deeply([records(slurp("$TOP/out/loop0.blktrace.$cpu"))],
			  [records(slurp("$TOP/all.blktrace.$cpu"))],
			  "... each event of CPU $cpu as the kernel has it");
	}
}
done_testing();
