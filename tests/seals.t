#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Seals in CPUs' streams: recorded traces are sealed here, as blktrace does it.
# What release 1.3.0 prints of a trace does not change by them, and what is
# missing, changed or a lie is noticed, in every version and byte order.
#
#	BIN=DIR prove tests/seals.t
#
# REFERENCE is a directory with the programs of release 1.3.0, which read the
# sealed traces too; without it those of the distribution do, if they are there.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Cwd 'abs_path';
use File::Basename 'basename';
use File::Path 'remove_tree';
use File::Temp 'tempdir';
use IO::Compress::Gzip 'gzip';
use Suite::Files qw(slurp spew unpack_set);
use Suite::Run qw(find_programs run_command);
use Test::More;
use Time::HiRes 'time';

my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my $TOP = tempdir('seals.XXXXXX', TMPDIR => 1, CLEANUP => 1);
my $MAGIC = 0x65617400;
my ($NOTE, $SEAL) = (0x04000000, 0x04000053);
my ($OPEN, $ON, $END) = (0, 1, 2);
my $SEAL_BYTES = 48 + 40;	# of version 7
my $LATER = 2_000_000_000;	# ns: the capture ends so long after its events

srand($ENV{SEED} || 1);

# --- records -----------------------------------------------------------------

# '<' or '>', and the version, by the first record's magic
sub format_of
{
	my ($bytes) = @_;
	my ($magic) = unpack 'L<', $bytes;
	my $order = ($magic & ~0xff) == $MAGIC ? '<' : '>';
	return ($order, unpack("L$order", $bytes) & 0xff);
}

# { time, action, device, cpu, bytes } of each record; what is damaged ends it
sub records_of
{
	my ($bytes) = @_;
	my ($order, $version) = format_of($bytes);
	my ($size, $action, $device, $length) =
		$version == 8 ? (64, 32, 40, 50) : (48, 28, 36, 46);
	my ($at, @records) = (0);

	while ($at + $size <= length $bytes) {
		my $whole = $size + unpack "x$length S$order",
			substr $bytes, $at, $size;
		my $raw = substr $bytes, $at, $whole;
		last if length $raw < $whole ||
			(unpack("L$order", $raw) & ~0xff) != $MAGIC;
		my ($time) = unpack "x8 Q$order", $raw;
		my ($what) = unpack "x$action L$order", $raw;
		my ($of, $cpu) = unpack "x$device L$order L$order", $raw;
		push @records, { time => $time, action => $what,
				 device => $of, cpu => $cpu, bytes => $raw };
		$at += $whole;
	}
	return @records;
}

sub sum_of
{
	my ($bytes) = @_;
	my $words = $bytes . "\0" x (-length($bytes) % 8);
	my $sum = 0;
	use integer;
	$sum += $_ for unpack 'q<*', $words;
	return $sum;
}

# A seal as blktrace writes it, by what is in %s.
sub seal
{
	my ($o, $version, %s) = @_;
	my $payload = pack "L$o L$o Q$o Q$o q$o Q$o", @s{qw(kind streams
		records dropped sum end)};
	my $head = $version == 8 ?
		pack "L$o L$o Q$o Q$o L$o L$o Q$o L$o L$o S$o S$o x12",
			$MAGIC | 8, 0, $s{time}, 0, 0, 0, $SEAL, $s{device},
			$s{cpu}, 0, length $payload :
		pack "L$o L$o Q$o Q$o L$o L$o L$o L$o L$o S$o S$o",
			$MAGIC | 7, 0, $s{time}, 0, 0, $SEAL, 0, $s{device},
			$s{cpu}, 0, length $payload;
	return $head . $payload;
}

# The stream of a CPU, sealed after each EACH records, of a capture on a number
# of CPUs that ended at a time.
sub sealed
{
	my ($bytes, $each, $streams, $end) = @_;
	my @records = records_of($bytes);
	my %seal = (%{$records[0]}, kind => $OPEN, streams => $streams,
		    records => 0, dropped => 0, sum => 0, end => 0);
	my @format = format_of($bytes);
	my ($out, $since) = (seal(@format, %seal), '');

	for my $r (@records) {
		$out .= $r->{bytes};
		$since .= $r->{bytes};
		next if ++$seal{records} % $each;
		$out .= seal(@format, %seal, kind => $ON, time => $r->{time},
			     sum => sum_of($since));
		$since = '';
	}
	return $out . seal(@format, %seal, kind => $END, time => $end,
			   sum => sum_of($since), end => $end);
}

