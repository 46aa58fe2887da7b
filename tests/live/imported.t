#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# What btimport has made of other recordings is replayed on a real device, by
# btreplay and by fio: as many reads and writes, and as many bytes.  What perf
# records here next to blktrace are the same I/Os.
#
#	BIN=DIR prove tests/live/imported.t
#
# Works on a loop device that it makes itself.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib", $FindBin::Bin;
use Cwd 'abs_path';
use File::Temp 'tempdir';
use Machine qw(enter loops name_of);
use Suite::Files qw(slurp spew);
use Suite::Pairs qw(ios compare %ENOUGH);
use Suite::Run qw(find_programs run_command);
use Test::More;

my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my $IOS = 200;
my $MOST = 16;			# of 4 KiB
my $SIZE = 128;			# of the device, MiB
my ($TOP, $LOOP);

srand($ENV{SEED} || 1);

sub run
{
	return run_command($_[0], $TOP, $PROGRAMS);
}

# a file as those of MSR Cambridge, 20 ms long
sub make_msr
{
	my $time = 128166372003061629;

	spew("$TOP/msr.csv", join '', map {
		$time += int rand 2000;
		sprintf "%d,web,0,%s,%d,%d,%d\n", $time,
			rand() < 0.5 ? 'Read' : 'Write',
			4096 * int(rand 16000), 4096 * (1 + int rand $MOST),
			500 + int rand 5000;
	} 1 .. $IOS);
}

# [reads, their sectors, writes, their sectors] of the device so far
sub counters
{
	my @words = split ' ', slurp('/sys/block/' . name_of($LOOP) . '/stat');
	return [@words[0, 2, 4, 6]];
}

# what a command adds to them
sub done_by
{
	my ($command) = @_;
	my $before = counters();
	my $got = run($command);
	my $after = counters();

	is($got->{rc}, 0, $command) or diag($got->{out}, $got->{err});
	return [map { $after->[$_] - $before->[$_] } 0 .. 3];
}

# the same of a trace's issues, without what the kernel merges or splits
sub sectors_of
{
	my ($name) = @_;
	my %sectors = (R => 0, W => 0);

	my $got = run("blkparse -q $name -a issue -f '%d %n\\n'");

	for (split /\n/, $got->{out}) {
		$sectors{$1} += $2 if /^([RW])S* (\d+)/;
	}
	return \%sectors;
}

sub test_replay
{
	my ($file) = @_;
	my $name = $file =~ s/\..*//r;
	my $got = run("btimport $file -o $name");

	return diag('no libtraceevent here')
		if $got->{err} =~ /without libtraceevent/;
	is($got->{rc}, 0, "$file: imported") or diag($got->{err});
	my $want = sectors_of($name);
	cmp_ok($want->{R}, '>', 0, '... with reads');
	is(run("btrecord $name")->{rc}, 0, '... recorded for a replay');
	spew("$TOP/map", "$name " . name_of($LOOP) . "\n");
	my $did = done_by("btreplay -W -M map $name");
	is("@$did[1, 3]", "$want->{R} $want->{W}", '... as many sectors');

	run("btimport $file -o - >$name.bin");
	# one I/O at a time: fio keeps no order between others
	$did = done_by("fio --name=x --read_iolog=$name.bin" .
		       " --replay_redirect=$LOOP --replay_no_stall=1" .
		       ' --direct=1 --ioengine=psync');
	is("@$did[1, 3]", "$want->{R} $want->{W}", '... as many sectors');
}

# perf and blktrace at once; on a machine that does more than this, some times
# differ by as long as it did that between the two.  Events of the page cache,
# which perf's own writing makes, are left out, and buffers are large: perf does not
# always tell what it loses.
sub test_pairs
{
	my $started = '[ -s perf.data ] && grep -q stop rec.err';
	my $events = join ' ', map { "-e 'block:block_$_'" } 'bio_*', 'rq_*',
		'getrq', 'plug', 'unplug', 'split';
	my $got = run("perf record -q -a -k mono -m 4096 $events -o perf.data & P=\$!;" .
		      "blktrace $LOOP -o rec >rec.out 2>rec.err & B=\$!;" .
		      "for i in \$(seq 300); do $started && break; sleep 0.1; done;" .
		      "fio --name=x --filename=$LOOP --rw=randrw --bs=4k --size=8M" .
		      ' --direct=1 --ioengine=libaio --iodepth=8 --fsync=32;' .
		      'sleep 0.5; kill -INT $B $P; wait $B; wait $P');

	return diag("perf does not record here: $got->{err}")
		unless -s "$TOP/perf.data";
	$got = run('btimport perf.data -o of-perf');
	is($got->{rc}, 0, 'perf.data: is read') or diag($got->{err});
	my $name = -d "$TOP/of-perf" ? 'of-perf/' . name_of($LOOP) : 'of-perf';
	my $same = compare(map {
		[ios(run("btexport --format=csv --table=ios $_")->{out})]
	} $name, 'rec');
	cmp_ok($same->{pairs}, '>=', 2048, '... and has the I/Os of blktrace');
	is($same->{alone}{$_}, 0, "... and none is alone in the $_")
		for 'first', 'second';
	for my $column (sort keys %{$same->{times}}) {
		my $by = $same->{times}{$column}{by};
		my $near = grep { $_ <= $ENOUGH{near} } @$by;
		cmp_ok($near, '>=', 0.9 * @$by, "... with $column within 5us");
		diag("$column: $near of " . @$by . ' within 5us');
	}
}

my ($reason) = enter();
plan skip_all => $reason if $reason;
plan skip_all => 'no fio' unless `fio --version` =~ /^fio/;
$TOP = tempdir('imported.XXXXXX', TMPDIR => 1, CLEANUP => 1);
($LOOP) = loops($TOP, 1, $SIZE);
make_msr();
system("xz -dc $FindBin::Bin/../data/import/direct.perf.data.xz " .
       ">$TOP/perf.data") == 0 or die "xz: $?\n";
test_replay($_) for 'msr.csv', 'perf.data';
unlink "$TOP/perf.data";
test_pairs();
done_testing();
