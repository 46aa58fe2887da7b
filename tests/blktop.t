#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# blktop's numbers against btstat's, which come by another way: those of each
# interval, and of each row; then names that hurt, and a pipe that lives.
#
#	BIN=DIR prove tests/blktop.t
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/hostile";
use Cwd 'abs_path';
use File::Temp 'tempdir';
use JSON::PP;
use List::Util 'sum0';
use Process qw(patience wait_taken);
use Suite::Files qw(slurp spew unpack_set);
use Suite::Run qw(find_programs run_command);
use Test::More;

my $HERE = $FindBin::Bin;
my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));

# short and long traces, with losses, errors, devices on devices, without Q
my @TRACES = qw(smp4-mixed-procs hot-lossy dm-linear-3dev scsidbg-mediumerr
		mask-issue-complete zoned-basic split-large cgroup-mqdl);

sub output
{
	my ($command, $dir) = @_;
	my $got = run_command($command, $dir, $PROGRAMS);

	is("$got->{rc} $got->{err}", '0 ', $command);
	return $got->{out};
}

sub json_lines
{
	return map { decode_json($_) } split /\n/, $_[0];
}

sub csv_rows
{
	my ($head, @lines) = map { [split /,/, $_, -1] } split /\n/, $_[0];
	return map {
		my %row;
		@row{@$head} = @$_;
		\%row
	} @lines;
}

