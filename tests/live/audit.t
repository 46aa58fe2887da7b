#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# A capture audits itself: no false alarm, a reason where nothing is compared,
# and a loss that the kernel does not count.
#
#	BIN=DIR [AUDIT_RUNS=N] prove tests/live/audit.t
#
# Works in a private mount namespace, on a loop device it makes itself.
# AUDIT_RUNS are the healthy captures of each kind by each way.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib", $FindBin::Bin;
use Cwd 'abs_path';
use File::Temp 'tempdir';
use JSON::PP;
use Machine qw(enter loops name_of);
use Suite::Files qw(slurp spew);
use Suite::Run qw(find_programs run_command);
use Test::More;
use Time::HiRes qw(sleep);

my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my $RUNS = $ENV{AUDIT_RUNS} || 3;
my ($TOP, $LOOP, $NAME);

my $dirs = 0;
sub run
{
	my ($command, $dir) = @_;
	$dir ||= "$TOP/run" . $dirs++;
	mkdir $dir;
	my $got = run_command($command, $dir, $PROGRAMS);
	$got->{err} =~ s/^blktrace: relay files unavailable.*\n//m;
	return { %$got, dir => $dir };
}

sub audit
{
	my ($got, $name) = @_;
	my $file = $got->{dir} . '/' . ($name || $NAME) . '.blktrace.json';
	return -e $file ? decode_json(slurp($file))->{audit} || {} : {};
}

# --- healthy captures -------------------------------------------------------

# reads, writes, discards and flushes: a script
sub mixed
{
	my $script = "$TOP/mixed";
	spew($script, <<"END");
dd if=/dev/zero of=$LOOP bs=4k count=200 oflag=direct
dd if=/dev/zero of=$LOOP bs=64k count=50 conv=fsync
dd if=$LOOP of=/dev/null bs=128k count=50 iflag=direct
blkdiscard -o 0 -l 1M $LOOP
dd if=/dev/zero of=$LOOP bs=4k count=20 oflag=direct,dsync
END
	return "sh -c 'sh $script 2>$TOP/dd'";
}

# What is wrong with a capture to which nothing has happened.
sub faults
{
	my ($got, $busy) = @_;
	my $audit = audit($got);
	my $slack = $busy ? 65536 * ($audit->{tolerance} || 0) : 0;
	my @faults;
	push @faults, "status $got->{rc}" if $got->{rc};
	push @faults, "says $got->{err}" if $got->{err} =~ /missing/;
	push @faults, "verdict $audit->{verdict} ($audit->{reason})"
		if ($audit->{verdict} || '') ne 'complete';
	my $more = ($audit->{completed_bytes} || 0) -
		($audit->{recorded_bytes} || 0);
	push @faults, "$more bytes more were counted than recorded"
		if $more > $slack || !$busy && $more;
	push @faults, 'nothing was recorded' if !$audit->{recorded_bytes};
	return @faults;
}

# from before the first I/O to after the last
sub test_idle
{
	my ($via) = @_;
	my $script = mixed();
	my @faults;
	for (1 .. $RUNS) {
		my $got = run("blktrace --strict --via=$via $LOOP -- $script");
		push @faults, faults($got, 0);
	}
	is("@faults", '', "$via: $RUNS captures of a load have all of it");
}

# in the middle of a load of at most 64 KiB an I/O: what is completed in the
# moments of the readings may be on either side
sub test_busy
{
	my ($via) = @_;
	my $load = fork;
	if (!$load) {
		exec('fio', '--name=busy', "--filename=$LOOP", '--direct=1',
		     '--rw=randrw', '--bsrange=4k-64k', '--fsync=20',
		     '--size=64M', '--iodepth=8', '--ioengine=libaio',
		     '--time_based', '--runtime=600', "--output=$TOP/fio")
			or exit 127;
	}
	my @faults;
	my $before = slurp("/sys/block/$NAME/stat");
	sleep 0.1 while slurp("/sys/block/$NAME/stat") eq $before;
	for (1 .. $RUNS) {
		my $got = run("blktrace --strict --via=$via $LOOP -- sleep 0.4");
		push @faults, faults($got, 1);
	}
	kill TERM => $load;
	waitpid $load, 0;
	is("@faults", '', "$via: $RUNS captures amid a load are whole");
}

# --- where nothing is compared ------------------------------------------------

sub check_none
{
	my ($what, $reason, $options, $device) = @_;
	my $got = run("blktrace --strict $options $device -- sleep 0.1");
	my $audit = audit($got, name_of($device));
	is($got->{rc}, 0, "$what: status 0") or diag($got->{err});
	is($audit->{verdict}, 'none', '... nothing is compared');
	like($audit->{reason}, $reason, '... and the card says why');
}

