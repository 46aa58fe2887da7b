#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Programs read packed traces as the directories that were packed, and of
# damaged ones all that is whole.
#
#	BIN=DIR [SHARED=DIR] [CUTS=n] [SEED=n] prove tests/packed.t
#
# CUTS is how many places a packed trace is cut at (20, and every border of a
# block), SEED chooses others.  With ../shared (SHARED) at hand its traces are
# read, too.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Compress::Zlib 'crc32';
use Cwd 'abs_path';
use File::Basename 'dirname';
use File::Temp 'tempdir';
use Suite::Files qw(slurp spew unpack_set);
use Suite::Run qw(find_programs run_command);
use Suite::Traces 'every_trace';
use Test::More;

my $HERE = $FindBin::Bin;
my $SHARED = $ENV{SHARED} || "$HERE/../../shared";
my $CUTS = $ENV{CUTS} || 20;
my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my $TOP = tempdir('packed.XXXXXX', TMPDIR => 1, CLEANUP => 1);
my ($FIXED, $LAST) = (96, 2);	# bytes of a header; kinds with records
my ($NUMBER, $CHECK) = (32, 92);
my ($SIZE, $KIND, $EVENTS, $NOTES, $COLUMNS) =
	(12, 9, 64, 76, 84);	# offsets in a header

my $SEGMENT = '0001-2026-11-27-10:00:00';

srand($ENV{SEED} || 1);

sub run
{
	return run_command($_[0], $TOP, $PROGRAMS);
}

# all that was printed, without where the trace is
sub printed
{
	my ($got, $name) = @_;
	return ($got->{out} . $got->{err}) =~
		s{plain\.d/\Q$name\E|packed\.d/\Q$name\E/x\.btz}{X}gr;
}

# The command prints the same of plain.d/NAME and of packed.d/NAME/x.btz.
sub same
{
	my ($command, $name, $part) = @_;
	my ($plain, $packed) = map { run($command =~ s/NAME/$_/gr) }
		"plain.d/$name$part", "packed.d/$name/x.btz$part";

	is(printed($packed, $name), printed($plain, $name), "$name: $command");
	is($packed->{rc}, $plain->{rc}, '... with the same status');
}

sub pack_trace
{
	my ($name) = @_;
	my $got = run("mkdir packed.d/$name &&" .
		      " btpack -o packed.d/$name/x.btz plain.d/$name");

	is($got->{rc}, 0, "$name: packed") or diag($got->{err});
}

# --- the same output ----------------------------------------------------------

sub test_same
{
	for my $trace (every_trace($HERE, $SHARED)) {
		my ($name, $folder) = @$trace;
		my $dir = "$TOP/plain.d/$name";

		mkdir $dir or die "$dir: $!\n";
		unpack_set($folder, $dir);
		my @files = glob "\Q$dir\E/*.blktrace.*" or next;
		pack_trace($name);
		same("$_ NAME", $name, '') for 'blkparse -q', 'btstat',
			'btt';
		same("$_ NAME 2>/dev/null", $name, '') for	# or the time
			'btexport --table=events', 'btexport';
	}
}

# Anywhere in a longer trace, also beside files that are read ahead.
sub test_windows
{
	my $name = 'example';

	mkdir "$TOP/plain.d/$name" or die "$name: $!\n";
	for my $cpu (0, 1) {
		my $file = "vda.blktrace.$cpu";
		system("gunzip -c $HERE/../doc/examples/database/$file.gz" .
		       " > $TOP/plain.d/$name/$file") and die "gunzip failed\n";
	}
	pack_trace($name);
	for (1 .. 8) {
		my $from = rand 64;
		my $to = $from + rand 2;
		same("blkparse -q -w $from:$to NAME", $name, '/vda');
	}
	same('btstat -w 30:40 NAME', $name, '');
	same('btrecord -D . -d NAME vda', $name, '');
}

# lines without the names of files
sub events_in
{
	my ($got) = @_;
	return $got->{out} =~ s/^Input file .*\n|^\n//mgr;
}

# --- names --------------------------------------------------------------------

