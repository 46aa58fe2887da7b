#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# The flight recorder: nothing is written until something happens, and then
# once, with what was before it.
#
#	BIN=DIR prove tests/live/recorder.t
#
# Works in a private mount namespace, on loop devices it makes itself.  A read
# fails where the file of the loop device has been cut off.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib", "$FindBin::Bin/../hostile", $FindBin::Bin;
use Cwd 'abs_path';
use File::Temp 'tempdir';
use JSON::PP;
use Machine qw(enter loops wait_tracing);
use Process;
use Suite::Files 'slurp';
use Suite::Run qw(find_programs run_command);
use Test::More;
use Time::HiRes qw(sleep time);

my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my $END = 30;
my ($SECTOR, $SIZE) = (80000, 64 << 20);	# which read fails; of the disk
my $RING = 8 << 20;	# bytes
my $NOTES = 64;		# of a run on a CPU, less than that
my $BESIDE = 48 << 20;	# bytes of memory that a recorder may take
my $CPUS = () = glob '/sys/devices/system/cpu/cpu[0-9]*/topology';
my $TOP;

my $dirs = 0;
sub new_dir
{
	my $dir = "$TOP/run" . $dirs++;
	mkdir $dir or die "$dir: $!\n";
	return $dir;
}

sub start
{
	my ($dir, $loop, @words) = @_;
	my @ring = grep({ /^--ring/ } @words) ? () : '--ring=8M';
	my $run = Process->start(['blktrace', '--via=ftrace', @ring, '-D',
		"$dir/dumps", @words, $loop], $dir, $PROGRAMS->{path});

	wait_tracing($run->pid) or die "no trace\n";
	return $run;
}

# Reads of 4 KiB on every CPU, ten times a second, for that long.
sub load
{
	my ($loop, $seconds) = @_;

	for (1 .. $seconds * 10) {
		for my $cpu (0 .. $CPUS - 1) {
			system "taskset -c $cpu dd if=$loop of=/dev/null bs=4k" .
				' count=10 iflag=direct 2>/dev/null';
		}
		sleep 0.1;
	}
}

# one read that fails
sub fail_read
{
	my ($loop) = @_;
	my $disk = $loop->{disk};

	truncate $disk, $SIZE / 2 or die "truncate: $!\n";
	system "dd if=$loop->{path} of=/dev/null bs=4k count=1 iflag=direct" .
		' skip=' . $SECTOR / 8 . ' 2>/dev/null';
	truncate $disk, $SIZE or die "truncate: $!\n";
}

sub dumps
{
	my ($dir) = @_;
	return sort glob "$dir/dumps/*";
}

sub cause
{
	my ($dump) = @_;
	my $restored = new_dir();

	if ($dump =~ /\.btz/) {
		run_command("btpack -d -D $restored $dump", $TOP, $PROGRAMS);
		$dump = $restored;
	}
	return decode_json(slurp("$dump/cause.json"));
}

# seconds from the first to the last event of each file
sub spans
{
	my ($dump) = @_;
	my (%first, %last);
	my $got = run_command("blkparse -q -f '\@%c %T.%t\\n' $dump", $TOP,
			      $PROGRAMS);

	for ($got->{out} =~ /^\@(\d+ [\d.]+)$/mg) {
		my ($cpu, $time) = split;
		$first{$cpu} //= $time;
		$last{$cpu} = $time;
	}
	return map { $last{$_} - $first{$_} } sort keys %first;
}

sub resident
{
	my ($pid) = @_;
	return slurp("/proc/$pid/status") =~ /^VmHWM:\s+(\d+)/m ?
		$1 << 10 : undef;
}

# sectors written to the disk, by its own count
sub written
{
	my ($name) = @_;
	return (split ' ', slurp("/sys/block/$name/stat"))[6];
}

# --- tests --------------------------------------------------------------------

