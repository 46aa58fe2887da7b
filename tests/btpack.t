#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Packed traces restore the very files: all recorded ones, gzip'd, rotated,
# damaged, empty, random bytes; and packed files that are damaged or mislead.
#
#	BIN=DIR [SHARED=DIR] [ROUNDS=n] [SEED=n] prove tests/btpack.t
#
# ROUNDS is how many random files there are (40), SEED makes others.  With
# ../shared (SHARED) at hand its traces are packed, too.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/hostile";
use Compress::Zlib 'crc32';
use Cwd 'abs_path';
use Digest::MD5 'md5_hex';
use File::Path qw(make_path remove_tree);
use File::Temp 'tempdir';
use IO::Compress::Gzip 'gzip';
use Records qw(record trace_of_ios);
use Suite::Files qw(files_below slurp spew unpack_set);
use Suite::Made qw(made_ios made_sealed made_trace);
use Suite::Run qw(find_programs run_command);
use Suite::Traces 'every_trace';
use Test::More;

my $HERE = $FindBin::Bin;
my $SHARED = $ENV{SHARED} || "$HERE/../../shared";
my $ROUNDS = $ENV{ROUNDS} || 40;
my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my $TOP = tempdir('btpack.XXXXXX', TMPDIR => 1, CLEANUP => 1);
my $FIXED = 96;			# bytes of a header before its name
my ($AT, $STREAM, $LEAST, $CHECK) = (24, 16, 40, 92);	# offsets in it
my ($KIND, $NOTES_PACKED, $PACKED) = (9, 76, 84);
my $INDEX = 3;			# a kind

srand($ENV{SEED} || 1);

sub run
{
	my ($command, $dir) = @_;
	return run_command($command, $dir || $TOP, $PROGRAMS);
}

# a new empty directory
my $dirs = 0;
sub new_dir
{
	my $dir = "$TOP/" . $dirs++;
	mkdir $dir or die "$dir: $!\n";
	return $dir;
}

# name => hash of all files below a directory
sub contents
{
	my ($dir) = @_;
	return { map { $_ => md5_hex(slurp("$dir/$_")) } files_below($dir) };
}

# Packs the files in DIR by OPERANDS there, and restores them: the same, and
# with the names WANT (those of DIR).  The packed bytes.
sub round_trip
{
	my ($name, $dir, $operands, $want) = @_;
	my $to = new_dir();
	my $got = run("btpack --output=$to/x.btz $operands", $dir);
	my $list;

	is($got->{rc}, 0, "$name: packed") or diag($got->{err});
	$got = run("btpack --restore $to/x.btz --directory=$to/out");
	is($got->{rc}, 0, '... and restored') or diag($got->{err});
	is_deeply(contents("$to/out"), $want || contents($dir),
		  '... the same files');
	is(run("btpack --test $to/x.btz")->{rc}, 0, '... without a fault');
	$got = run("btpack -o $to/y.btz $to/x.btz &&" .
		   " btpack -d -D $to/again $to/y.btz");
	is_deeply(contents("$to/again"), contents("$to/out"),
		  '... and packed again, the same') or diag($got->{err});
	return slurp("$to/x.btz");
}

# --- the same files -----------------------------------------------------------

# All recorded traces.  Directories of traces are named, dumps one by one.
sub test_recorded
{
	my $one = new_dir();

	for my $trace (every_trace($HERE, $SHARED)) {
		my ($name, $folder) = @$trace;
		my $dir = "$one/$name";
		mkdir $dir or die "$dir: $!\n";
		unpack_set($folder, $dir);
		my @files = grep { /\.blktrace\.\d+\z|\.bin\z/ }
			files_below($dir);
		my @dumps = grep { /\.bin\z/ } @files;
		my $all = contents($dir);
		my %want = map { $_ => $all->{$_} } @files;

		round_trip($name, $dir, @dumps ? "@dumps" : '.', \%want);
		remove_tree($dir);
	}
}