# these columns of rows, a line each
sub columns
{
	my ($rows, @names) = @_;
	return join '', map {
		my $row = $_;
		join(' ', map { $row->{$_} // '' } @names) . "\n"
	} @$rows;
}

# --- numbers -----------------------------------------------------------------

sub test_intervals
{
	my ($name, $all, $dir, $devices) = @_;
	my @names = qw(time_ns length_ns ios bytes errors depth_ns depth_most
		       busy_ns p50_ns p99_ns max_ns);
	my @want = csv_rows(output(
		"btstat --interval=20ms --format=csv $devices", $dir));
	my @got = grep { $_->{row} eq 'interval' } @$all;

	is(columns(\@got, @names), columns(\@want, @names),
	   "$name: intervals are btstat's");
}

# Each row by itself, and all of an interval together.
sub test_rows
{
	my ($name, $all, $dir, $devices) = @_;
	my @names = qw(time_ns process ios bytes errors);
	# those that ended: btstat's rows also have the others
	my $json = decode_json(output('btstat --by=interval,process'
		. " --where 'total>=0ns' --interval=20ms --format=json"
		. " $devices", $dir));
	my %want = map { columns([$_], @names) => 1 } grep { $_->{ios} }
		@{$json->{tables}{sums}};
	my (%got, %ios);

	for my $row (@$all) {
		my $sign = $row->{row} eq 'interval' ? 1 : -1;
		$ios{$row->{time_ns}} += $sign * $row->{ios};
		$got{columns([$row], @names)} = 1 if $sign < 0;
	}
	is(join('', sort keys %got), join('', sort keys %want),
	   "$name: rows are btstat's");
	is(join(' ', grep { $ios{$_} } sort keys %ios), '',
	   "$name: an interval is the sum of its rows");
}

sub test_trace
{
	my ($name) = @_;
	my $dir = tempdir('blktop.XXXXXX', TMPDIR => 1, CLEANUP => 1);

	unpack_set("$HERE/data/$name", $dir);
	my %devices = map { m{([^/]+)\.blktrace\.\d+\z} ? ($1 => 1) : () }
		glob "\Q$dir\E/*";
	my $devices = join ' ', sort keys %devices;
	# devices that are late are test_late's
	my @all = grep { $_->{row} ne 'late' } json_lines(output(
		"blktop --interval=20ms --format=json $devices", $dir));
	test_intervals($name, \@all, $dir, $devices);
	test_rows($name, \@all, $dir, $devices);
}

# --- names -------------------------------------------------------------------

my $MAGIC = 0x65617407;
my %ACTION = (Q => 0x00110001, G => 0x00110004, D => 0x01410007,
	      C => 0x01810008, NAME => 0x04000000,
	      CLOCK => 0x04000001);
my $number = 0;

# an event of 4 KiB by a process, at a sector, and a time in seconds
sub event
{
	my ($action, $seconds, $sector, $pid, $payload, $minor) = @_;
	$payload //= '';
	my $note = $action =~ /^(?:NAME|CLOCK)\z/;
	return pack('L L Q Q L L L L L S S', $MAGIC,
		    $note ? 0 : ++$number, 1e9 + 1e9 * $seconds,
		    $sector, $note ? 0 : 4096, $ACTION{$action},
		    $pid, 8 << 20 | ($minor // 0), 0, 0, length $payload) .
	       $payload;
}

# a whole io of 1 ms
sub io
{
	my ($seconds, $sector, $pid) = @_;
	return join '', map { event($_->[0], $seconds + $_->[1], $sector, $pid) }
		['Q', 0], ['G', 1e-6], ['D', 2e-6], ['C', 1e-3];
}

# 300 names with all bytes that a terminal would act upon: none comes out.
sub test_names
{
	my $dir = tempdir('blktop.XXXXXX', TMPDIR => 1, CLEANUP => 1);
	my @hurt = (map({ chr } 1 .. 31, 127 .. 159), "\e[2J", "\e]0;x\a",
		    "\xc2\x9b2J");
	my $trace = '';

	for my $pid (1 .. 300) {
		my $name = $hurt[$pid % @hurt] . "n$pid";
		$trace .= event('NAME', 0.001 * $pid, 0, $pid,
				substr($name . "\0" x 16, 0, 16));
		$trace .= io(0.001 * $pid, 8 * $pid, $pid);
	}
	spew("$dir/sda.blktrace.0", $trace);
	my $text = output("LC_ALL=C.UTF-8 blktop -b sda", $dir);
	unlike($text, qr/[\x00-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]/,
	       'no control characters come out');
	is(scalar(() = $text =~ /n\d+ /g), 300, 'all names are there');
	my @rows = json_lines(output("blktop --format=json sda", $dir));
	is(scalar(@rows), 301, 'json is json');
}

# --- what counts as what -----------------------------------------------------

# Discards move no data, and empty flushes make no write smaller.
sub test_data
{
	my $dir = tempdir('blktop.XXXXXX', TMPDIR => 1, CLEANUP => 1);

	unpack_set("$HERE/data/smp4-ext4-discard-mount", $dir);
	my @rows = grep { $_->{row} ne 'interval' } json_lines(output(
		'blktop -d 10 --format=json --by=process vdb', $dir));
	my %by = map { $_->{process} => $_ } @rows;
	is($by{fstrim}{bytes}, 0, 'fstrim moves no data');
	my ($text) = output('blktop -b -d 10 --by=process vdb', $dir);
	# 23 writes of 64K and two flushes that carry nothing
	like($text, qr/^dd +\S+ +\S+ +51\.\dK /m, 'a mean size is of I/Os with data');
	like($text, qr/^queue depth [\d.]+, .*  other [\d.]+\/s\n/m,
	     'the head has no bytes of discards, and its depth a name');
	my ($op) = grep { $_->{op} eq 'discard' } grep { $_->{op} } json_lines(
		output('blktop -d 10 --format=json --by=op vdb', $dir));
	is($op->{bytes}, 119215104 + 786432, 'discards have theirs');
}

# Where only issues and completions are traced, flushes are the kernel's requests:
# they count apart, with their mean time.  A filter counts them as well.
sub test_flushes
{
	my $dir = tempdir('blktop.XXXXXX', TMPDIR => 1, CLEANUP => 1);
	my @flush = (0x01450007, 0x01850008);	# D, C of FN
	my $of = sub {
		my ($n, $us) = @_;
		return pack 'L L Q Q L L L L L S S', $MAGIC, ++$number,
			1e9 + 1e3 * $us, 0, 0, $flush[$n], 9, 8 << 20, 0, 0, 0;
	};

	spew("$dir/sda.blktrace.0", join '', map {
		my $us = 100000 * $_;
		(event('D', 0.1 * $_, 8 * $_, 7), event('C', 0.1 * $_ + 1e-4,
			8 * $_, 7), $of->(0, $us + 2000), $of->(1, $us + 10000))
	} 0 .. 4);
	like(output('blktop -b sda', $dir), qr{^queue depth .*  flush [\d.]+/s 8\.00ms$}m,
	     'flushes and their mean time');
	my ($all) = json_lines(output('blktop --format=json sda', $dir));
	is("$all->{ios} $all->{flush_ios} $all->{flush_requests}", '5 0 5',
	   '... are no I/Os');
	unlike(output("blktop -b --where op==write sda", $dir), qr/ flush [1-9]/,
	       '... and of no process that writes');
	unpack_set("$HERE/data/smp4-ext4-discard-mount", $dir);
	($all) = json_lines(output('blktop -d 10 --format=json vdb', $dir));
	my @lines = split /\n/, output("blkparse -q -f '%a %d %n\\n' vdb", $dir);
	is("$all->{flush_ios} $all->{flush_requests}",
	   join(' ', map { my $line = $_; scalar grep { /^$line$/ } @lines }
		'Q FWS 0', 'C FN 0'), 'flushes that were queued are I/Os, too');
}

# --- a pipe ------------------------------------------------------------------

# Tables come while the pipe is open; a signal shows what is left.
sub test_pipe
{
	my $dir = tempdir('blktop.XXXXXX', TMPDIR => 1, CLEANUP => 1);

	pipe my $in, my $into or die "pipe: $!\n";
	my $run = Process->start([qw(blktop -i - -d 0.2 --format=json
				     --by=device)],
				 $dir, $PROGRAMS->{path}, in => $in);
	close $in;
	syswrite $into, join '', map { io(0.1 * $_, 8 * $_, 7) } 1 .. 9;
	my $text = $run->read_until(qr/\A(?:[^\n]*\n){6}/);
	my @rows = json_lines($text =~ /\A((?:[^\n]*\n){6})/ ? $1 : '');
	is(columns([grep { $_->{row} eq 'interval' } @rows],
		   qw(time_ns ios)),
	   "0 2\n200000000 2\n400000000 2\n",
	   'tables come while the pipe is open');
	wait_taken($into);
	# all are read, but a slow machine may be at the seventh
	sleep patience(0.5);
	$run->signal('INT');
	is($run->finish, 0, 'a signal ends it well');
	is(sum0(map { $_->{row} eq 'interval' ? $_->{ios} : 0 }
		json_lines($run->{text})), 9, 'all that was read is shown');
}

# --- a disk that answers nothing ---------------------------------------------

# ten ios that complete, then four of another process that never do, from 0.5 s
sub hung
{
	return join '', event('NAME', 0, 0, 7, "fio" . "\0" x 13),
		event('NAME', 0, 0, 9, "postgres" . "\0" x 8),
		map({ io(0.04 * $_, 8 * $_, 7) } 1 .. 10),
		map({ my $k = $_; map { event($_, 0.5 + 0.01 * $k,
			81920 + 8 * $k, 9) } qw(Q G D) } 0 .. 3);
}

# Nothing comes any more, and within two seconds after the first is a second
# old the device is named, with text and with JSON, however long an interval is.
sub test_late
{
	for my $o (['-b -d 0.5', qr/^(8,0): in flight 4, oldest [\d.]+s \(read, sector 81920, postgres\)$/m],
		   ['-b -d 60', qr/^(8,0): in flight 4, oldest [\d.]+s \(read, sector 81920, postgres\)$/m],
		   ['--format=json -d 60', qr/^(\{"row":"late".*)$/m]) {
		my $dir = tempdir('blktop.XXXXXX', TMPDIR => 1, CLEANUP => 1);
		my ($options, $wanted) = @$o;
		my $begun = time;

		pipe my $in, my $into or die "pipe: $!\n";
		my $run = Process->start(['blktop', '-i', '-',
			split / /, $options], $dir, $PROGRAMS->{path},
			in => $in);
		close $in;
		syswrite $into, hung();
		my $text = $run->read_until($wanted);
		my $took = time - $begun;
		ok($text =~ $wanted, "blktop $options: names it");
		cmp_ok($took, '<=', patience(4), '... in time');
		$run->signal('INT');
		$run->finish;
		next unless $options =~ /json/;
		my $row = decode_json($text =~ $wanted ? $1 : '{}');
		is(join(' ', map { $_ // '-' } @{$row}{qw(disk in_flight op
			sector process)}), '8,0 4 read 81920 postgres',
		   '... with its numbers');
		cmp_ok($row->{oldest_ns}, '>=', 1e9, '... when it is a second old');
	}
}

# Another disk goes on: the one that hangs is the first line of each sample, and
# of a recorded trace, too, from the interval on in which it is a second old.
sub test_late_recorded
{
	my $dir = tempdir('blktop.XXXXXX', TMPDIR => 1, CLEANUP => 1);
	my $trace = hung();

	spew("$dir/sda.blktrace.0", $trace);
	$number = 0;
	spew("$dir/sdb.blktrace.0", join '', map { my $at = 0.1 * $_;
		map { event($_->[0], $at + $_->[1], 8 * $at, 7, '', 16) }
			['Q', 0], ['G', 1e-6], ['D', 2e-6], ['C', 1e-3] }
		1 .. 39);
	my @samples = split /\n\n(?=\S+: |blktop)/, output(
		'LC_ALL=C.UTF-8 blktop -b sda sdb', $dir);
	is(scalar @samples, 4, 'four intervals');
	is(join('', map { /\A(?:sda: (.*)\n)?blktop/ ? ($1 // '-') . "\n" : '?'
		} @samples), <<'END', 'the disk that hangs comes first');
-
in flight 4, oldest 1.54s (read, sector 81920, postgres)
in flight 4, oldest 2.54s (read, sector 81920, postgres)
in flight 4, oldest 3.40s (read, sector 81920, postgres)
END
	my @rows = json_lines(output('blktop --format=json sda sdb', $dir));
	is(join(' ', map { $_->{in_flight} } grep { $_->{row} eq 'interval' }
		@rows), '4 4 4 4', '... and its I/Os are counted');
	is(join(' ', map { int($_->{depth_ns} / $_->{length_ns}) } grep {
		$_->{row} eq 'interval' } @rows), '2 4 4 4',
	   '... in the queue depth, though they do not end');
	is(join(' ', map { $_->{depth_most} . $_->{depth_exact} } grep {
		$_->{row} eq 'interval' } @rows), '51 51 51 51',
	   '... at the device, too');
}

# A device that goes on has not got a request that it did not complete: its
# completion may be lost, and the depth is what is known at least.
sub test_missing
{
	my $dir = tempdir('blktop.XXXXXX', TMPDIR => 1, CLEANUP => 1);

	spew("$dir/sda.blktrace.0", join '', event('Q', 0, 8, 7),
		event('D', 0, 8, 7), map { io(0.1 * $_, 16 * $_, 7) } 1 .. 39);
	my @rows = grep { $_->{row} eq 'interval' }
		json_lines(output('blktop --format=json sda', $dir));
	is(scalar(grep { !$_->{depth_exact} && $_->{depth_most} == 1 } @rows), 4,
	   'one completion is lost');
}

# --- devices -----------------------------------------------------------------

# dm, md and zram make no requests: their I/Os are seen when they are queued
sub few_more
{
	my $place = '/sys/dev/block/' . join ':',
		map { ($_ >> 8 & 0xfff, $_ & 0xff) } (stat $_[0])[6];
	return -e "$place/mq" || -e "$place/../mq" ? '' : ' -a queue';
}

sub test_steps
{
	SKIP: {
		my ($bare) = grep { few_more($_) } grep { -b } glob '/dev/*';
		skip 'no device without requests', 2 unless $bare;
		my $dir = tempdir('blktop.XXXXXX', TMPDIR => 1, CLEANUP => 1);

		spew("$dir/blktrace", "#!/bin/sh\necho \"\$*\" >args\n");
		chmod 0755, "$dir/blktrace";
		output("PATH=.:\$PATH blktop -b -n 1 $bare", $dir);
		is(slurp("$dir/args"),
		   "-o - -a issue -a complete -a queue -- $bare\n",
		   'a device without requests is traced when I/Os are queued');
	}
}

# A device is traced by the blktrace that is found, which is ended when enough
# has come; what it says and how it ends is not lost.
sub test_device
{
	my ($device) = grep { -b } glob '/dev/*';
	SKIP: {
		skip 'no block device', 8 unless $device;
		my $dir = tempdir('blktop.XXXXXX', TMPDIR => 1, CLEANUP => 1);

		spew("$dir/trace", join '', map { io(0.1 * $_, 8 * $_, 7) }
		     1 .. 39);
		spew("$dir/blktrace", "#!/bin/sh\necho \"\$*\" >args\n"
		     . "trap 'echo INT >signal; exit' INT\ncat trace\n"
		     . "while :; do sleep 0.1; done\n");
		chmod 0755, "$dir/blktrace";
		my $blktop = "PATH=.:\$PATH blktop -b -d 0.5 -n 3";
		my $text = output("$blktop $device", $dir);
		is(scalar(() = $text =~ /^read 10\.0\/s/mg), 3,
		   'what is traced is shown');
		like($text, qr/\(live\).*\n.*own +[\d.]+%/, 'with its cost');
		is(slurp("$dir/args"), '-o - -a issue -a complete'
		   . few_more($device) . " -- $device\n",
		   'few steps are traced');
		is(slurp("$dir/signal"), "INT\n", 'it is ended');
		output("$blktop --steps=all $device", $dir);
		is(slurp("$dir/args"), "-o - -- $device\n", 'or all steps');
		spew("$dir/blktrace", "#!/bin/sh\necho no >&2\nexit 1\n");
		my $got = run_command("$blktop $device", $dir, $PROGRAMS);
		is("$got->{rc} $got->{err}", "1 no\n", 'its failure is ours');
		$got = run_command("$blktop $device trace", $dir, $PROGRAMS);
		like("$got->{rc} $got->{err}", qr/^1 .*together/,
		     'not together with traces');
	}
}

# Of an idle device nothing comes but its clock: intervals go on by ours, and
# the first event begins another.
sub test_idle
{
	my $dir = tempdir('blktop.XXXXXX', TMPDIR => 1, CLEANUP => 1);

	pipe my $in, my $into or die "pipe: $!\n";
	my $run = Process->start([qw(blktop -i - -d 0.5 -n 4 --format=json)],
				 $dir, $PROGRAMS->{path}, in => $in);
	close $in;
	syswrite $into, event('CLOCK', 0, 0, 0, pack('L L', 1e9, 0));
	my $text = $run->read_until(qr/\A(?:[^\n]*\n){2}/);
	is(columns([json_lines($text)], qw(time_ns length_ns ios)),
	   "0 500000000 0\n500000000 500000000 0\n",
	   'an idle device has intervals');
	syswrite $into, join '', map { io(0.3 * $_, 8 * $_, 7) } 1 .. 9;
	is($run->finish, 0, 'and an end');
	my @rows = grep { $_->{row} eq 'interval' } json_lines($run->{text});
	my ($first) = grep { $rows[$_]{ios} } 0 .. $#rows;
	is(scalar @rows, 4, '-n counts them all');
	is(join(' ', map { $_->{time_ns} } @rows),
	   '0 500000000 1000000000 1500000000', 'in one row');
	is(defined $first && $rows[$first]{ios}, 2,
	   'an event begins an interval');
}

test_trace($_) for @TRACES;
test_names();
test_data();
test_flushes();
test_pipe();
test_late();
test_late_recorded();
test_missing();
test_device();
test_steps();
test_idle();
done_testing();