sub check_dump
{
	my ($dump, $run) = @_;
	my $cause = cause($dump);
	my $got = run_command("btstat --where error --top=3 $dump", $TOP,
			      $PROGRAMS);
	my @spans = spans($dump);

	is($cause->{trigger}, 'error', 'it is about the error');
	is($cause->{value}, 'errno 5', 'with its number');
	is($cause->{io}{sector}, $SECTOR, 'and its place');
	is($cause->{also_count}, 0, 'nothing else became true');
	is($cause->{dropped}, 0, 'nothing was dropped');
	is($cause->{blind_ms}, 0, 'all was watched');
	is(scalar @spans, $CPUS, 'each CPU is there');
	is((scalar grep { $_ < 10 || $_ > 13 } @spans), 0,
	   'each from 10 s before it') or diag("@spans");
	is(() = glob("$dump/*.blktrace.json"), 1, 'with the card of the machine');
	is($got->{rc}, 0, 'btstat reads it');
	like($got->{out}, qr/^cause +error: errno 5 at \d/m, 'with the cause');
	is(run_command("btreport -o page.html $dump", $TOP, $PROGRAMS)->{rc},
	   0, 'btreport reads it');
	like(slurp("$TOP/page.html"), qr/trigger was error: errno 5 at/,
	     'with the cause');
	like($got->{out}, qr/loop\S+ +read +$SECTOR +4.00K/m,
	     'and lists the io that failed') or diag($got->{out});
	like(run_command("blkparse $dump", $TOP, $PROGRAMS)->{out},
	     qr/^Skips: 0 /m, 'nothing is missing');
}

sub test_error
{
	my ($loop) = @_;
	my $dir = new_dir();
	my $run = start($dir, $loop->{path}, '--on=error', '--on=age>20s');

	load($loop->{path}, 12);
	is(scalar(() = dumps($dir)), 0, 'healthy load: no dump');
	fail_read($loop);
	load($loop->{path}, 5);
	my @dumps = dumps($dir);
	is(scalar @dumps, 1, 'an error: one dump');
	unlike("@dumps", qr/partial/, 'which is whole');
	cmp_ok(resident($run->pid), '<=', $RING + $BESIDE, 'memory is bounded');
	kill INT => $run->pid;
	is($run->finish($END), 0, 'it ends well');
	check_dump($dumps[0]);
}

sub test_silent
{
	my ($loop) = @_;
	my $dir = new_dir();
	my $before = written($loop->{name});
	my $run = start($dir, $loop->{path}, '--on=q2c>1m');

	load($loop->{path}, 3);
	is(written($loop->{name}), $before, 'nothing is written');
	is(join(' ', dumps($dir)), '', 'there is no dump');
	kill TERM => $run->pid;
	is($run->finish($END), 0, 'and none at the end');
	is(join(' ', dumps($dir)), '', 'as nothing asks for one');
}

sub test_signal_and_exit
{
	my ($loop) = @_;
	my $dir = new_dir();
	my $run = start($dir, $loop->{path}, '--on=exit', '--every=0s',
			'--before=1s', '--after=0s', '-z');

	load($loop->{path}, 2);
	kill USR1 => $run->pid;
	load($loop->{path}, 2);
	kill INT => $run->pid;
	is($run->finish($END), 0, 'SIGUSR1, exit: it ends well');
	my @causes = map { cause($_) } dumps($dir);
	is(join(' ', map { $_->{trigger} } @causes), 'SIGUSR1 exit',
	   'a dump of each');
	is((scalar grep { $_ > 2.5 } map { spans($_) } dumps($dir)), 0,
	   'from a second before');
	is((scalar grep { !/\.gz$|json$/ } map { glob "$_/*" } dumps($dir)), 0,
	   '-z: its files are packed');
}