sub sample
{
	my ($cpu, $ios) = @_;
	return trace_of_ios($cpu, $ios || 200);
}

sub test_forms
{
	my $dir = new_dir();

	spew("$dir/sda.blktrace.0", sample(0));
	gzip(\(my $plain = sample(1)), "$dir/sda.blktrace.1.gz");
	spew("$dir/sda.blktrace.2", '');
	spew("$dir/sda.blktrace.json", "{\"host\": \"db1\"}\n");
	spew("$dir/other", 'no file of the trace');
	my $all = contents($dir);
	my %trace = map { $_ => $all->{$_} } grep { /^sda/ } keys %$all;
	round_trip('gzip, empty, a card', $dir, 'sda', \%trace);
	round_trip('... by a file', $dir, './sda.blktrace.0', \%trace);
	round_trip('... by the directory', $dir, $dir, \%trace);
	round_trip('... a file that is no trace', $dir, 'other',
		   { other => $all->{other} });

	my $got = run('btpack -o x.btz sda', $dir);
	like($got->{err}, qr/1 gzip'd file was not made smaller; --gunzip/,
	     'gzip: a remark');
	my $packed = -s "$dir/x.btz";
	$got = run('btpack --gunzip -o x.btz sda && btpack -d -D out x.btz',
		   $dir);
	cmp_ok(-s "$dir/x.btz", '<', $packed, '--gunzip: smaller');
	$trace{'sda.blktrace.1'} = md5_hex($plain);
	delete $trace{'sda.blktrace.1.gz'};
	is_deeply(contents("$dir/out"), \%trace, '... restores what it held');
	run('rm -r out; btpack -o x.btz sda && btpack --gunzip -o y.btz x.btz'
	    . ' && btpack -d -D out y.btz', $dir);
	is_deeply(contents("$dir/out"), \%trace, '... also of a packed file');
}

sub test_broken_gzip
{
	my $dir = new_dir();

	gzip(\(my $plain = sample(1)), \my $bytes);
	spew("$dir/sda.blktrace.0.gz", substr $bytes, 0, length($bytes) / 2);
	round_trip('broken gzip', $dir, 'sda');
	my $got = run('btpack --gunzip sda -o x.btz', $dir);
	is("$got->{rc} $got->{err}", "1 btpack: sda.blktrace.0.gz: the"
	   . " compressed data is broken or cut short\n",
	   '... --gunzip: refused');
	ok(!-e "$dir/x.btz", '... and nothing is written');
}

# Segments, a flight recorder's reason, and the files of 2005.
sub test_folders
{
	my $dir = new_dir();

	for my $n (1 .. 3) {
		my $segment = "$dir/run/000$n-2026-11-27-10:00:0$n";
		make_path($segment);
		spew("$segment/sda.blktrace.$_", sample($_)) for 0, 1;
		spew("$segment/sda.blktrace.json", "{\"schema\": 1}\n");
	}
	spew("$dir/run/cause.json", "{}\n");
	round_trip('segments', "$dir/run", '.');
	my %last = %{contents("$dir/run")};
	delete @last{grep { !/^0003/ } keys %last};
	round_trip('one segment', $dir, 'run/0003*', \%last);

	spew("$dir/old_out.0", sample(0));
	spew("$dir/old_dat.0", 'payloads');
	my $old = contents($dir);
	round_trip('files of 2005', $dir, 'old',
		   { map { $_ => $old->{$_} } grep { /^old/ } keys %$old });
	round_trip('two directories', $dir, 'run old_dat.0', {
		'old_dat.0' => $old->{'old_dat.0'},
		map { $_ => $old->{$_} } grep { /^run/ } keys %$old });
	my $got = run('mkdir -p b; cp old_out.0 b; btpack -o x.btz old_out.0'
		      . ' b/old_out.0 ./b/old_out.0', $dir);
	is("$got->{rc} $got->{err}", "1 btpack: b/old_out.0 and ./b/old_out.0"
	   . " would both be b/old_out.0; pack them into two files\n",
	   'two files of one name');
}