sub test_none
{
	my ($via) = @_;
	my $iostats = "/sys/block/$NAME/queue/iostats";
	check_none('without completions', qr/completions/, "--via=$via -a issue",
		   $LOOP);
	spew($iostats, "0\n");
	check_none('iostats off', qr/iostats/, "--via=$via", $LOOP);
	spew($iostats, "1\n");
	SKIP: {
		skip('no partition can be added', 3)
			if system("addpart $LOOP 1 2048 65536 2>/dev/null") ||
			! -e "${LOOP}p1";
		check_none('a partition', qr/partition/, "--via=$via",
			   "${LOOP}p1");
		system 'delpart', $LOOP, 1;
	}
}

# --- a loss that nobody counts ------------------------------------------------

# For a second somebody else has the device trace nothing but issues.
sub disturbed
{
	my ($to) = @_;
	my $mask = "/sys/block/$NAME/trace/act_mask";
	my $script = "$TOP/disturb";
	my $all = 'read,write,flush,sync,queue,requeue,issue,complete,fs,pc,' .
		'notify,ahead,meta,discard,drv_data,fua';
	spew($script, <<"END");
fio --name=a --filename=$LOOP --direct=1 --rw=randwrite --bs=4k \\
	--rate_iops=200 --size=64M --time_based --runtime=5 --output=$TOP/fio &
sleep 1.5
echo issue >$mask
sleep 0.8
echo $all >$mask
wait
END
	return run("blktrace --strict --via=ftrace $to $LOOP -- sh $script");
}

sub test_loss
{
	my $got = disturbed('');
	my $audit = audit($got);
	is($got->{rc}, 1, '--strict: status 1');
	like($got->{err}, qr/^blktrace: --strict: /m, '... and says why');
	like($got->{out}, qr/\(dropped 0\)/, '... though nothing was dropped');
	my $counts = qr/device completed (\d+) I\/Os, trace has (\d+)/;
	my $times = qr/(\d+) missing between (\d+\.\d) and (\d+\.\d) s/;
	my @said = $got->{err} =~ /^blktrace: $NAME: $counts: $times$/m;
	is(scalar @said, 5, 'the loss is reported') or diag($got->{err});
	is($said[0] - $said[1], $said[2], '... its numbers add up');
	cmp_ok($said[2], '>', 80, '... about as many as there were');
	cmp_ok($said[4] - $said[3], '<=', 3.1, '... and within what time');
	is($audit->{verdict}, 'missing', 'the card has it');
	is($audit->{missing}, $said[2], '... with as many');
	is($audit->{missing_bytes}, 4096 * $said[2], '... and bytes');
	check_readers($got->{dir}, $NAME, $said[2]);
}

# what readers make of it
sub check_readers
{
	my ($dir, $trace, $missing) = @_;
	my $shown = run("blkparse -q $trace", $dir)->{out};
	like($shown, qr/ m +N blktrace: \d+ events missing since \d+\.\d{9}/,
	     'blkparse shows a message');
	my ($lost, $up) = run("btstat $trace", $dir)->{out} =~
		/^lost +(\d+) of \d+ records .*up to (\d+) I.Os/m;
	cmp_ok($lost || 0, '>=', $missing, 'btstat: it is lost');
	cmp_ok($up || 0, '>=', $missing, '... and bounds have it');
}

# a pipe's reader has it from the stream, as it has no card
sub test_pipe
{
	my $dir = "$TOP/pipe";
	mkdir $dir;
	my $got = disturbed("-o - ");
	my ($missing) = $got->{err} =~ /: (\d+) missing between/;
	is($got->{rc}, 1, 'a pipe: status 1');
	cmp_ok($missing || 0, '>', 80, '... and the loss is reported');
	spew("$dir/stream", $got->{out});
	check_readers($dir, '-i stream', $missing);
}

my ($hindrance) = enter();
plan skip_all => $hindrance if $hindrance;
plan skip_all => 'no fio' if system 'fio --version >/dev/null 2>&1';
$TOP = tempdir('audit.XXXXXX', TMPDIR => 1, CLEANUP => 1);
($LOOP) = loops($TOP, 1);
$NAME = name_of($LOOP);

my @ways = 'ftrace';
push @ways, 'bpf'
	if !run("blktrace --via=bpf $LOOP -- true")->{rc};
test_idle($_) for @ways;
# amid a load eBPF now and then misses a burst of completions: a true loss
test_busy('ftrace');
test_none($ways[-1]);
test_loss();
test_pipe();
done_testing();