# the same without its seals
sub unsealed
{
	my ($bytes) = @_;
	return join '', map { $_->{bytes} }
		grep { $_->{action} != $SEAL } records_of($bytes);
}

# --- traces ------------------------------------------------------------------

# { name => bytes } of the CPUs' files of a recorded trace
sub recorded
{
	my ($set) = @_;
	my $dir = "$TOP/$set.recorded";

	mkdir $dir or die "$dir: $!\n";
	unpack_set("$FindBin::Bin/data/$set", $dir);
	my %files = map { basename($_) => slurp($_) }
		grep { -s } glob "$dir/*.blktrace.[0-9]*";
	remove_tree($dir);
	return \%files;
}

# the last event's time
sub last_time
{
	my ($last) = sort { $b <=> $a } map { $_->{time} }
		grep { !($_->{action} & $NOTE) } map { records_of($_) } @_;
	return $last;
}

# A recorded trace's files, sealed, and when the capture is said to have ended.
sub sealed_files
{
	my ($files, $each) = @_;
	my $end = last_time(values %$files) + $LATER;
	my (%streams, %sealed);

	$streams{device_of($_)}++ for keys %$files;
	$sealed{$_} = sealed($files->{$_}, $each, $streams{device_of($_)}, $end)
		for keys %$files;
	return \%sealed;
}

sub device_of
{
	return $_[0] =~ s/\.blktrace\..*//r;
}

my $dirs = 0;

# a new directory with these files
sub put
{
	my ($files) = @_;
	my $dir = "$TOP/" . $dirs++;

	mkdir $dir or die "$dir: $!\n";
	spew("$dir/$_", $files->{$_}) for keys %$files;
	return $dir;
}

sub names
{
	my ($files) = @_;
	my %devices = map { device_of($_) => 1 } keys %$files;
	return sort keys %devices;
}

# --- what 1.3.0 prints -------------------------------------------------------

# Files as one stream, each record when its time has come.
sub in_pipe
{
	my ($files) = @_;
	my @queue;

	for my $name (sort keys %$files) {
		my $time = 0;
		for my $r (records_of($files->{$name})) {
			$time = $r->{time} if $r->{time} > $time;
			push @queue, [$time, $r->{bytes}];
		}
	}
	return join '', map { $_->[1] } sort { $a->[0] <=> $b->[0] } @queue;
}

# output, errors and status of a command there, and what it has written
sub all_of
{
	my ($dir, $command, $programs) = @_;
	my $got = run_command($command, $dir, $programs);
	my @new = grep { !/\.blktrace\./ } glob "$dir/*";
	my $files = join '', map { -f $_ ? basename($_) . ":\n" . slurp($_) : '' }
		@new;

	remove_tree(@new);
	return "$got->{out}\n--- err\n$got->{err}\n--- rc $got->{rc}\n$files";
}

sub same
{
	my ($plain, $sealed, $command, $programs, $name) = @_;
	my ($a, $b) = map { all_of($_, $command, $programs) } $plain, $sealed;

	ok($a eq $b, "$name: $command") or diag("$a\n=== sealed\n$b");
}

sub commands
{
	my ($files) = @_;
	my @names = names($files);
	my $inputs = join ' ', map { "-i $_" } @names;

	return ("blkparse $inputs", "blkparse -t -s -v $inputs",
		"blkparse -w 0.001:0.02 $inputs",
		"blkparse -q -f '%a %C %D %p %T.%t %S %n\\n' $inputs",
		'blkparse -i - <pipe.blktrace.x', 'blkparse -i - -t -s <pipe.blktrace.x',
		(map { "blkrawverify $_" } @names), "btrecord @names");
}

# dumps have the seals, as other notes; nothing else differs
sub same_dump
{
	my ($plain, $sealed, $files, $programs, $name) = @_;
	my $inputs = join ' ', map { "-i $_" } names($files);
	my ($a, $b) = map {
		run_command("blkparse -q $inputs -O -d $TOP/dump", $_,
			    $programs);
		slurp("$TOP/dump");
	} $plain, $sealed;

	ok($a eq unsealed($b), "$name: a dump has seals, and is the same else");
	same($plain, $sealed, "blkparse -q $inputs -O -d dump && " .
	     'btt -i dump && rm dump', $programs, $name);
}