# Packed files are directories for all programs, for this one, too.
sub test_packed_inputs
{
	my $dir = new_dir();

	for my $n (1, 2) {
		make_path("$dir/000$n");
		spew("$dir/000$n/sda.blktrace.$_", sample($_)) for 0, 1;
		spew("$dir/000$n/sdb.blktrace.0", sample(2));
		spew("$dir/000$n/sda.blktrace.json", "{\"schema\": 1}\n");
	}
	mkdir "$dir/run" or die "run: $!\n";
	run("btpack 000$_ -o run/000$_-2026-11-27-10:00:00.btz", $dir)
		for 1, 2;
	my $got = run('btpack run -o all.btz && btpack -d all.btz -D out', $dir);
	my $all = contents($dir);
	is_deeply(contents("$dir/out"), { map {
		("$_" =~ s{/}{-2026-11-27-10:00:00/}r => $all->{$_})
	} grep { m{^000./} } keys %$all }, 'packed segments: segments again') or
		diag($got->{err});
	$got = run('btpack all.btz/sda -o sda.btz && btpack sda -o y.btz &&'
		   . ' btpack -d -D only y.btz', $dir);
	is_deeply(contents("$dir/only"), { map {
		("$_" =~ s{/}{-2026-11-27-10:00:00/}r => $all->{$_})
	} grep { m{^000./sda} } keys %$all }, 'a device of a packed file') or
		diag($got->{err});
	$got = run('btpack sda -o sda.btz', $dir);
	is("$got->{rc} $got->{err}", "1 btpack: -o: sda.btz is an input\n",
	   'not onto itself');
	spew("$dir/y.btz", slurp("$dir/all.btz") =~ s/.{50}\z//sr);
	$got = run('btpack y.btz -o z.btz; btpack -t z.btz', $dir);
	like($got->{err}, qr/y\.btz: byte \d+: no index after it/,
	     'one that was cut: says so');
	like($got->{out}, qr/^z\.btz: no faults/, '... and is made whole');
}

# bytes of which some are records, and some are not
sub random_bytes
{
	my @parts = map {
		my $way = int rand 5;
		my $bytes = $way ? trace_of_ios(int rand 4, 1 + int rand 300) :
			join '', map { chr int rand 256 } 1 .. rand 20000;
		substr $bytes, rand length $bytes, rand 60, 'x' x rand 70
			if $way == 1;
		substr $bytes, rand length $bytes, 1, chr int rand 256
			if $way == 2;
		substr $bytes, -rand 47, 47, '' if $way == 3;
		$bytes;
	} 0 .. rand 4;
	return join '', @parts;
}

sub test_random
{
	my $left = $ROUNDS;

	while ($left > 0) {
		my $n = $left < 50 ? $left : 50;
		my $dir = new_dir();
		spew("$dir/r$_", random_bytes()) for 1 .. $n;
		round_trip("$n random files", $dir,
			   join ' ', map { "r$_" } 1 .. $n);
		remove_tree($dir);
		$left -= $n;
	}
}

sub test_pipe
{
	my $dir = new_dir();

	spew("$dir/sda.blktrace.0", sample(0));
	my $got = run('cat sda.blktrace.0 | btpack -o - - >x.btz &&'
		      . ' btpack -d x.btz && cmp trace sda.blktrace.0', $dir);
	is($got->{rc}, 0, 'from a pipe to a pipe') or diag($got->{err});
}

# --- a part of a trace ---------------------------------------------------------

# The lines of events of a trace in DIR, sorted, as times may be equal; without
# times, numbers and names, which readers know sooner or later; and without
# messages, which are notes, and stay.
sub events_of
{
	my ($dir, $name, $options) = @_;
	my $got = run("blkparse -q -f '%M,%m %c %a %d %S %n %p\\n' $options"
		      . " $name", $dir);
	return join '', sort $got->{out} =~ /^\d+,\d+ \d+ [A-Z].*\n/mg;
}

# Of every trace in the tree: the events that blkparse shows of the whole, with
# the same options.
sub test_selection
{
	my $top = new_dir();

	for my $trace (every_trace($HERE, '')) {
		my ($name, $folder) = @$trace;
		my $dir = "$top/$name";
		mkdir $dir or die "$dir: $!\n";
		unpack_set($folder, $dir);
		my ($dump) = glob "$dir/*.bin";
		my $what = $dump ? $dump =~ s{.*/}{}r : '.';
		for my $options ('-w 0.001:0.02', '-a write', '-a issue -a'
				 . ' complete', '--stopwatch=0.01 --act-mask=queue', '-A 1',
				 '--set-mask=2') {
			my $got = run("btpack $options $what -o ../x.btz"
				      . ' && btpack -t ../x.btz', $dir);
			ok($got->{out} =~ /no faults/ || $name =~ /derived/,
			   "$name, $options: packed") or diag($got->{err});
			is(md5_hex(events_of($dir, '../x.btz', '')),
			   md5_hex(events_of($dir, $what, $options)),
			   '... the events that blkparse shows') or
				diag("$name $options");
		}
		remove_tree($dir);
	}
}

# A sealed trace with a card: no reader finds a fault, or a hole that was none.
sub test_selected_whole
{
	my $dir = new_dir();
	my @ios = map { { time => $_ / 100, sector => 8 * $_, op => $_ % 3 ?
		'R' : 'W', bytes => 4096, pid => 100 + $_ % 4, name => 'fio',
		took => 0.003 } } 1 .. 300;

	spew("$dir/sda.blktrace.0", made_sealed(made_ios(@ios), 0, 1, 4));
	spew("$dir/sda.blktrace.json", '{"schema": 1, "host": "db1",' .
	     '"device": {"name": "sda", "partitions": [{"name": "sda1"},' .
	     '{"name": "sda2", "mounts": [{"path": "/srv"}]}]},' .
	     '"cgroups": {"17": "/a\"b"}, "audit": {"missing": 3},' .
	     '"end": {"cause": "time", "events": 900,' .
	     '"cpus": [{"cpu": 0, "events": 900, "bytes": 1}]}}');
	for my $options ('-w 1:2', '-a write') {
		my $got = run("btpack $options sda -o x.btz", $dir);
		is($got->{rc}, 0, "$options of a sealed trace") or
			diag($got->{err});
		$got = run('btstat x.btz', $dir);
		is("$got->{rc} $got->{err}", '0 ', '... is whole');
		like($got->{out}, qr/^lost +none \(.*sequence numbers/m,
		     '... without holes') or diag($got->{out});
	}
	run('btpack -d -D out x.btz', $dir);
	is(slurp("$dir/out/sda.blktrace.json"), '{"schema":1,"host":"db1",' .
	   '"device":{"name":"sda","partitions":[{"name":"sda1"},' .
	   '{"name":"sda2","mounts":[{"path":"/srv"}]}]},' .
	   '"cgroups":{"17":"/a\"b"},"end":{"cause":"time"},' .
	   '"selected":true}' . "\n", '... and its card has no other counts');
	my $bytes = slurp("$dir/out/sda.blktrace.0");
	substr $bytes, 300, 1, 'x';
	spew("$dir/out/sda.blktrace.0", $bytes);
	like(run('btstat out', $dir)->{err}, qr/checksum mismatch/,
	     'a selected trace that is changed is found out');
	substr $bytes, 88, 51, '';	# a name, after a seal
	spew("$dir/sda.blktrace.0", $bytes);
	run('btpack -a write sda -o x.btz', $dir);
	like(run('btstat x.btz', $dir)->{err}, qr/missing or too many/,
	     'one with a record missing stays so');
}

sub test_between
{
	my $dir = new_dir();
	my @ios = map { { time => $_ / 10, sector => 8 * $_, op => 'R',
			  bytes => 4096, pid => 100, took => 0.01 } } 1 .. 100;
	my @marks = ({ time => 2.05, text => 'begin', pid => 7, device => 0 },
		     { time => 3.05, text => 'end', pid => 7, device => 0 });

	spew("$dir/sda.blktrace.0", made_trace(\@ios, \@marks));
	my $got = run('btpack --between=begin,end sda -o x.btz', $dir);
	is($got->{rc}, 0, '--between') or diag($got->{err});
	is(() = events_of($dir, 'x.btz', '') =~ / Q /g, 10,
	   '... the events between the marks');
	$got = run('btpack --between=begin,none sda -o x.btz', $dir);
	like($got->{err}, qr/^btpack: --between: no mark "none"/,
	     'a mark that does not exist');
}

# --- the order, and the list --------------------------------------------------

# [kind, name, offset, bytes] of each block
sub blocks_of
{
	my ($bytes) = @_;
	my @blocks;

	for (my $at = 0; $at < length $bytes;) {
		my ($size, $len) = unpack 'v v', substr $bytes, $at + 12, 4;
		my $all = $size +
			unpack('V', substr $bytes, $at + $NOTES_PACKED, 4) +
			unpack('V', substr $bytes, $at + $PACKED, 4);
		push @blocks, { kind => ord(substr $bytes, $at + $KIND, 1),
			name => substr($bytes, $at + $FIXED, $len), at => $at,
			len => $all, least =>
			unpack('Q<', substr $bytes, $at + $LEAST, 8) };
		$at += $all;
	}
	return @blocks;
}

# Two CPUs of 40,000 events each, at the same time: their blocks take turns.
sub test_order
{
	my $dir = new_dir();
	my @queues = map { my $cpu = $_; join '', map {
		record(number => $_, cpu => $cpu, time => 1000 * $_ + $cpu)
	} 1 .. 40000 } 0, 1;

	spew("$dir/sda.blktrace.$_", $queues[$_]) for 0, 1;
	my @blocks = grep { $_->{kind} < $INDEX }
		blocks_of(round_trip('long', $dir, 'sda'));
	is(join(' ', map { substr $_->{name}, -1 } @blocks), '0 1 0 1 0 1',
	   'blocks are in order of time');
	is_deeply([map { $_->{least} } @blocks],
		  [sort { $a <=> $b } map { $_->{least} } @blocks],
		  '... of their first events');
}

# I/Os that are queued on one CPU and complete on another, ten in a second: from
# a pipe, too, each finds its end.
sub test_pipe_order
{
	my $dir = new_dir();
	my @bytes = ('', '');

	for my $io (1 .. 300) {
		my @steps = ([0x00110001, 0], [0x01410007, 2e6], [0x01810008, 8e6]);
		for my $step (0 .. 2) {
			my $cpu = $step == 2 ? 1 : 0;
			$bytes[$cpu] .= record(
				number => $cpu ? $io : 2 * $io - 1 + $step,
				time => 1e8 * $io + $steps[$step][1],
				sector => 8 * $io, cpu => $cpu,
				action => $steps[$step][0]);
		}
	}
	spew("$dir/sda.blktrace.$_", $bytes[$_]) for 0, 1;
	my $got = run('btpack sda -o x.btz && cat x.btz | btstat -', $dir);
	like($got->{out}, qr{^I/Os +300: 300 measured}m,
	     'a pipe: I/Os of two CPUs') or diag($got->{out});
	for my $trace (every_trace($HERE, $SHARED)) {
		my ($name, $folder) = @$trace;
		# in which I/Os can be joined in several ways
		next if $name =~ /^(?:hot-lossy|derived-truncated)\z/;
		$dir = new_dir();
		unpack_set($folder, $dir);
		next if glob "$dir/*.bin";
		run('btpack . -o ../x.btz', $dir);
		my $stat = 'btstat --by=op --format=csv';
		is(run("cat ../x.btz | $stat -", $dir)->{out},
		   run("$stat .", $dir)->{out}, "$name: the same from a pipe");
		remove_tree($dir);
	}
}

sub test_list
{
	my $dir = new_dir();

	spew("$dir/sda.blktrace.0", sample(0, 4));
	spew("$dir/sda.blktrace.10", sample(10, 4));
	spew("$dir/sda.blktrace.2", sample(2, 4));
	run('btpack sda -o x.btz', $dir);
	my $got = run('btpack -l x.btz', $dir);
	my @rows = map { [(split)[0 .. 5]] } split /\n/, $got->{out};
	is_deeply(\@rows, [
		[qw(file CPU first s last s)],
		[qw(sda.blktrace.0 0 0.000000 0.000011 12 576)],
		[qw(sda.blktrace.2 2 0.100000 0.100011 12 576)],
		[qw(sda.blktrace.10 10 0.500000 0.500011 12 576)],
		[qw(all all 0.000000 0.500011 36 1.69K)],
	], '-l: files, CPUs, times, events, bytes') or diag($got->{out});
	# by the headers only
	spew("$dir/y.btz", slurp("$dir/x.btz") =~ s/(?<=blktrace\.0).{40}/
		'x' x 40/ser);
	is(run('btpack --list y.btz', $dir)->{out}, $got->{out},
	   '-l does not unpack');
	is(run('btpack -t y.btz', $dir)->{rc}, 1, '-t does');
}

# --- damage -------------------------------------------------------------------

# The bytes, a block's field changed, and its check made to fit.
sub forged
{
	my ($bytes, $block, $at, $value) = @_;
	my $head = substr $bytes, $block->{at},
		$FIXED + length $block->{name};

	substr $head, $at, length $value, $value;
	substr $head, $CHECK, 4, "\0" x 4;
	substr $head, $CHECK, 4, pack 'V', crc32($head);
	return substr($bytes, 0, $block->{at}) . $head .
		substr $bytes, $block->{at} + length $head;
}

# -t of these bytes reports just this, with the offset
sub faulty
{
	my ($name, $bytes, @lines) = @_;
	my $dir = new_dir();

	spew("$dir/x.btz", $bytes);
	my $got = run('btpack -t x.btz', $dir);
	is($got->{err}, join('', map { "btpack: x.btz: byte $_\n" } @lines),
	   "$name: reported");
	is("$got->{rc}$got->{out}", '1', '... with status 1');
	return $dir;
}

sub test_damage
{
	my $dir = new_dir();
	my $records = join '', map {
		record(number => $_, time => 1000 * $_,
		       sector => 8 * int rand 1e6)
	} 1 .. 50000;

	spew("$dir/sda.blktrace.0", $records);
	run('btpack sda -o x.btz', $dir);
	my $good = slurp("$dir/x.btz");
	my @b = blocks_of($good);
	my ($second, $third) = @b[1, 2];
	my $each = 16384 * 48;

	# a byte of a frame
	my $bad = $good;
	substr $bad, $second->{at} + 1000, 1, chr(1 ^ ord substr $bad,
		$second->{at} + 1000, 1);
	$dir = faulty('a damaged frame', $bad,
		      "$second->{at}: a packed block is damaged");
	my $got = run('btpack -d x.btz', $dir);
	is($got->{rc}, 1, '-d: status 1');
	is($got->{err} =~ s/.*restored.*\n//r,
	   "btpack: x.btz: byte $second->{at}: a packed block is damaged\n" .
	   "btpack: x.btz: byte $third->{at}: $each bytes of sda.blktrace.0"
	   . " missing before this block\n", '... and what is missing');
	is(md5_hex(slurp("$dir/sda.blktrace.0")),
	   md5_hex(substr($records, 0, $each) . substr($records, 2 * $each)),
	   '... but all other records are restored');

	# a byte of a header
	$bad = $good;
	substr $bad, $second->{at} + 60, 1, 'x';
	faulty('a damaged header', $bad, "$second->{at}: the header of a packed"
	       . " block is damaged, $second->{len} bytes passed over",
	       "$third->{at}: the index has another block in this place",
	       "$third->{at}: lacks bytes of sda.blktrace.0 before this block",
	       "$b[3]{at}: the index has another block in this place",
	       length($good) . ': the index has more blocks than there are');
	faulty('cut inside a block', substr($good, 0, $third->{at} + 99),
	       "$third->{at}: a packed block is cut short, 99 bytes passed"
	       . ' over', ($third->{at} + 99) . ': no index after it: cut'
	       . ' short, still being written, or its capture was killed');
	faulty('cut after a block', substr($good, 0, $third->{at}),
	       "$third->{at}: no index after it: cut short, still being"
	       . ' written, or its capture was killed');
	faulty('a block twice', substr($good, 0, $third->{at}) .
	       substr($good, $second->{at}, $second->{len}),
	       "$third->{at}: repeats bytes of sda.blktrace.0 before this"
	       . ' block', ($third->{at} + $second->{len}) . ': no index after'
	       . ' it: cut short, still being written, or its capture was'
	       . ' killed');
	faulty('a wrong number of events', forged($good, $second, 32,
						  pack 'Q<', 7),
	       "$second->{at}: a wrong number of events before this block",
	       "$third->{at}: a wrong number of events before this block");
	faulty('a wrong length', forged($good, $b[3], 60, pack 'V', 7),
	       "$b[3]{at}: a packed block contradicts itself");
	faulty('an index of other blocks',
	       forged($good, $b[-1], $AT, pack 'Q<', $second->{at}),
	       length($good) . ': the index is wrong');
	for my $text ('', 'no trace', substr $good, 0, 7) {
		spew("$dir/y", $text);
		$got = run('btpack -t y; btpack -l y; btpack -d y', $dir);
		is($got->{err}, "btpack: y: not a packed trace\n" x 3,
		   'not a packed trace');
	}
}

# --- names that mislead -------------------------------------------------------

sub test_hostile_names
{
	my $dir = new_dir();
	my $name = 'sda.blktrace.0';

	make_path("$dir/in/deep");
	spew("$dir/$name", sample(0));
	spew("$dir/in/secret", 'mine');
	run("btpack sda -o x.btz", $dir);
	my $good = slurp("$dir/x.btz");
	my ($block) = blocks_of($good);
	for my $bad ('../../evil.000', '/tmp/evil.0000', 'a/../../evil.0',
		     'a//blktrace.00', './blktrace.000', 'blktrace.0000/',
		     '..............', 'a/./lktrace.00') {
		die "length of $bad\n" if length $bad != length $name;
		my $fits = $bad !~ m{\A\.\.\.};
		spew("$dir/in/deep/x.btz", forged($good, $block, $FIXED, $bad));
		my $got = run('cd in/deep && btpack -d x.btz', $dir);
		is($got->{rc}, $fits ? 1 : 0, "$bad: status");
		like($got->{err}, $fits ?
		     qr/"\Q$bad\E" is not restored: no name below/ :
		     qr/restored/, '... and a message');
		is(join(' ', files_below("$dir/in")),
		   join(' ', $fits ? () : "deep/$bad", 'deep/x.btz', 'secret'),
		   '... and no file');
		unlink "$dir/in/deep/$bad";
	}
	spew("$dir/in/deep/x.btz", forged($good, $block, $FIXED,
					  "sda\e[31m.\xff\n\r"));
	my $got = run('cd in/deep && btpack -d x.btz; btpack -l x.btz;'
		      . ' btpack -d x.btz', $dir);
	unlike("$got->{out}$got->{err}", qr/\e|\xff|\r/,
	       'a terminal is not controlled');
}

sub test_existing
{
	my $dir = new_dir();

	spew("$dir/sda.blktrace.$_", sample($_)) for 0, 1;
	run('btpack sda -o x.btz', $dir);
	mkdir "$dir/to";
	spew("$dir/to/sda.blktrace.1", 'mine');
	my $got = run('btpack -d x.btz -D to', $dir);
	is("$got->{rc} $got->{err}", '1 btpack: to/sda.blktrace.1 exists;'
	   . " nothing is restored: use -f to replace files, or -D for another"
	   . " directory\n", 'a file that exists: refused');
	is_deeply(contents("$dir/to"),
		  { 'sda.blktrace.1' => md5_hex('mine') },
		  '... and no file is written');
	is(run('btpack -f -d x.btz -D to', $dir)->{rc}, 0, '-f: replaced');
	is(run('btpack --force -d x.btz -D to', $dir)->{rc}, 0, '... again');
	is(md5_hex(slurp("$dir/to/sda.blktrace.1")), md5_hex(sample(1)),
	   '... by the trace');
	# a link that leads out of the directory is replaced by nothing
	unlink "$dir/to/sda.blktrace.1";
	symlink '../elsewhere', "$dir/to/sda.blktrace.1" or die "symlink: $!\n";
	$got = run('btpack -d x.btz -D to', $dir);
	is($got->{rc}, 1, 'a dangling link exists, too');
	ok(!-e "$dir/elsewhere", '... and is not followed');
}

# --- mistakes -----------------------------------------------------------------

sub test_mistakes
{
	my $dir = new_dir();
	my %says = (
		'btpack -o x.btz' => 'no input is named',
		'btpack sda' => 'no packed file is named: use -o, with - for'
			. ' standard output',
		'btpack -d -l x.btz' => 'only one of -d, -l and -t is possible',
		'btpack -o y -l x.btz' =>
			'-d, -l and -t take no options of packing',
		'btpack -w 1 -d x.btz' =>
			'-d, -l and -t take no options of packing',
		'btpack -w 1 --between=a, sda -o y' => '-w and --between are'
			. ' two spans of time: one is enough',
		'btpack --anonymise - -o y' => '-: a pipe; record it first, as'
			. ' records are selected by reading them twice',
		'btpack -w 1 --gunzip sda -o y' => '--gunzip is for whole files;'
			. ' records are selected and anonymised from what they hold',
		'btpack -w 1 - -o y' => '-: a pipe; record it first, as records'
			. ' are selected by reading them twice',
		'btpack -l -f x.btz' =>
			'-D and -f are for -d, which restores files',
		'btpack sda -D out -o y' =>
			'-D and -f are for -d, which restores files',
		'btpack none -o y' => 'none: no such file or trace; give its'
			. ' path without .blktrace.CPU, as DIR/sda for'
			. ' DIR/sda.blktrace.0',
		'btpack -t none' => 'none: No such file or directory',
		'btpack -t .' => '.: Is a directory',
		'btpack -o sda.blktrace.0 sda' =>
			'-o: sda.blktrace.0 is an input',
	);

	spew("$dir/sda.blktrace.0", sample(0));
	run('btpack sda -o x.btz', $dir);
	my $before = contents($dir);
	for my $command (sort keys %says) {
		my $got = run($command, $dir);
		like($got->{err}, qr/\Abtpack: \Q$says{$command}\E$/m,
		     "$command: says so");
		is($got->{rc}, 1, '... with status 1');
	}
	is_deeply(contents($dir), $before, '... and nothing is written');
}

SKIP: {
	my $dir = new_dir();
	spew("$dir/x", '');
	skip 'built without libzstd', 1
		if run('btpack x -o x.btz', $dir)->{err} =~ /without libzstd/;
	test_recorded();
	test_forms();
	test_broken_gzip();
	test_folders();
	test_random();
	test_pipe();
	test_packed_inputs();
	test_selection();
	test_selected_whole();
	test_between();
	test_order();
	test_pipe_order();
	test_list();
	test_damage();
	test_hostile_names();
	test_existing();
	test_mistakes();
}
done_testing();
