#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# btimport: tables of whole I/Os, biosnoop's output, fio's iologs; what it says of
# lines that it cannot read; its outputs, and what other programs make of them.
#
#	BIN=DIR [ROWS=n] [SEED=n] prove tests/btimport.t
#
# ROWS is how many lines a table has that is too long for memory (200,000).
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Cwd 'abs_path';
use File::Path 'remove_tree';
use File::Temp 'tempdir';
use IO::Compress::Gzip 'gzip';
use IO::Handle;
use JSON::PP;
use Suite::Files qw(slurp spew);
use Suite::Run qw(find_programs run_command);
use Test::More;

my $ROWS = $ENV{ROWS} || 200_000;
my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my $TOP = tempdir('btimport.XXXXXX', TMPDIR => 1, CLEANUP => 1);

srand($ENV{SEED} || 1);

sub run
{
	return run_command($_[0], $TOP, $PROGRAMS);
}

# The events of a text, as lines of blkparse; and what was said.
sub events_of
{
	my ($text, $options) = @_;

	spew("$TOP/in", $text);
	my $got = run("btimport $options in -o - | blkparse -q -i - " .
		      "-f '%a %p %d %S %N %T.%9t %C\\n'");
	my @lines = map { s/\(null\)$//r } grep { !/ m  |^Trace / }
		split /\n/, $got->{out};
	return (\@lines, $got->{err});
}

# --- formats ------------------------------------------------------------------

# name => [text, message, events]: times are since the first event
my %FORMATS = (
	msr => ["128166372003061629,usr,0,Read,7014609920,24576,41286\n" .
		"128166372003070000,usr,0,Write,1317441536,8192,1963\n",
		'MSR Cambridge: response times only', [
		'Q 0 R 13700410 24576 0.000000000 ',
		'D 0 R 13700410 24576 0.000000000 ',
		'Q 0 W 2573128 8192 0.000837100 ',
		'D 0 W 2573128 8192 0.000837100 ',
		'C 0 W 2573128 8192 0.001033400 ',
		'C 0 R 13700410 24576 0.004128600 ']],
	alibaba => ["419,W,8192,4096,1577808000000046\n" .
		    "725,R,1024,512,1577808000000372\n",
		    'Alibaba: no response times', [
		    'Q 0 W 16 4096 0.000000000 ', 'D 0 W 16 4096 0.000000000 ',
		    'C 0 W 16 4096 0.000000000 ', 'Q 0 R 2 512 0.000326000 ',
		    'D 0 R 2 512 0.000326000 ', 'C 0 R 2 512 0.000326000 ']],
	tencent => ["1538323200,1000,8,1,1063\n",
		    'Tencent CBS: no response times', [
		    'Q 0 W 1000 4096 0.000000000 ',
		    'D 0 W 1000 4096 0.000000000 ',
		    'C 0 W 1000 4096 0.000000000 ']],
	systor => ["Timestamp,Response,IOType,LUN,Offset,Size\n" .
		   "1455753600.5,0.001250,R,3,1024,2048\n",
		   "SYSTOR '17: response times only", [
		   'Q 0 R 2 2048 0.000000000 ', 'D 0 R 2 2048 0.000000000 ',
		   'C 0 R 2 2048 0.001250000 ']],
	spc => ["0,303567,3584,w,0.000000\n1,55590,3072,r,0.026214\n",
		'SPC: no response times', [
		'Q 0 W 303567 3584 0.000000000 ',
		'D 0 W 303567 3584 0.000000000 ',
		'C 0 W 303567 3584 0.000000000 ',
		'Q 0 R 55590 3072 0.026214000 ',
		'D 0 R 55590 3072 0.026214000 ',
		'C 0 R 55590 3072 0.026214000 ']],
	fiu => ["1000000 4892 syslogd 904265560 8 W 6 0 " . 'ab' x 16 . "\n",
		'FIU: no response times', [
		'Q 4892 W 904265560 4096 0.000000000 syslogd',
		'D 4892 W 904265560 4096 0.000000000 syslogd',
		'C 4892 W 904265560 4096 0.000000000 syslogd']],
	biosnoop => ["TIME(s)     COMM           PID    DISK      T SECTOR" .
		     "     BYTES   LAT(ms)\n" .
		     "0.000004    Web Content    1950   vda       W 13092560" .
		     "   4096       0.74\n",
		     'biosnoop: no events before issue', [
		     'D 1950 W 13092560 4096 0.000000000 Web Content',
		     'C 1950 W 13092560 4096 0.000740000 Web Content']],
	'biosnoop -Q' => ["TIME(s)     COMM     PID  DISK  T SECTOR  BYTES" .
			  "  QUE(ms) LAT(ms)\n" .
			  "3.5  dd  7  vda  R 800  4096  0.25 0.5\n",
			  'biosnoop: no plug or merge events', [
			  'Q 7 R 800 4096 0.000000000 dd',
			  'D 7 R 800 4096 0.000250000 dd',
			  'C 7 R 800 4096 0.000750000 dd']],
	'iolog 3' => ["fio version 3 iolog\n0 /dev/sda add\n0 /dev/sda open\n" .
		      "10 /dev/sda read 4096 8192\n30 /dev/sda trim 0 512\n" .
		      "50 /dev/sda datasync 0 0\n60 /dev/sda close\n",
		      "fio's iolog: no response times", [
		      'Q 0 R 8 8192 0.000000000 ', 'D 0 R 8 8192 0.000000000 ',
		      'C 0 R 8 8192 0.000000000 ', 'Q 0 D 0 512 0.000020000 ',
		      'D 0 D 0 512 0.000020000 ', 'C 0 D 0 512 0.000020000 ',
		      'Q 0 FW 0 0 0.000040000 ', 'G 0 FW 0 0 0.000040000 ',
		      'C 0 FW 0 0 0.000040000 ']],
	'iolog 2' => ["fio version 2 iolog\n/dev/sda add\n/dev/sda open\n" .
		      "/dev/sda write 0 512\n/dev/sda wait 250 0\n" .
		      "/dev/sda write 512 512\n",
		      "fio's iolog: no response times", [
		      'Q 0 W 0 512 0.000000000 ', 'D 0 W 0 512 0.000000000 ',
		      'C 0 W 0 512 0.000000000 ', 'Q 0 W 1 512 0.000250000 ',
		      'D 0 W 1 512 0.000250000 ', 'C 0 W 1 512 0.000250000 ']],
);

sub test_formats
{
	for my $name (sort keys %FORMATS) {
		my ($text, $message, $events) = @{$FORMATS{$name}};
		my ($got, $err) = events_of($text, '');

		is_deeply($got, $events, "$name: its events") or
			diag(join "\n", @$got, $err);
		my ($from) = $name =~ /^(\w+)/;

		($got) = events_of($text, "--from=$from");
		is_deeply($got, $events, '... also if it is named');
		run('btimport in -o made');
		like(run('btstat made')->{out},
		     qr/^imported  from \Q$message\E$/m, '... and what it is');
		remove_tree(glob "$TOP/made*");
	}
}

# Any table, with each of its columns, units and separators.
sub test_columns
{
	my $all = '--columns=cpu,time:ms,op,offset:8192,bytes:KiB,queue:us,' .
		'service:ns,pid,process,error,device,-';
	my @want = ('Q 12 R 16 4096 0.000000000 my prog',
		    'D 12 R 16 4096 0.000002000 my prog',
		    'C 12 R 16 4096 0.000002500 my prog');

	for my $mark (',', ';', "\t", ' , ') {
		my $text = join $mark, 3, 1.5, 'read', 1, 4, 2, 500, 12,
			'my prog', 5, 'nvme0n1', 'x';
		my ($got, $err) = events_of("$text\n", "'$all'");

		is_deeply($got, \@want, "columns separated by '$mark'") or
			diag("@$got $err");
	}
	spew("$TOP/in", "3,1.5,read,1,4,2,500,12,my prog,5,nvme0n1,x\n");
	my $got = run("btimport '$all' in -o - | blkparse -q -i - -a complete" .
		      " -f '%c %e %D\\n'");
	like($got->{out}, qr/^3 5 240,0/m, '... CPU, error and device');
	for (['time,op', 'there is no column "offset"'],
	     ['op,offset,bytes', 'there is no column "time"'],
	     ['time:h,op,offset,bytes', '"h" is no unit of time'],
	     ['time,op:s,offset,bytes', '"s" is no unit of op'],
	     ['time,what,offset,bytes', '"what" is no column'],
	     ['', '"" is no column'],
	     ['-,' x 64 . '-', 'more than 64 columns']) {
		my ($columns, $why) = @$_;

		$got = run("btimport '--columns=$columns' in -o x");
		is($got->{rc}, 1, 'wrong columns');
		like($got->{err}, qr/--columns: \Q$why\E;/, "... $why");
	}
	$got = run('btimport --from=csv in -o x');
	like($got->{err}, qr/--from=csv needs --columns/, 'csv needs columns');
	$got = run('btimport --from=xls in -o x');
	like($got->{err}, qr/"xls" is no format/, 'an unknown format');
}

# --- what cannot be read ------------------------------------------------------

sub test_faults
{
	my $good = "7,R,4096,4096,1000\n";
	my %faults = (
		"7,X,4096,4096,1000" =>
			'column 3: "X" is not an operation such as R or write',
		"7,R,-4,4096,1000" => 'column 5: "-4" is not an offset',
		"7,R,4096,4k,1000" => 'column 10: "4k" is not a size',
		"7,R,4096,4096,1e9" => 'column 15: "1e9" is not a time',
		"7,R,4096,4096" => 'column 14: the line ends before a time',
		"7,R,4096,4096,99999999999999999999" =>
			'column 15: "99999999999999999999" is not a time',
		",R,4096,4096,1000" => 'column 1: the line ends before a device',
		"7,R,0,4294967296,1000" => 'column 1: no I/O is so large, or' .
			' there are too many devices',
		"7,\e[2J,0,4096,1000" => 'column 3: "\x1b[2J" is not an' .
			' operation such as R or write',
	);

	for my $line (sort keys %faults) {
		my ($got, $err) = events_of("$good$line\n$good", '');

		is(scalar @$got, 6, "$line: the others are read");
		is($err =~ s/^btimport: \d+ events.*\n//mr,
		   "btimport: in: line 2, $faults{$line}\n" .
		   "btimport: in: 1 line was skipped\n", '... and it is reported');
	}
	spew("$TOP/in", $good . "x\n" x 25);
	my $got = run('btimport in -o x');
	is($got->{rc}, 1, 'many faults: status 1');
	is(() = $got->{err} =~ /: line \d+/g, 10, '... ten are shown');
	like($got->{err}, qr/^btimport: in: 25 lines were skipped$/m,
	     '... and all counted');
	unlink glob "$TOP/x.*";
	spew("$TOP/in", $good . 'y' x 100_000 . "\n$good");
	$got = run('btimport in -o - | blkparse -q -i - -a queue');
	is(() = $got->{out} =~ /  Q /g, 2, 'a line of 100,000 bytes');
	like($got->{err}, qr/in: line 2, column 16385: /, '... is one line');
	spew("$TOP/in", $FORMATS{spc}[0]);
	run('btimport in -o - >trace');
	for (['', 'in: an empty file'],
	     [slurp("$TOP/trace"), 'in: a trace already, which all programs'],
	     ["hello\n", 'in: unknown format; name it with --from']) {
		spew("$TOP/in", $_->[0]);
		$got = run('btimport in -o x');
		is($got->{rc}, 1, "$_->[1]: status 1");
		like($got->{err}, qr/^btimport: \Q$_->[1]\E/, '... and why');
	}
	my $text = "7,R,4096,4096,1000\n" x 20_000;
	my $packed;
	gzip(\$text => \$packed);
	spew("$TOP/in", substr $packed, 0, length($packed) - 9);
	$got = run('btimport in -o - | wc -c');
	like($got->{err}, qr/^btimport: in: its packed data is damaged or cut/m,
	     'a gzip\'d file that is cut');
	$got = run('btimport none -o x');
	like($got->{err}, qr/^btimport: none: No such file or directory$/m,
	     'no file');
}

# --- outputs ------------------------------------------------------------------

sub test_outputs
{
	spew("$TOP/in", "7,R,4096,4096,1000\n");
	my $got = run('btimport in -o one');
	is($got->{rc}, 0, 'one device');
	is($got->{err}, "btimport: 3 events of 1 device\n", '... in a sentence');
	is(join(' ', map { s{.*/}{}r } sort glob "$TOP/one*"),
	   'one.blktrace.0 one.blktrace.json', '... its files');
	my $card = decode_json(slurp("$TOP/one.blktrace.json"));
	is_deeply($card->{imported},
		  { from => 'Alibaba', lacks => 'no response times',
		    clock => 'us since 1970' }, '... its card');
	is($card->{device}{name}, 'vol7', '... with the volume');
	$got = run('btimport in -o one');
	is($got->{rc}, 1, 'an earlier trace');
	is($got->{err}, "btimport: one.blktrace.* exist: choose another name" .
	   " with -o, or remove them\n", '... is not replaced');

	spew("$TOP/in", "7,R,4096,4096,1000\n8,W,0,512,1500\n");
	$got = run('btimport in -o two');
	is(join(' ', map { s{.*/}{}r } sort glob "$TOP/two/*"),
	   'vol7.blktrace.0 vol7.blktrace.json vol8.blktrace.0 ' .
	   'vol8.blktrace.json', 'two devices are a directory');
	like(run('btstat two')->{out}, qr/^vol8 write +1 /m, '... of a trace');
	$got = run('btimport in -o two');
	like($got->{err}, qr/^btimport: two exists: choose another name/,
	     '... that is not replaced');
	$got = run('btimport in -o two.btz');
	if ($got->{err} =~ /built without libzstd/) {
		is($got->{rc}, 1, 'no packed file without libzstd');
	} else {
		like(run('btstat two.btz')->{out}, qr/^vol8 write +1 /m,
		     'packed');
	}

	gzip(\"9,R,0,512,2000\n" => "$TOP/more.gz");
	$got = run('btimport - more.gz -o - <in | blkparse -q -i - -a queue' .
		   " -f '%d %T.%9t\\n'");
	like($got->{out},
	     qr/^R 0\.000000000\nW 0\.000500000\nR 0\.001000000\n/,
	   'several files, standard input and one that is gzip\'d');
	$got = run('btimport in -o there/new');
	is($got->{rc}, 1, 'no directory');
	like($got->{err}, qr{^btimport: there/new: No such file}, '... and why');
}

# A pipe that is silent does not keep it from ending, before or after a line.
sub test_interrupt
{
	my $line = "7,R,4096,4096,1000\n";

	for my $begin ('', $line x 300) {
		spew("$TOP/in", $begin);
		my $got = run('(cat in; exec sleep 2) | timeout -k 1 -s INT .4' .
			      ' btimport - -o halt; echo $?');
		is($got->{out}, "124\n", 'interrupted on a silent pipe');
		remove_tree(glob "$TOP/halt*");
	}
}

# --- order and time -----------------------------------------------------------

sub test_zstd
{
	my $text = "7,R,4096,4096,1000\n";

	return diag('no zstd here') unless (`zstd --version 2>&1` // '') =~ /Zstandard/;
	spew("$TOP/in", $text x 5000);
	system("cd $TOP && zstd -q in -o in.zst && cat in in.zst in.zst |" .
	       ' tail -c +' . (length($text) * 5000 + 1) . ' >two.zst');
	my $got = run('btimport two.zst -o x.btz');
	return diag('no libzstd here') if $got->{err} =~ /without libzstd/;
	is($got->{err}, "btimport: 30000 events of 1 device\n",
	   'two frames of zstd');
	my $packed = slurp("$TOP/in.zst");
	spew("$TOP/cut.zst", substr $packed, 0, length($packed) - 3);
	$got = run('btimport cut.zst -o - | wc -c');
	like($got->{err}, qr/cut\.zst: its packed data is damaged or cut/,
	     '... one that is cut');
	substr $packed, -2, 2, "\xff" x 2;	# its checksum
	spew("$TOP/cut.zst", $packed);
	$got = run('btimport cut.zst -o - | wc -c');
	like($got->{err}, qr/cut\.zst: its packed data is damaged/,
	     '... one that is broken');
	unlink "$TOP/x.btz";
}

# Response times up to a second: events come out in order, whatever it is.
sub test_order
{
	my ($time, %at) = (1_600_000_000_000_000);
	my @lines;

	for (1 .. 3000) {
		my $response = int rand 900_000;

		$time += int rand 300;
		push @lines, [$time, $response, $_ * 8];
	}
	# nearly in order
	for (1 .. 300) {
		my $i = int rand $#lines;

		@lines[$i, $i + 1] = @lines[$i + 1, $i];
	}
	my $text = join '', map { "$_->[0],R,$_->[2],512,$_->[1]\n" } @lines;
	my ($got, $err) = events_of($text, '--columns=time:us,op,' .
				    'offset:sectors,bytes,response:us');
	my ($first) = sort { $a <=> $b } map { $_->[0] } @lines;
	my @want = sort { $a <=> $b } map { ($_->[0], $_->[0],
					     $_->[0] + $_->[1]) } @lines;
	is(join("\n", map { (split)[5] } @$got),
	   join("\n", map { my $us = $_ - $first;
			    sprintf '%d.%06d000', int($us / 1e6), $us % 1e6
		} @want), 'events are in order of time') or diag($err);

	($got, $err) = events_of("0,R,0,512,10000000\n0,R,0,512,20000000\n" .
				 "0,R,0,512,5000000\n", '');
	is((split ' ', $got->[3])[5], '0.000000000',
	   'what is late by seconds');
	like($err, qr/^btimport: in: 1 event out of order, by up to 5\.00s: /m,
	     '... is reported');
}

# --- other programs -----------------------------------------------------------

# total_ns of a trace's I/Os; a phase would follow it
sub measured
{
	my ($trace) = @_;
	my ($names, @rows) = map { [split /,/] }
		split /\n/, run("btexport $trace")->{out};
	my %column = map { $names->[$_] => $_ } 0 .. $#$names;

	return map { my $row = $_;
		     join '/', map { length $_ ? $_ : 'null' }
		     @$row[$column{total_ns}],
		     grep { length } @$row[@column{qw(q2g_ns g2d_ns d2c_ns)}]
	} sort { $a->[$column{id}] <=> $b->[$column{id}] } @rows;
}

sub test_readers
{
	spew("$TOP/in", $FORMATS{msr}[0]);
	run('btimport in -o msr');
	my $got = run('btstat msr');
	like($got->{out}, qr/^I\/Os +2: 2 measured/m, 'response times');
	like($got->{out}, qr/^  Q2C in all +1  4\.13ms/m, '... are Q2C');
	unlike($got->{out}, qr/^  [DG]2/m, '... and nothing else');
	is(join(' ', measured('msr')), '4128600 196300',
	   '... in tables, where D2C is null');
	like(run('btreport msr -o -')->{out},
	     qr/Imported from MSR Cambridge: response times only/,
	     '... and the page says so');
	spew("$TOP/in", $FORMATS{alibaba}[0]);
	run('btimport in -o ali');
	$got = run('btstat ali');
	like($got->{out}, qr/^I\/Os +2: 0 measured \(0%\)/m,
	     'without response times none is measured');
	like($got->{out}, qr/^vol419 write.* -  +-$/m, '... nor in flight');
	is(join(' ', measured('ali')), 'null null', '... nor in tables');
	run('btrecord msr');
	cmp_ok(-s "$TOP/msr.replay.0" // 0, '>', 0,
	       'btrecord makes a replay of it');
}

# --- bounds -------------------------------------------------------------------

# Many volumes, in memory that their number decides and not the lines'.
sub test_memory
{
	my ($most, $volumes) = (20 << 10, 1000);
	my ($peak) = (0);

	defined(my $pid = open my $to, '|-',
		"exec $PROGRAMS->{path}/btimport - -o - >/dev/null 2>$TOP/said") or
		die "btimport: $!\n";
	$to->autoflush(0);
	for my $i (1 .. $ROWS) {
		printf $to "%d,%s,%d,%d,%d\n", $i * 7919 % $volumes,
			$i % 3 ? 'W' : 'R', $i % 100_000 * 4096, 4096,
			1_577_808_000_000_000 + $i * 50;
	}
	$to->flush;
	sleep 1;
	($peak) = slurp("/proc/$pid/status") =~ /^VmHWM:\s+(\d+)/m;
	close $to;
	is(slurp("$TOP/said"), 'btimport: ' . 3 * $ROWS .
	   " events of $volumes devices\n", "$ROWS lines");
	cmp_ok($peak, '<', $most, '... in 20 MiB') or diag("$peak KiB");
}

test_formats();
test_columns();
test_faults();
test_outputs();
test_zstd();
test_interrupt();
test_order();
test_readers();
test_memory();
done_testing();