sub test_same
{
	my ($set, $programs, $whose) = @_;
	my $files = recorded($set);
	my ($plain, $sealed) = map { put({ %$_, 'pipe.blktrace.x' => in_pipe($_) }) }
		$files, sealed_files($files, 7);

	same($plain, $sealed, $_, $programs, "$set, $whose")
		for grep { $whose ne '1.2.0' || !/ -t / } commands($files);
	same_dump($plain, $sealed, $files, $programs, "$set, $whose");
	remove_tree($plain, $sealed);
}

# Programs of release 1.3.0, or of 1.2.0, whose -t depends on what it has read
# ahead; the suite's own say more of themselves.
sub reference
{
	my ($dir) = grep { -x "$_/blkparse" } $ENV{REFERENCE} || '/usr/bin';
	my $version = $dir ? `$dir/blkparse -V 2>&1` : '';

	return $version =~ /\A\S*blkparse version (1\.[23]\.0)\n\z/ ?
		{ dir => $dir, path => $dir, version => $1 } : undef;
}

# --- what is noticed ---------------------------------------------------------

# the head of btstat of these files, and what it says on standard error
sub btstat
{
	my ($files, $command) = @_;
	my $dir = put($files);
	my $got = run_command($command || 'btstat ' . join(' ', names($files)),
			      $dir, $PROGRAMS);

	remove_tree($dir);
	return { %$got, trace => $got->{out} =~ /^trace (.*\n(?: .*\n)*)/m,
		 lost => $got->{out} =~ /^lost +(.*(?:\n +.*)*)/m };
}

# a trace's length in seconds, as the sealed one should have it
sub seconds
{
	my ($files) = @_;
	my @times = map { $_->{time} } grep { !($_->{action} & $NOTE) }
		map { records_of($_) } values %$files;
	my ($first) = sort { $a <=> $b } @times;

	return sprintf '%.3f s', (last_time(values %$files) - $first +
				  $LATER) / 1e9;
}

# a trace that has all its records, and of which some are gone
sub test_noticed
{
	my ($set) = @_;
	my $files = recorded($set);
	my $sealed = sealed_files($files, 7);
	my $whole = btstat($sealed);

	is($whole->{err}, '', "$set: every seal matches");
	like($whole->{trace}, qr/, \Q@{[seconds($files)]}\E/,
	     '... the trace ends with the capture');
	like($whole->{lost}, qr/^none/, '... and all is there');
	test_damage($set, $sealed);
	test_cut($set, $sealed);
	test_missing($set, $sealed) if keys %$sealed > 1;
}

# the file that has the most, and its records
sub largest
{
	my ($files) = @_;
	my ($name) = sort { length $files->{$b} <=> length $files->{$a} ||
			    $a cmp $b } keys %$files;
	return ($name, records_of($files->{$name}));
}

