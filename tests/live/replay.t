#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# btrecord and btreplay on real devices, as root: loop devices that this test
# makes on files in memory, watched by our own blktrace.
#
#	BIN=DIR prove tests/live/replay.t
#
# REPLAY_RUNS (1000) is how many short runs must end by themselves, one after
# the other, while the machine has other work.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Cwd 'abs_path';
use Fcntl;
use File::Temp 'tempdir';
use JSON::PP 'decode_json';
use POSIX ':sys_wait_h';
use Suite::Files qw(slurp spew);
use Suite::Traced qw(enter_namespace hindrance loop_device traced);
use Test::More;
use Time::HiRes qw(sleep time);

my $BIN = abs_path($ENV{BIN} || '.');
my $RUNS = $ENV{REPLAY_RUNS} || 1000;
my $GOLDEN = ($ENV{SHARED} || "$FindBin::Bin/../../../shared") .
	'/golden/replay';
my $MS = 1_000_000;		# ns
my $PATIENCE = 60;		# seconds for a run of a fraction of one
my $IN_TIME = 5;		# seconds after a signal, with an hour to wait

# --- replay files --------------------------------------------------------------

# Bunches are [ns, [sector, bytes, read, kind's word], ...].
sub replay_file
{
	my (@bunches) = @_;
	my $mark = grep { $_->[3] } map { @$_[1 .. $#$_] } @bunches;
	my $packets = 0;
	my $body = '';

	for my $bunch (@bunches) {
		my ($time, @packets) = @$bunch;
		$body .= pack 'Q2', scalar @packets, $time;
		$body .= pack 'Q2 L2', @$_[0 .. 2], $_->[3] // 0 for @packets;
		$packets += @packets;
	}
	my $genesis = @bunches ? $bunches[0][0] : 0;
	$packets |= 0x6b69 << 48 if $mark;
	return pack('Q4', 0x10000, $genesis, scalar @bunches, $packets) . $body;
}

# COUNT I/Os, GAP ns apart, each in a bunch of its own.
sub spaced
{
	my ($count, $gap, $read) = @_;
	return replay_file(map { [1000 + $_ * $gap, [8 * $_, 4096, $read]] }
			   0 .. $count - 1);
}

my $places = 0;

# A new directory with these files, and a map of sdx to the device.
sub place
{
	my ($top, $loop, %files) = @_;
	my $dir = "$top/" . $places++;

	mkdir $dir or die "$dir: $!\n";
	spew("$dir/$_", $files{$_}) for keys %files;
	spew("$dir/map", 'sdx ' . $loop =~ s{/dev/}{}r . "\n");
	return $dir;
}

# --- runs ------------------------------------------------------------------------

# btreplay there, with the map: its pid.
sub start
{
	my ($dir, @words) = @_;
	unlink "$dir/err";
	my $pid = fork;

	die "fork: $!\n" unless defined $pid;
	return $pid if $pid;
	chdir $dir;
	open STDOUT, '>', 'out';
	open STDERR, '>', 'err';
	exec "$BIN/btreplay", '-M', 'map', @words or POSIX::_exit(127);
}

# The result of a run: { rc, out, err, seconds, late }.
sub finish
{
	my ($dir, $pid, $patience) = @_;
	my $begin = time;
	my ($late, $done) = (0, 0);

	until ($done = waitpid($pid, WNOHANG) == $pid) {
		last if time > $begin + $patience;
		sleep 0.005;
	}
	if (!$done) {
		$late = 1;
		kill 'KILL', $pid;
		waitpid $pid, 0;
	}
	return { rc => $? & 127 ? 128 + ($? & 127) : $? >> 8, late => $late,
		 seconds => time - $begin, out => slurp("$dir/out"),
		 err => slurp("$dir/err") };
}

sub run
{
	my ($dir, @words) = @_;
	return finish($dir, start($dir, @words), $PATIENCE);
}

# the report of such a run, as data
sub report_of
{
	my ($dir, @words) = @_;
	my $got = run($dir, '--report=report', @words);

	return (decode_json(slurp("$dir/report")), $got)
		if -s "$dir/report";
	return ({}, $got);
}

sub ended_well
{
	my ($got, $name) = @_;
	is($got->{rc} . ($got->{late} ? ' late' : ''), 0, $name)
		or diag($got->{err});
}

# sectors, bytes and directions in a line, to be compared
sub line_of
{
	return join ' ', map { "$_->{sector}+$_->{bytes}" .
			       ($_->{read} ? 'R' : 'W') } @_;
}

# --- what was recorded from 1.3.0 ---------------------------------------------------

# cases that are meant to differ, and their status then; tests/differs.tsv
my %DIFFERS = ('rp-short-hdr' => 1, 'rp-short-pkts' => 1, 'rp-x0' => 1,
	       'rp-cpu1' => 0);

# A .rep file without the times at which things happened to happen.
sub without_times
{
	my ($text) = @_;
	$text =~ s/^(   stall\([^,]*), .*/$1/mg;
	$text =~ s/^\+\+ stall.*\n//mg;
	return $text;
}

# What is wrong with a recorded case, run in DIR on the device.
sub golden_faults
{
	my ($case, $dir, $loop) = @_;
	my $name = $loop =~ s{/dev/}{}r;
	my $cmd = slurp("$case/cmd") =~ s{\$BTREPLAY}{$BIN/btreplay}gr;
	my @faults;

	system "cp $case/*.replay.* $case/*.load.* $dir/ 2>/dev/null";
	my $out = `cd $dir && LOOP=$name timeout $PATIENCE sh -c '$cmd' 2>err`;
	my $rc = $? >> 8;
	my $short = $case =~ s{.*/}{}r;
	my $want = $DIFFERS{$short} // slurp("$case/status") + 0;
	push @faults, "status $rc" if $rc != $want;
	push @faults, 'standard output' if $out ne slurp("$case/stdout");
	return @faults if exists $DIFFERS{$short};
	for my $rep (glob "$case/out/*.rep") {
		my $file = $rep =~ s{.*/}{}r;
		push @faults, $file unless -e "$dir/$file" &&
			without_times(slurp("$dir/$file")) eq
			without_times(slurp($rep));
	}
	return @faults;
}

sub test_golden
{
	my ($top, $loop) = @_;
	my @cases = map { s{/device\z}{}r } glob "\Q$GOLDEN\E/*/device";

	SKIP: {
		skip 'golden/replay is not here', 1 unless @cases;
		for my $case (@cases) {
			my $name = $case =~ s{.*/}{}r;
			my $dir = place($top, $loop);
			is(join(', ', golden_faults($case, $dir, $loop)), '',
			   "recorded: $name");
		}
	}
}

# -c: one CPU for both files, and each still has its own .rep
sub test_rep_names
{
	my ($top, $loop) = @_;
	my $dir = place($top, $loop, 'sdx.replay.0' => spaced(2, 1000, 1),
			'sdx.replay.5' => spaced(3, 1000, 1));
	ended_well(run($dir, qw(-c 1 -v -v sdx)), 'two files on one CPU');
	my @lines = map { my $n = () = slurp("$dir/sdx.replay.$_.rep") =~
			  /^submit/mg; $n } 0, 5;
	is("@lines", '2 3', 'each has a .rep, named by its own CPU');
	like(slurp("$dir/sdx.replay.5.rep"), qr/^Pinned to CPU 00 1/,
	     'which tells where it was replayed');
}

# --- seen from outside ----------------------------------------------------------------

# 200 I/Os of two CPUs, of all sizes, in bunches of one to four
sub mixed_files
{
	my (@bunches, @packets);

	srand 3;
	for my $i (0 .. 79) {
		my @ios = map { [8 * int(rand 4000), 4096 << int(rand 5),
				 int(rand 2)] } 0 .. int(rand 4);
		my $cpu = int(rand 2);
		push @{$bunches[$cpu]}, [$MS + $i * 300_000, @ios];
		push @{$packets[$cpu]}, @ios;
	}
	return (\@packets, map { ("sdx.replay.$_" =>
				  replay_file(@{$bunches[$_]})) } 0, 1);
}

# What the trace shows is what was asked for, CPU by CPU.
sub test_traced
{
	my ($top, $loop, $write) = @_;
	my ($packets, %files) = mixed_files();
	my $dir = place($top, $loop, %files);
	my $how = $write ? 'with -W' : 'without -W';
	my $got;
	my @seen = traced($BIN, $loop, "$dir/trace", sub {
		$got = run($dir, $write ? '-W' : (), 'sdx');
	});

	ended_well($got, "a replay $how");
	my $cpus = `nproc`;
	for my $cpu (0, 1) {
		my @want = map {
			{ sector => $_->[0], bytes => $_->[1],
			  read => $write ? $_->[2] : 1 }
		} @{$packets->[$cpu]};
		SKIP: {
			skip 'one CPU only', 1 if $cpus < 2;
			is(line_of(grep { $_->{cpu} == $cpu } @seen),
			   line_of(@want), "$how: what went out on CPU $cpu");
		}
	}
}

# I/Os that came a millisecond before their place, by the place of the first,
# which may itself have been LATE.
sub early
{
	my ($asked, $seen, $late) = @_;
	my $at = sub { $_[0][$_[1]]{time} - $_[0][0]{time} };

	return grep { $at->($seen, $_) < $at->($asked, $_) - $MS - $late }
		0 .. $#$asked;
}

# The whole way: a trace, its replay file, and the trace of its replay.
sub test_circle
{
	my ($top, $loop) = @_;
	my $dir = place($top, $loop, 'sdx.replay.0' => spaced(50, $MS, 1));
	my $name = $loop =~ s{/dev/}{}r;
	my @first = traced($BIN, $loop, "$dir/there",
			   sub { run($dir, 'sdx') });
	my (@second, @early);

	is(scalar @first, 50, 'all I/Os of a replay are seen');
	system "$BIN/btrecord --exact -d $dir/there -D $dir $name";
	spew("$dir/map", '');
	# The first I/O may be late where the machine is busy, at worst behind
	# the moment that is reported: some tries.
	for my $try (1 .. 5) {
		my $report;
		@second = traced($BIN, $loop, "$dir/again$try", sub {
			($report) = report_of($dir, $name);
		});
		@early = early(\@first, \@second, $report->{late_ns}{max});
		last unless @early;
	}
	is(line_of(@second), line_of(@first), 'a replayed replay is the same');
	is("@early", '', 'and no I/O is early by a millisecond');
}

# --- flushes, discards, FUA --------------------------------------------------------------

# categories of queued I/Os
my ($IS_WRITE, $IS_FLUSH, $IS_DISCARD, $IS_FUA) = map { 1 << $_ } 1, 2, 13, 15;
# words of kinds, as in doc/btreplay.5
my ($FLUSH, $DISCARD, $ZEROES, $FUA, $PREFLUSH) =
	(1 << 24, 2 << 24, 3 << 24, 1 << 27, 1 << 28);

# A database: a flush after every eighth of its writes, each of which is of
# another block, and a process that reads.  How many flushes that are.
sub database
{
	my ($top, $loop) = @_;
	my @both = ("--filename=$loop", qw(--bs=4k --direct=1 --size=32m
		    --ioengine=libaio --thinktime=300), "--output=$top/fio");

	system('fio', @both, qw(--name=db --rw=randwrite --iodepth=4 --fsync=8
	       --number_ios=320 --name=reader --rw=randread
	       --number_ios=400)) and die "fio: $?\n";
	return 320 / 8 - 1;	# it ends without one
}

# The I/Os of a trace, joined by btexport: a list of flushes, and writes by
# sector, each { time_ns, complete_ns }.
sub joined
{
	my ($dir, $loop) = @_;
	my $name = $loop =~ s{/dev/}{}r;
	my ($header, @lines) = `cd $dir && $BIN/btexport --format=csv \\
		--fields=kind,op,sector,time_ns,complete_ns $name 2>err`;
	chomp @lines;
	my (@flushes, %writes);

	for my $line (@lines) {
		my ($kind, $op, $sector, $time, $end) = split /,/, $line, -1;
		next unless $kind eq 'io';
		my $io = { begin => $time, end => $end };
		push @flushes, $io if $op eq 'flush';
		$writes{$sector} = $io if $op eq 'write';
	}
	@flushes = sort { $a->{begin} <=> $b->{begin} } @flushes;
	return (\@flushes, \%writes);
}

# Writes that a flush covers, or that come after its end, and are not on that
# side of the same flush again.
sub disordered
{
	my ($flushes, $writes, $flushes2, $writes2) = @_;
	my (@covered, @behind);

	for my $i (0 .. $#$flushes) {
		my ($f, $g) = ($flushes->[$i], $flushes2->[$i]);
		for my $at (keys %$writes) {
			my ($w, $v) = ($writes->{$at}, $writes2->{$at});
			push @covered, "$at, flush $i"
				if $w->{end} < $f->{begin} &&
				!($v->{end} < $g->{begin});
			push @behind, "$at, flush $i"
				if $w->{begin} > $f->{end} &&
				!($v->{begin} > $g->{end});
		}
	}
	return (\@covered, \@behind);
}

sub check_order
{
	my ($top, $loop, $name, $first, @words) = @_;
	my $dir = place($top, $loop);
	my $recorded = $loop =~ s{/dev/}{}r;
	my $r;

	spew("$dir/map", '');
	system "$BIN/btrecord --exact -d $first -D $dir $recorded 2>$dir/rec";
	is(slurp("$dir/rec"), '', "$name: nothing is left out");
	traced($BIN, $loop, "$dir/trace",
	       sub { ($r) = report_of($dir, '-W', @words, $recorded) },
	       qw(queue issue complete));
	my ($flushes, $writes) = joined($first, $loop);
	my ($again, $rewrites) = joined("$dir/trace", $loop);
	is(scalar @$again, scalar @$flushes, "$name: as many flushes");
	is("@{$r->{kinds}{flushes}}{qw(asked done failed)}",
	   join(' ', (scalar @$flushes) x 2, 0), "$name: which the report has");
	is(join(' ', sort keys %$rewrites), join(' ', sort keys %$writes),
	   "$name: and the same writes");
	my ($covered, $behind) = disordered($flushes, $writes, $again,
					    $rewrites);
	is("@$covered", '', "$name: after what they cover");
	is("@$behind", '', "$name: before what came behind them");
	return $r;
}

# In its time, and with all of it due at once: then order is all that there is.
sub test_database
{
	my ($top, $loop) = @_;
	my $first = "$top/database";
	my $count;

	SKIP: {
		skip 'no fio', 12 if system 'fio --version >/dev/null 2>&1';
		traced($BIN, $loop, $first,
		       sub { $count = database($top, $loop) },
		       qw(queue issue complete));
		my ($flushes) = joined($first, $loop);
		is(scalar @$flushes, $count, 'a database has flushed');
		check_order($top, $loop, 'in its time', $first);
		my $r = check_order($top, $loop, 'all at once', $first, '-N');
		cmp_ok($r->{held}, '>', 100, 'all at once: much had to wait');
	}
}

# one of each kind, two of them with a flush before; and a read
sub kinds_file
{
	return replay_file(
		[1000, [8, 4096, 0, $FUA]],
		[20 * $MS, [16, 4096, 0, $PREFLUSH | $FUA]],
		[40 * $MS, [2048, 0, 0, $DISCARD | 2048]],
		[60 * $MS, [8192, 0, 0, $ZEROES | 16]],
		[80 * $MS, [0, 0, 0, $FLUSH]],
		[100 * $MS, [24, 4096, 1]]);
}

# Queued I/Os in a line: sector+bytes, and letters of what they are.  A device
# that cannot write zeroes is sent data, by the kernel: it is there twice then.
sub kinds_line
{
	my @words = map {
		my $what = $_->{what};
		"$_->{sector}+$_->{bytes}" .
		($what & $IS_FLUSH ? 'F' : '') .
		($what & $IS_DISCARD ? 'D' : $what & $IS_WRITE ? 'W' : 'R') .
		($what & $IS_FUA ? 'A' : '')
	} @_;
	return join ' ', map { $words[$_] } grep {
		!$_ || $words[$_] ne $words[$_ - 1] } 0 .. $#words;
}

sub check_kinds
{
	my ($top, $loop, $want, $line, @words) = @_;
	my $dir = place($top, $loop, 'sdx.replay.0' => kinds_file());
	my ($r, $got);
	my @seen = traced($BIN, $loop, "$dir/trace",
			  sub { ($r, $got) = report_of($dir, @words, 'sdx') });

	ended_well($got, "kinds @words");
	is(join(' ', map { my $k = $r->{kinds}{$_};
			   "$_ $k->{done}-$k->{left_out}" }
		sort keys %{$r->{kinds}}), $want, "kinds @words: done, left out");
	is(kinds_line(@seen), $line, "kinds @words: what went out");
	return $got;
}

sub test_kinds
{
	my ($top, $loop) = @_;
	my $got = check_kinds($top, $loop, 'discards 1-0 flushes 2-0' .
		' fua_writes 2-0 reads 1-0 writes 0-0 zeroes 1-0',
		'8+4096WA 0+0FW 16+4096WA 2048+1048576D 8192+8192W 0+0FW' .
		' 24+4096R', '-W');
	like($got->{err}, qr/^btreplay: flushes: 2 asked for, 2 done, 0 failed$/m,
	     'kinds have lines in the report');
	check_kinds($top, $loop, 'discards 0-1 flushes 0-2' .
		' fua_writes 2-0 reads 1-0 writes 0-0 zeroes 0-1',
		'8+4096R 16+4096R 24+4096R');
	$got = check_kinds($top, $loop, 'discards 0-1 flushes 0-2' .
		' fua_writes 2-0 reads 1-0 writes 0-0 zeroes 1-0',
		'8+4096W 16+4096W 8192+8192W 24+4096R',
		qw(-W --no-flush --no-discard));
	like($got->{err}, qr/^btreplay: discards: 1 left out$/m,
	     'and so has what is left out');
}

# A discard behind the end fails, alone; what is due is not held for ever.
sub test_kinds_failing
{
	my ($top, $loop) = @_;
	my $dir = place($top, $loop, 'sdx.replay.0' => replay_file(
		[1000, [1 << 30, 0, 0, $DISCARD | 8], [1 << 60, 8, 0, $PREFLUSH],
		 [0, 0, 0, $FLUSH]], [2000, [8, 4096, 0]]));
	my ($r, $got) = report_of($dir, '-W', '-I', '2', 'sdx');

	is($got->{rc} . $got->{late}, '20', 'kinds that fail are an error');
	is(join(' ', map { "$_->{asked} $_->{done} $_->{failed}" }
		@{$r->{kinds}}{qw(discards writes flushes)}),
	   '2 0 2 4 2 2 4 2 2', 'and are counted, each alone');
	like($got->{err}, qr/\(1073741824 \+ 8\): Invalid argument/,
	     'and the discard is reported');
}

# Held I/Os, and calls that wait for a thread, go when it is interrupted.
sub test_kinds_interrupted
{
	my ($top, $loop) = @_;
	my $dir = place($top, $loop,
		'sdx.replay.0' => replay_file([3_600_000 * $MS, [8, 4096, 0]]),
		'sdx.replay.1' => replay_file(map { [1000 + $_ * $MS,
			[8 * $_, 4096, 0, $PREFLUSH]] } 1 .. 2000),
		'sdx.replay.2' => replay_file(
			[3_600_001 * $MS, [0, 0, 0, $FLUSH]]));
	my $pid = start($dir, '-W', '-N', '-x', '1', 'sdx');
	my $got = finish($dir, $pid, $PATIENCE);
	ended_well($got, 'many flushes, one file after the other');
	$pid = start($dir, '-W', 'sdx');
	sleep 0.5;
	kill 'INT', $pid;
	$got = finish($dir, $pid, $IN_TIME);
	ended_well($got, 'flushes, interrupted');
	like($got->{err}, qr/interrupted/, 'and reported');
}

# --- options -----------------------------------------------------------------------------

sub test_times
{
	my ($top, $loop) = @_;
	my $dir = place($top, $loop, 'sdx.replay.0' => spaced(21, 10 * $MS, 1));
	my ($r, $got) = report_of($dir, 'sdx');

	ended_well($got, 'a fifth of a second');
	is($r->{duration_ns}{asked}, 200 * $MS, 'is what was asked for');
	cmp_ok($r->{duration_ns}{achieved}, '>=', 200 * $MS,
	       'and not shorter');
	for my $case ([2, 100], [0.5, 400], ['.8', 250]) {
		my ($x, $ms) = @$case;
		($r, $got) = report_of($dir, '-x', $x, 'sdx');
		is($r->{duration_ns}{asked}, $ms * $MS, "-x $x: $ms ms");
		cmp_ok($r->{duration_ns}{achieved}, '>=', $ms * $MS,
		       "-x $x: takes them");
	}
	($r, $got) = report_of($dir, '-x', 10, '-I', 3, 'sdx');
	is("$r->{ios}{done} $r->{iterations}", '63 3', '-I 3: three times');
	is($r->{duration_ns}{asked}, 60 * $MS, '-I 3: and three times as long');
	($r, $got) = report_of($dir, '--spin=0', 'sdx');
	ended_well($got, '--spin=0');
	is($r->{ios}{done}, 21, '--spin=0: all is done');
	spew("$dir/sdx.replay.0", spaced(21, 1000 * $MS, 1));
	($r, $got) = report_of($dir, '-N', 'sdx');
	cmp_ok($r->{duration_ns}{achieved}, '<', 20_000 * $MS,
	       '-N: as fast as it goes');
	is($r->{late_ns}, undef, '-N: nothing can be late');
}

sub test_report
{
	my ($top, $loop) = @_;
	my $dir = place($top, $loop, 'sdx.replay.0' =>
			replay_file([5, [0, 4096, 1], [8, 8192, 0]]));
	my $got = run($dir, 'sdx');

	for my $line ('I/Os: 2 asked for, 2 done, 0 failed',
		      'bytes: 12288 read, 0 written', 'late: .* us median, .*',
		      'gap error: .* us p99, .*',
		      'duration: 0.000000 s asked for, .*',
		      'depth: [12] of 512 reached') {
		like($got->{err}, qr/^btreplay: $line$/m, "said: $line");
	}
	is($got->{out}, '', 'nothing on standard output');
	$got = run($dir, '-W', '--report', 'sdx');
	my $r = eval { decode_json($got->{out}) } || {};
	is($r->{bytes}{written}, 8192, '--report: JSON on standard output');
	$got = run($dir, '--report=/dev/full', 'sdx');
	is($got->{rc}, 2, 'a report that cannot be written is an error');
	like($got->{err}, qr{/dev/full: No space}, 'which is told');
}

sub test_depth
{
	my ($top, $loop) = @_;
	my $dir = place($top, $loop, 'sdx.replay.0' => spaced(200, 0, 1),
			'sdx.replay.1' => spaced(200, 0, 1));
	my ($r, $got) = report_of($dir, '--depth=1', 'sdx');

	is("$r->{ios}{done} $r->{depth}{reached}", '400 1',
	   '--depth=1: one after the other');
	($r, $got) = report_of($dir, '--depth=65536', 'sdx');
	is($got->{rc}, 2, 'deeper than the machine allows');
	like($got->{err}, qr/fs\.aio-max-nr.*--depth/, 'says what to do');
}

# --- faults --------------------------------------------------------------------------------

sub test_failures
{
	my ($top, $loop) = @_;
	my $end = (256 << 20) / 512;
	my $dir = place($top, $loop, 'sdx.replay.0' => replay_file(
		[5, [0, 4096, 1], [$end - 8, 8192, 1]],
		[6, [$end + 8, 4096, 1], [8, 1000, 1], [8, 0xffffffff, 1]],
		[7, [1 << 60, 4096, 1], [8, 4096, 1]]));
	my ($r, $got) = report_of($dir, 'sdx');

	is($got->{rc}, 2, 'I/Os that fail are an error');
	is("$r->{ios}{asked} $r->{ios}{done} $r->{ios}{failed}", '7 2 5',
	   'they are counted, and do not end the others');
	like($got->{err}, qr/Event failure 4096\/0\t\(524280 \+ 16\)/,
	     'and told in the words of old');
	$dir = place($top, $loop, 'sdx.replay.0' => replay_file(
		map { [$_, [$end, 512, 1]] } 1 .. 500));
	$got = run($dir, 'sdx');
	my $lines = () = $got->{err} =~ /Event failure/g;
	is($lines, 8, 'but not 500 times');
}

# Neither of two files is begun when the second is damaged.
sub test_damaged
{
	my ($top, $loop) = @_;
	my $whole = spaced(10, 1000, 0);
	my $dir = place($top, $loop, 'sdx.replay.0' => $whole,
			'sdx.replay.1' => substr $whole, 0, -1);
	my $disk = slurp("/sys/block/" . $loop =~ s{/dev/}{}r . '/stat');
	my $got = run($dir, '-W', 'sdx');

	is($got->{rc}, 1, 'a damaged file');
	like($got->{err}, qr/sdx\.replay\.1: damaged: byte \d+: cut/,
	     'is named, and how it is damaged');
	is(slurp("/sys/block/" . $loop =~ s{/dev/}{}r . '/stat'), $disk,
	   'and no device has seen anything');
}

# --- devices in use ---------------------------------------------------------------------------

sub refused
{
	my ($dir, $pattern, $name) = @_;
	my $got = run($dir, '-W', 'sdx');

	is($got->{rc}, 1, "$name: refused");
	like($got->{err}, qr/$pattern/, "$name: told why");
	unlike($got->{err}, qr/I\/Os:/, "$name: nothing done");
}

sub test_in_use
{
	my ($top, $loop) = @_;
	my $dir = place($top, $loop, 'sdx.replay.0' => spaced(3, 1000, 0));

	ended_well(run($dir, '-W', 'sdx'), 'a device that is free is written');
	sysopen my $writer, $loop, O_RDWR or die "$loop: $!\n";
	refused($dir, "open for writing by process $$ \\(", 'a writer');
	ended_well(run($dir, 'sdx'), 'reading it is no harm');
	ended_well(run($dir, '-W', '--force', 'sdx'), '--force writes to it');
	close $writer;
	sysopen my $holder, $loop, O_RDONLY | O_EXCL or die "$loop: $!\n";
	refused($dir, 'is in use, mounted or held', 'a holder');
	close $holder;
	test_mounted($dir, $loop);
}

sub test_mounted
{
	my ($dir, $loop) = @_;

	SKIP: {
		mkdir "$dir/mount";
		skip 'no ext4 here', 5
			if system "mke2fs -q -t ext4 $loop 2>/dev/null && " .
				"mount $loop $dir/mount 2>/dev/null";
		refused($dir, "is mounted on $dir/mount", 'a file system');
		my $got = run($dir, '-W', '--dry-run', 'sdx');
		my $line = "  mounted on $dir/mount, all of it: 3 I/Os there, " .
			"3 of them writes";
		like($got->{out}, qr/^\Q$line\E$/m,
		     '--dry-run shows what it would overwrite');
		like($got->{out}, qr/^  refused, as it is in use/m,
		     'and that it would not');
		system "umount $dir/mount";
	}
}

sub test_dry_run
{
	my ($top, $loop) = @_;
	my $dir = place($top, $loop, 'sdx.replay.0' => spaced(11, $MS, 0),
			'sdx.replay.3' => replay_file(
				[1000 + 5 * $MS, [1 << 30, 4096, 1]]));
	my $disk = slurp("/sys/block/" . $loop =~ s{/dev/}{}r . '/stat');
	my $got = run($dir, '--dry-run', '-x', 2, '-I', 2, 'sdx');

	is($got->{out}, <<"EOT", '--dry-run tells what would be done');
$loop:
  from ./sdx.replay.0
  from ./sdx.replay.3
  reads: 1 I/Os, 4096 bytes
  writes: 11 I/Os, 45056 bytes, as reads
  sectors: 0 to 1073741832 of 524288
  beyond the end: 1 I/Os, which will fail
duration: 0.005000 s, 2 times
EOT
	is($got->{rc} . $got->{err}, 0, 'and nothing else');
	is(slurp("/sys/block/" . $loop =~ s{/dev/}{}r . '/stat'), $disk,
	   'nothing is done');
}

# --- the end ------------------------------------------------------------------------------------

# Until an iteration has begun, which -v tells.
sub wait_for_begin
{
	my ($dir) = @_;
	for (1 .. $PATIENCE * 50) {
		return if -e "$dir/err" && slurp("$dir/err") =~ /^I/m;
		sleep 0.02;
	}
	die "btreplay does not begin: ", slurp("$dir/err");
}

# how many reads the device has done
sub reads_done
{
	my ($loop) = @_;
	return (split ' ', slurp('/sys/block/' . $loop =~ s{/dev/}{}r .
				 '/stat'))[0];
}

# A run that has an hour to wait after two reads, once it waits; what a signal
# makes of it.
sub interrupted
{
	my ($dir, $loop, $signal, @words) = @_;
	my $before = reads_done($loop);
	my $pid = start($dir, '-v', @words, 'sdx');

	wait_for_begin($dir);
	for (1 .. $PATIENCE * 50) {
		last if reads_done($loop) >= $before + 2;
		sleep 0.02;
	}
	# it is told a moment later
	sleep 0.1;
	kill $signal, $pid;
	return finish($dir, $pid, $PATIENCE);
}

sub test_signals
{
	my ($top, $loop) = @_;
	my $dir = place($top, $loop,
			'sdx.replay.0' => spaced(3, 3_600_000 * $MS, 1),
			'sdx.replay.1' => spaced(3, 3_600_000 * $MS, 1));

	for my $case (['INT'], ['TERM'], ['HUP'], ['INT', '-I', 5],
		      ['INT', '--spin=0']) {
		my ($signal, @words) = @$case;
		my $got = interrupted($dir, $loop, $signal, @words);
		cmp_ok($got->{seconds}, '<', $IN_TIME,
		       "@$case: ends soon");
		is($got->{rc}, 0, "@$case: status 0");
		like($got->{err}, qr/6 asked for, 2 done.*interrupted/,
		     "@$case: and reports");
	}
}

# Whoever kills the parent has ended the child, too.
sub test_killed
{
	my ($top, $loop) = @_;
	my $dir = place($top, $loop,
			'sdx.replay.0' => spaced(3, 3_600_000 * $MS, 1));
	my $pid = start($dir, '-v', 'sdx');

	wait_for_begin($dir);
	my ($child) = split ' ',
		slurp("/proc/$pid/task/$pid/children");
	ok($child && -d "/proc/$child", 'a child does the work');
	kill 'KILL', $pid;
	waitpid $pid, 0;
	for (1 .. $PATIENCE * 20) {
		last unless -d "/proc/$child";
		sleep 0.05;
	}
	ok(!-d "/proc/$child", 'and goes when its parent is killed');
}

# A process for each CPU that does nothing but to be in the way.
sub busy
{
	my @pids;
	for (1 .. `nproc`) {
		my $pid = fork;
		die "fork: $!\n" unless defined $pid;
		if (!$pid) {
			# an exec, so that no clean-up of ours can run here
			exec $^X, '-e', 'alarm 1200; 1 while 1';
		}
		push @pids, $pid;
	}
	return @pids;
}

# RUNS of them, until one is BAD.
sub many_runs
{
	my ($dir, $bad) = @_;

	for my $n (1 .. $RUNS) {
		my $words = [[], ["-N"], ["-I", 2], ["--spin=0"]]->[$n % 4];
		my $got = run($dir, @$words, "sdx");
		$bad->{$got->{late} ? 'late' : "status $got->{rc}"}++
			if $got->{late} || $got->{rc};
		last if keys %$bad;
	}
}

# How it ends must never depend on who is faster.
sub test_many
{
	my ($top, $loop) = @_;
	my $dir = place($top, $loop, 'sdx.replay.0' => spaced(8, 1000, 1),
			'sdx.replay.1' => spaced(1, 1000, 1));
	my @busy = busy();
	my %bad;

	eval { many_runs($dir, \%bad) };
	my $died = $@;
	kill 'KILL', @busy;
	waitpid $_, 0 for @busy;
	die $died if $died;
	is(join(', ', %bad), '', "$RUNS short runs on a busy machine all end");
}

sub main
{
	my $base = -w '/dev/shm' ? '/dev/shm' : '/tmp';
	my $top = tempdir('replay.XXXXXX', DIR => $base, CLEANUP => 1);
	my $loop = loop_device($top, 256);

	test_golden($top, $loop);
	test_rep_names($top, $loop);
	test_traced($top, $loop, 0);
	test_traced($top, $loop, 1);
	test_circle($top, $loop);
	test_database($top, $loop);
	test_kinds($top, $loop);
	test_kinds_failing($top, $loop);
	test_kinds_interrupted($top, $loop);
	test_times($top, $loop);
	test_report($top, $loop);
	test_depth($top, $loop);
	test_failures($top, $loop);
	test_damaged($top, $loop);
	test_in_use($top, $loop);
	test_dry_run($top, $loop);
	test_signals($top, $loop);
	test_killed($top, $loop);
	test_many($top, $loop);
	done_testing();
}

my ($reason) = hindrance();
plan skip_all => $reason if $reason;
plan skip_all => 'no tracefs' unless enter_namespace($0);
main();