# an error on every io: one dump, all others counted
sub test_storm
{
	my ($loop) = @_;
	my $dir = new_dir();
	my $run = start($dir, $loop->{path}, '--on=error', '--after=1s');

	for (1 .. 20) {
		fail_read($loop);
		sleep 0.2;
	}
	kill INT => $run->pid;
	is($run->finish($END), 0, 'many errors: it ends well');
	my @dumps = dumps($dir);
	is(scalar @dumps, 1, 'one dump');
	my ($counted) = $run->errors =~ /(\d+) triggers were only counted/;
	is(1 + cause($dumps[0])->{also_count} + ($counted // 0), 20,
	   'all others are counted');
}

# A disk of four blocks: what is whole stays, the cause says so, and recording
# goes on until it is told to end.
sub test_full
{
	my ($loop) = @_;
	my $dir = new_dir();

	mkdir "$dir/dumps" or die "mkdir: $!\n";
	system "mount -t tmpfs -o size=16k none $dir/dumps" and die "mount\n";
	my $run = start($dir, $loop->{path}, '--on=error', '--after=1s');
	load($loop->{path}, 2);
	fail_read($loop);
	load($loop->{path}, 3);
	ok($run->runs, 'a full disk: recording goes on');
	kill INT => $run->pid;
	is($run->finish($END), 1, 'the status says so');
	my @dumps = dumps($dir);
	like("@dumps", qr/^\S+\.partial$/, 'the dump is not whole');
	is(cause($dumps[0])->{incomplete}, 'No space left on device',
	   'the cause has that');
	like($run->errors, qr/\.partial is not whole: No space left/,
	     'and so has standard error');
	is(run_command("blkparse $dumps[0]", $TOP, $PROGRAMS)->{rc}, 0,
	   'what there is can be read');
	system "umount $dir/dumps";
}

# --- packed, and full ---------------------------------------------------------

# Reads of so many MiB, six events of 4 KiB each, slow enough to be packed, which
# begins half a second later.
sub many_reads
{
	my ($loop, $size) = @_;

	system("fio --name=reads --filename=$loop --rw=randread --bs=4k" .
	       ' --direct=1 --ioengine=libaio --iodepth=16 --numjobs=2' .
	       " --rate_iops=2000 --io_size=${size}M >/dev/null 2>&1") == 0
		or die "fio: $?\n";
}

# What is wrong with a dump up to the end of the run, of which standard output
# has how many events there were, and a few notes, which have no number; and how
# many it has.
sub wrong_numbers
{
	my ($dump, $said) = @_;
	my %total = $said =~ /^ +CPU +(\d+): +(\d+) events/mg;
	my (%last, %wrong);
	my $count = 0;

	open my $in, '-|', "$PROGRAMS->{path}/blkparse -q" .
		" -f '\@%c %s %a %C\\n' $dump" or die "blkparse: $!\n";
	while (<$in>) {
		my ($cpu, $number, $action, $name) = /^\@(\d+) (\d+) (\w+) (.*)/
			or next;
		$wrong{"CPU $cpu: $number behind $last{$cpu}"} = 1
			if defined $last{$cpu} && $number != $last{$cpu} + 1;
		$wrong{"Q by $name"} = 1 if $action eq 'Q' && $name ne 'fio';
		$last{$cpu} = $number;
		$count++;
	}
	close $in or $wrong{"blkparse: $?"} = 1;
	for (keys %last) {
		$wrong{"CPU $_: up to $last{$_} of $total{$_}"} = 1
			unless $last{$_} <= $total{$_} &&
			       $last{$_} + $NOTES > $total{$_};
	}
	return ($count, sort keys %wrong);
}

# More than it has room for, most of it packed: the last of it is there to the
# end, without a hole, with names that were noted before it; and the end, which
# takes no longer than it may.
sub test_packed
{
	my ($loop, $pack, $ring, $reads, $times) = @_;
	my $dir = new_dir();
	my $run = start($dir, $loop->{path}, "--ring=${ring}M", $pack,
			'--on=exit', '--before=1m', '--after=0s');

	many_reads($loop->{path}, $reads);
	my $began = time;
	kill INT => $run->pid;
	is($run->finish($END), 0, "$pack, a full ring: it ends well");
	my $took = time - $began;
	my @dumps = dumps($dir);
	is(scalar @dumps, 1, "$pack, a full ring: one dump") or return;
	unlike("@dumps", qr/partial/, 'which is whole');
	my $cause = cause($dumps[0]);
	my ($count, @wrong) = wrong_numbers($dumps[0], $run->text);
	diag(sprintf '%d events of %.1f s, written in %.1f s', $count,
	     ($cause->{to} - $cause->{from}) / 1e9, $took);
	is("@wrong", '', 'all of it up to the end, with names');
	is($cause->{dropped}, 0, 'nothing was dropped');
	is($cause->{whole_from}, $cause->{from}, 'nothing went meanwhile');
	ok($cause->{ring_reach}, 'the ring was full');
	like($run->errors, qr/the ring reaches back only \S+ s/,
	     'which was said');
	cmp_ok($count, '>', $times * ($ring << 20) / 48,
	       'it has more than it would');
}

my ($reason) = enter();
plan skip_all => $reason if $reason;
$TOP = tempdir('recorder.XXXXXX', TMPDIR => 1, CLEANUP => 1);
my ($path) = loops($TOP, 1);
my $loop = { path => $path, name => $path =~ s{.*/}{}r,
	     disk => "$TOP/disk.0" };

test_error($loop);
test_silent($loop);
test_signal_and_exit($loop);
test_storm($loop);
test_full($loop);
SKIP: {
	skip 'no fio', 1 if system 'fio --version >/dev/null 2>&1';
	test_packed($loop, '-z', 2, 80, 1.5);
	test_packed($loop, '--pack', 1, 160, 6);
}
done_testing;