sub test_names
{
	my $whole = run('blkparse -q packed.d/example/x.btz');
	my %ways = ('one device' => 'packed.d/example/x.btz/vda',
		    'a file of it' => 'packed.d/example/x.btz/vda.blktrace.0',
		    'a name without .btz' => 'packed.d/example/x',
		    'a directory' => 'alone.d',
		    'a device in segments' => '-D rotated.d vda',
		    'segments' => 'rotated.d',
		    'a segment' => "rotated.d/$SEGMENT.btz");

	for my $to ('alone.d/db', "rotated.d/$SEGMENT") {
		mkdir "$TOP/" . dirname($to) or die "$to: $!\n";
		link "$TOP/packed.d/example/x.btz", "$TOP/$to.btz"
			or die "$to: $!\n";
	}
	for my $way (sort keys %ways) {
		my $got = run("blkparse -q $ways{$way}");
		is(events_in($got), events_in($whole),
		   "$way is the same trace");
		is($got->{rc}, 0, '... with status 0');
	}
	my $got = run('btstat packed.d/example/x.btz/sdb');
	is($got->{rc}, 1, 'a device that is not in it');
	like($got->{err}, qr{x\.btz/sdb: no such file or trace},
	     '... is named');
	# as a pipe brings it
	$got = run('cat packed.d/example/x.btz | blkparse -q -i -');
	is(length events_in($got), length events_in($whole),
	   'a stream has all events');
	is($got->{rc}, 0, '... with status 0');
}

# --- damage -------------------------------------------------------------------

# [offset, events] of each block of records, and the end of the last
sub blocks
{
	my ($bytes) = @_;
	my ($at, @blocks) = (0);

	while ($at < length $bytes) {
		my $kind = unpack "x$KIND C", substr $bytes, $at, $FIXED;
		my ($head, $events, $notes, $columns) = map {
			unpack $_->[1], substr $bytes, $at + $_->[0], 4
		} [$SIZE, 'v'], [$EVENTS, 'V'], [$NOTES, 'V'], [$COLUMNS, 'V'];

		last if $kind > $LAST;
		push @blocks, [$at, $events];
		$at += $head + $notes + $columns;
	}
	return (@blocks, [$at, 0]);
}

sub events_of
{
	my ($got) = @_;
	return scalar(() = $got->{out} =~ /^[A-Z]+$/mg);
}

# Cut at LEN bytes, all blocks before are read, and the rest is reported.
sub check_cut
{
	my ($bytes, $len, @blocks) = @_;
	my $whole = 0;
	my $end = 0;

	for my $i (0 .. $#blocks - 1) {
		last if $blocks[$i + 1][0] > $len;
		$whole += $blocks[$i][1];
		$end = $blocks[$i + 1][0];
	}
	spew("$TOP/cut.btz", substr $bytes, 0, $len);
	my $got = run('blkparse -q -f "%a\n" cut.btz');
	is(events_of($got), $whole, "cut at $len: all before is read");
	is($got->{rc}, 1, '... with status 1');
	like($got->{err}, qr/cut\.btz: byte $end: /, '... and the place');
	return unless $whole;
	$got = run('btpack -t cut.btz');
	is($got->{rc}, 1, '... a fault for btpack');
}