sub test_damage
{
	my ($set, $sealed) = @_;
	my ($name, @records) = largest($sealed);
	my $changed = $records[12]{bytes};

	substr($changed, 16, 1) ^= "\x40";	# its sector
	my $got = btstat({ %$sealed, $name => join '', map { $_->{bytes} }
			   @records[0 .. 11], { bytes => $changed },
			   @records[13 .. $#records] });
	like($got->{err}, qr/\Q$name\E.*the records before have been changed/,
	     "$set: a sector that has changed is reported");
	$got = btstat({ %$sealed, $name => join '', map { $_->{bytes} }
			@records[0 .. 11], @records[13 .. $#records] });
	like($got->{err}, qr/\Q$name\E.*records are missing or too many/,
	     '... a record that is missing');
	$got = btstat({ %$sealed, $name => join '', map { $_->{bytes} }
			@records[0 .. 12], @records[12 .. $#records] });
	like($got->{err}, qr/\Q$name\E.*records are missing or too many/,
	     '... and one that is there twice');
}

# at a border of two records, where nothing else tells
sub test_cut
{
	my ($set, $sealed) = @_;
	my ($name, @records) = largest($sealed);
	my $half = join '', map { $_->{bytes} } @records[0 .. @records / 2];
	my $kept = keys %$sealed > 1 ? qr/ ends \S+ \S+ before the trace/ :
				       qr/missing: complete up to/;

	like(btstat({ %$sealed, $name => $half })->{lost}, $kept,
	     "$set: a file that was cut is noticed");
	my $packed;
	gzip(\$half, \$packed);
	my %files = (%$sealed, "$name.gz" => $packed);
	delete $files{$name};
	like(btstat(\%files)->{lost}, $kept, '... gzip\'d, too');
	like(btstat({ $name => $half })->{lost}, qr/capture is missing|no file/,
	     '... and alone') if keys %$sealed > 1;
}

sub test_missing
{
	my ($set, $sealed) = @_;
	my ($name) = largest($sealed);
	my %files = %$sealed;

	delete $files{$name};
	return unless grep { device_of($_) eq device_of($name) } keys %files;
	like(btstat(\%files)->{lost}, qr/a CPU has no file/,
	     "$set: a file that is missing is noticed");
	like(btstat({ %$sealed, $name => '' })->{lost}, qr/a CPU has no file/,
	     '... and one that is empty');
}

# a pipe's end is its newest seal's
sub test_pipe
{
	my ($set) = @_;
	my $files = recorded($set);
	my $sealed = sealed_files($files, 7);
	my $got = btstat({ pipe => in_pipe($sealed) }, 'btstat -i - <pipe');

	like($got->{trace}, qr/, \Q@{[seconds($files)]}\E/,
	     "$set: a pipe ends with its capture");
	unlike($got->{err}, qr/seal|checksum/, '... nothing is damaged');
}

# --- lies --------------------------------------------------------------------

my @WILD = (0, 1, 300, 2 ** 31, 2 ** 32 - 1, 2 ** 62, ~0 >> 1, ~0);

sub any { return $_[rand @_] }

# a seal of which nothing needs to be true
sub lie
{
	my ($version, $record) = @_;
	return seal('<', $version, %$record, time => any(@WILD, $record->{time}),
		    kind => any(0 .. 3, 2 ** 32 - 1),
		    streams => any(@WILD) & 0xffffffff,
		    map { $_ => any(@WILD, $record->{time}) }
		    qw(records dropped sum end));
}

# whatever seals say, programs end soon and well
sub test_lies
{
	my ($set, $count) = @_;
	my ($name, @records) = largest(recorded($set));
	my $version = (format_of($records[0]{bytes}))[1];
	my $device = device_of($name);

	for my $n (1 .. $count) {
		my @some = @records[0 .. 11];
		my $bytes = join '', map { $_->{bytes} . (rand 3 < 1 ?
			lie($version, $_) : '') } @some;
		my $dir = put({ $name => lie($version, $some[0]) . $bytes });
		my @slow = grep { ends_badly($dir, $_) } (
			"btstat $device", "btstat --interval=1 $device",
			"btstat --interval=1 -i - <$name",
			"btstat --where open --format=json $device",
			"blktop -i - --json <$name", "blkparse -i $device",
			"btexport --table=ios -o /dev/null $device",
			"btreport -o page.html $device");

		is("@slow", '', "lies $n of $set are survived");
		remove_tree($dir);
	}
}

sub ends_badly
{
	my ($dir, $command) = @_;
	my $started = time;
	my $got = run_command($command, $dir, $PROGRAMS);

	return $got->{late} || $got->{rc} > 1 ||
		time - $started > ($ENV{WRAP} ? 50 : 5);
}

my $reference = reference();

for my $set (qw(nvme-part-remap ext4-fsync-meta md-raid1-3dev)) {
	test_same($set, $PROGRAMS, 'ours');
	next if !$reference;
	test_same($set, $reference, $reference->{version});
}
test_same($_, $PROGRAMS, 'ours') for qw(derived-bigendian v8-ext4);
test_noticed($_) for qw(nvme-part-remap derived-bigendian v8-ext4
			virtio-bfq-mixed);
test_pipe($_) for qw(nvme-part-remap derived-bigendian v8-ext4);
test_lies($_, 6) for qw(nvme-part-remap v8-ext4);
done_testing();