sub test_cut
{
	my $bytes = slurp("$TOP/packed.d/example/x.btz");
	my @blocks = blocks($bytes);

	for my $len (map({ $_->[0] } @blocks[1 .. $#blocks]),
		     map { int($blocks[1][0] + rand($blocks[-1][0] -
						    $blocks[1][0])) }
		     1 .. $CUTS) {
		check_cut($bytes, $len, @blocks);
	}
}

# A block with a fault is passed over, and the next ones are read.
sub test_fault
{
	my $bytes = slurp("$TOP/packed.d/example/x.btz");
	my @blocks = blocks($bytes);
	my $all = 0;

	$all += $_->[1] for @blocks;
	for my $i (1, 4, 7) {
		my ($at, $events) = @{$blocks[$i]};
		my $end = $blocks[$i + 1][0];
		for my $hit ($at + 30, int(($at + $end) / 2)) {
			my $bad = $bytes;
			substr($bad, $hit, 1) ^= "\x10";
			spew("$TOP/bad.btz", $bad);
			my $got = run('blkparse -q -f "%a\n" bad.btz');
			is(events_of($got), $all - $events,
			   "a fault at $hit costs its block");
			is($got->{rc}, 1, '... with status 1');
			like($got->{err}, qr/bad\.btz: byte $at: /,
			     '... and the place');
			$got = run('blkparse -q -f "%a\n" -i - < bad.btz');
			is(events_of($got), $all - $events,
			   '... also in a stream');
		}
	}
}

# An end that counts more entries than the file can have: its index is not used.
sub test_false_end
{
	my $bytes = slurp("$TOP/packed.d/example/x.btz");
	my $end = substr $bytes, -$FIXED, $FIXED, '';
	my $at = length $bytes;

	substr($end, $NUMBER, 8, pack 'Q<', 1 << 40);
	substr($end, $CHECK, 4, pack 'V', 0);
	substr($end, $CHECK, 4, pack 'V', crc32($end));
	spew("$TOP/false.btz", $bytes . $end);
	my $got = run('blkparse -q false.btz');
	is(length events_in($got),
	   length events_in(run('blkparse -q packed.d/example/x.btz')),
	   'with a false end all is read');
	is($got->{rc}, 1, '... with status 1');
	like($got->{err}, qr/false\.btz: byte $at: the index is wrong/,
	     '... and the place');
}

# A file that begins as a packed one has to be small in memory, whatever it says.
sub test_bomb
{
	my $bytes = slurp("$TOP/packed.d/example/x.btz");
	my $got;

	substr($bytes, $COLUMNS - 4, 4, pack 'V', 0xffffffff);
	spew("$TOP/bomb.btz", $bytes);
	# checkers reserve far more than they use
	my $limit = $ENV{WRAP} || `ldd \Q$PROGRAMS->{dir}\E/btstat` =~ /san\.so/ ?
		'' : 'ulimit -v 400000;';
	$got = run("$limit btstat bomb.btz");
	is($got->{rc}, 1, 'a block that claims gigabytes');
	like($got->{err}, qr/bomb\.btz: byte 0: /, '... is reported');
}

# A pipe whose first bytes come a few at a time is known as packed all the same.
sub test_pieces
{
	my $file = 'packed.d/example/x.btz';
	my $want = run("blkparse -q -i - -a complete <$file");

	for my $first (1 .. 9) {
		my $rest = $first + 1;
		my $got = run("(head -c $first $file; sleep 0.1;" .
			      " tail -c +$rest $file) |" .
			      ' blkparse -q -i - -a complete');

		is(length $got->{out}, length $want->{out},
		   "$first bytes, then the others");
		is($got->{rc}, 0, '... with status 0');
	}
}

# A segment that began on a full disk has its card, and no records.
sub test_lone_card
{
	my $dir = "$TOP/lone";

	mkdir $dir or die "$dir: $!\n";
	spew("$dir/vda.blktrace.0",
	     slurp("$TOP/plain.d/example/vda.blktrace.0"));
	spew("$dir/vda.blktrace.json", '{"schema":1,"host":"db1"}');
	run('btpack -o lone.btz lone');
	my $bytes = slurp("$TOP/lone.btz");
	my @blocks = blocks($bytes);
	my ($card) = grep { /vda\.blktrace\.json/ } map {
		substr $bytes, $blocks[$_][0],
			$blocks[$_ + 1][0] - $blocks[$_][0]
	} 0 .. $#blocks - 1;

	spew("$TOP/lone.btz", $card);
	my $got = run('blktrace --card lone.btz');
	is($got->{rc}, 0, "a card without records") or diag($got->{err});
	like($got->{out}, qr/^lone\.btz\/vda\.blktrace\.json\n.*^host +db1$/ms,
	     '... is printed');
	is(() = $got->{out} =~ /^host/mg, 1, '... once');
}

# A build without libzstd says so, also of a stream; a stream is the fuzzers'.
sub test_without
{
	my $kept = slurp("$HERE/fuzz/corpus/packed/stream");

	spew("$TOP/x.btz", substr $kept, 1);
	for my $command ('btstat x.btz', 'blkparse -i x.btz',
			 'blkparse -i - < x.btz') {
		my $got = run($command);
		is($got->{rc}, 1, "$command cannot read it");
		like($got->{err}, qr/built without libzstd/, '... and why');
	}
}

mkdir "$TOP/$_" or die "$_: $!\n" for qw(plain.d packed.d);
if (run('btpack -o x.btz /dev/null')->{err} =~ /libzstd/) {
	test_without();
	done_testing();
	exit;
}
test_same();
test_windows();
test_names();
test_cut();
test_fault();
test_false_end();
test_bomb();
test_lone_card();
test_pieces();
done_testing();
