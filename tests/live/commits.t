#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# iotracer --commits next to strace -T: SQLite, PostgreSQL's pgbench and fio on
# ext4, XFS and btrfs, each on a loop device of this test's.
#
#	BIN=DIR prove tests/live/commits.t
#
# Each call that strace saw must be there with its duration, and its parts must
# add up to it; what they are is known where there is only one way.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Cwd 'abs_path';
use File::Temp 'tempdir';
use JSON::PP;
use List::Util qw(sum max);
use Suite::Files qw(slurp spew);
use Test::More;

my $BIN = abs_path($ENV{BIN} || '.');
my $TRACER = "$BIN/iotracer";
my $PINS = '/sys/fs/bpf';
# strace stops the caller at both ends of a call: its figure is the longer one, by
# what the scheduler adds.  Of several processes, or beside other work, many calls
# have to wait for strace: there it is the median.  QUIET=1: nothing else runs here.
my $WITHIN = 60e-6;
my %LATE = (one => $ENV{QUIET} ? 0.02 : 0.5, several => 0.5);	# of calls, at most
my %MKFS = (ext4 => 'mkfs.ext4 -q -b 4096', xfs => 'mkfs.xfs -q',
	    btrfs => 'mkfs.btrfs -q');
my ($POSTGRES) = glob '/usr/lib/postgresql/*/bin';

sub has_program
{
	return !system "command -v $_[0] >/dev/null 2>&1";
}

sub hindrance
{
	return 'not root' if $>;
	return 'no private mount namespace'
		if system 'unshare -m true 2>/dev/null';
	for my $program (qw(strace fio sqlite3 losetup mkfs.ext4)) {
		return "no $program" unless has_program($program);
	}
	return ();
}

# -EPERM of bpf(2) is a machine's right.
sub hindrance_inside
{
	system 'mount', '-t', 'bpf', 'bpf', $PINS;
	my $said = `$TRACER -l blk $0 -- true 2>&1`;
	return () unless $?;
	return $said =~ /does not allow loading|5\.17 or later|CONFIG_/ ?
		$said : ();
}

# --- filesystems -----------------------------------------------------------

my (%LOOPS, %MOUNTS);	# ours, by the pid that made them

END {
	local $?;
	system 'umount', @{$MOUNTS{$$}} if $MOUNTS{$$};
	system 'losetup', '-d', @{$LOOPS{$$}} if $LOOPS{$$};
}

# mounted, or undef where this machine cannot
sub filesystem
{
	my ($top, $type) = @_;
	my $image = "$top/$type.img";
	return undef unless has_program((split ' ', $MKFS{$type})[0]);
	spew($image, '');
	truncate $image, 512 << 20 or die "truncate: $!\n";
	chomp(my $loop = `losetup -f --show $image`);
	die "no loop device\n" if $?;
	push @{$LOOPS{$$}}, $loop;
	mkdir "$top/$type";
	return undef if system "$MKFS{$type} $loop >/dev/null 2>&1";
	return undef if system "mount -t $type $loop $top/$type 2>/dev/null";
	push @{$MOUNTS{$$}}, "$top/$type";
	return "$top/$type";
}

# --- what both say ---------------------------------------------------------

# thread => call => durations in order, s; a call may be resumed
sub strace_calls
{
	my ($file) = @_;
	my %calls;
	for (split /\n/, slurp($file)) {
		next unless /^(\d+) .*?\b(f(?:data)?sync|sync_file_range|
			     pwrite64|write)\b.*<([\d.]+)>$/x;
		push @{$calls{$1}{$2}}, $3;
	}
	return \%calls;
}

# the same by the messages of the trace
sub our_calls
{
	my ($top, $name) = @_;
	my %calls;
	for (`$BIN/blkparse -q -D $top $name`) {
		next unless /(\d+) +m +N iotracer: (\w+) of .*: (\d+) ns$/;
		push @{$calls{$1}{$2}}, $3 / 1e9;
	}
	return \%calls;
}

sub check_durations
{
	my ($what, $strace, $ours, $late_most) = @_;
	my ($count, $late, $short, $worst) = (0, 0, 0, 0);
	my @differ;
	for my $thread (sort keys %$strace) {
		for my $call (grep { !/write/ } sort keys %{$strace->{$thread}}) {
			my $theirs = $strace->{$thread}{$call};
			my $own = $ours->{$thread}{$call} // [];
			push @differ, "$thread $call: " . @$theirs . ', ' . @$own
				if @$theirs != @$own;
			for (0 .. max(0, $#$own)) {
				next unless defined $theirs->[$_] && defined $own->[$_];
				my $more = $theirs->[$_] - $own->[$_];
				$count++;
				$late++ if $more > $WITHIN;
				$short++ if $more < -2e-6;
				$worst = max($worst, $more) if $more <= $WITHIN;
			}
		}
	}
	is("@differ", '', "$what: the calls that strace saw");
	ok($count, "$what: $count calls");
	is($short, 0, '... none longer than there');
	ok($late <= $late_most * $count + 1, sprintf
	   '... within %.0f us (%d not, others %.0f us)', $WITHIN * 1e6, $late,
	   $worst * 1e6);
}

sub check_parts
{
	my ($what, $top, $name) = @_;
	my $commits = decode_json(scalar
		`$BIN/btstat --by=commit --format=json -D $top $name`)->{commits};
	my @parts = map { "${_}_ns" } qw(data journal flush other writeback idle);
	my @wrong = grep {
		my $it = $_;
		sum(map { $it->{$_} } @parts) != ($it->{time_ns} //
						  $it->{duration_ns});
	} $commits, @{$commits->{files}}, @{$commits->{processes}},
		@{$commits->{slowest}};
	ok($commits->{calls}, "$what: btstat has its calls");
	is(scalar @wrong, 0, '... the parts add up to the time');
	return $commits;
}

# Runs a command under both; what btstat says.
sub traced
{
	my ($what, $top, $dir, $processes, $command) = @_;
	my $name = $what =~ s/\W+/-/gr;
	my $said = `$TRACER --commits -b $top/$name $dir -- strace -f -T -o $top/$name.strace -e trace=fsync,fdatasync,sync_file_range $command 2>&1`;
	is($? >> 8, 0, "$what: runs") or diag($said);
	check_durations($what, strace_calls("$top/$name.strace"),
			our_calls($top, $name), $LATE{$processes});
	return check_parts($what, $top, $name);
}

# --- programs --------------------------------------------------------------

sub test_sqlite
{
	my ($type, $top, $dir) = @_;
	for my $mode (qw(wal delete)) {
		my $sql = "pragma journal_mode=$mode; create table t(a);" .
			'insert into t values(1);' x 20;
		my $got = traced("$type, SQLite $mode", $top, $dir, 'one',
				 "sqlite3 $dir/$mode.db '$sql'");
		ok($got->{count} >= 20, "... $got->{count} calls, a commit each");
		ok($got->{flush_ns} > 0, '... wait for flushes');
		is_deeply([map { $_->{process} } @{$got->{processes}}],
			  ['sqlite3'], '... of its process');
		ok((grep { $_->{file} =~ m{^\Q$dir\E/$mode\.db} }
		    @{$got->{files}}), '... on its files');
	}
}

sub test_fio
{
	my ($type, $top, $dir) = @_;
	for my $jobs (1, 3) {
		my $got = traced("$type, fio $jobs", $top, $dir,
			$jobs > 1 ? 'several' : 'one',
			"fio --name=j --directory=$dir --size=1M --bs=4k " .
			"--rw=write --ioengine=psync --fdatasync=4 " .
			"--numjobs=$jobs --output=/dev/null");
		# not after the last write
		is($got->{count}, $jobs * 63, '... one after 4 writes');
		cmp_ok($got->{data_ns}, '>', 0, '... own data');
		cmp_ok($got->{flush_ns}, '>', 0, '... flushes');
	}
	my $got = traced("$type, fio overwriting", $top, $dir, 'one',
		"fio --name=j --directory=$dir --size=1M --bs=4k --rw=randwrite " .
		'--ioengine=psync --fsync=1 --overwrite=1 --output=/dev/null');
	cmp_ok($got->{count}, '>=', 255, '... a call for each write');
}

# Calls that strace does not see as such: O_DSYNC, and io_uring.
sub test_others
{
	my ($type, $top, $dir) = @_;
	my $said = `$TRACER --commits $dir -- dd if=/dev/zero of=$dir/dsync bs=4k count=8 oflag=dsync 2>&1`;
	is(scalar(() = $said =~ /^[\d.]+ write of \Q$dir\E\/dsync by dd /mg), 8,
	   "$type: writes with O_DSYNC") or diag($said);
	$said = `$TRACER --commits -n 2 $dir -- fio --name=u --directory=$dir --size=64k --bs=4k --rw=write --ioengine=io_uring --fsync=4 --output=/dev/null 2>&1`;
	is(scalar(() = $said =~ /^[\d.]+ fsync of \Q$dir\E\/u\S* by fio /mg), 2,
	   "$type: syncs by io_uring, at most -n lines") or diag($said);
	like($said, qr/^file .*\n.*^process .*\n.*^The slowest:\n/ms,
	     '... and tables');
	my $dd = "dd if=/dev/zero of=$dir/alone bs=4k count=1 conv=fsync";
	$said = `(sleep 2; $dd; $dd; $dd) 2>/dev/null & exec timeout 60 $TRACER --commits -n 2 $dir 2>&1`;
	is($?, 0, "$type: without a command it ends after -n calls");
	is(scalar(() = $said =~ /^[\d.]+ fsync of /mg), 2, '... and shows these');
}

sub test_pgbench
{
	my ($type, $top, $dir) = @_;
	my ($data, $socket) = ("$dir/pg", "$dir/socket");
	mkdir $_ or die "$_: $!\n" for $data, $socket;
	system "chown postgres $data $socket";
	my $su = 'setpriv --reuid=postgres --regid=postgres --clear-groups';
	system("cd /; $su $POSTGRES/initdb -D $data -N >/dev/null 2>&1") == 0
		or die "initdb: $?\n";
	spew("$top/pg.sh", <<"");
cd /
$su $POSTGRES/postgres -D $data -k $socket -c listen_addresses= >/dev/null 2>&1 &
server=\$!
for i in \$(seq 100); do
	$su $POSTGRES/pg_isready -q -h $socket && break
	sleep 0.1
done
$su $POSTGRES/createdb -h $socket bench
$su $POSTGRES/pgbench -q -h $socket -i -s 1 bench >/dev/null 2>&1
$su $POSTGRES/pgbench -h $socket -c 4 -j 2 -T 2 bench >/dev/null 2>&1
kill -INT \$server
wait \$server

	my $got = traced("$type, pgbench", $top, $dir, 'several',
			 "sh $top/pg.sh");
	cmp_ok($got->{count}, '>', 100, '... many commits');
	ok((grep { $_->{file} =~ m{/pg_wal/} } @{$got->{files}}),
	   '... of the write-ahead log');
	ok((grep { $_->{process} =~ /^postgres/ } @{$got->{processes}}),
	   '... by its processes');
}

# --- all -------------------------------------------------------------------

my $hindrance = hindrance();
plan skip_all => $hindrance if $hindrance;
if (!$ENV{COMMITS_INSIDE}) {
	$ENV{COMMITS_INSIDE} = 1;
	exec 'unshare', '-m', $^X, abs_path($0) or die "unshare: $!\n";
}
$hindrance = hindrance_inside();
plan skip_all => $hindrance if $hindrance;

my $TOP = tempdir(CLEANUP => 1);
chmod 0755, $TOP;
for my $options ('-l vfs', '-x', '-d', '-a', '-s') {
	like(`$TRACER --commits $options $0 -- true 2>&1`, qr/are for lines/,
	     "$options does not go with it");
}
like(`$TRACER list --commits 2>&1`, qr/not for list/, '... nor list');
for my $type (sort keys %MKFS) {
	my $dir = filesystem($TOP, $type);
	if (!$dir) {
		diag("no $type here");
		next;
	}
	test_sqlite($type, $TOP, $dir);
	test_fio($type, $TOP, $dir);
	test_others($type, $TOP, $dir);
	test_pgbench($type, $TOP, $dir) if $type eq 'ext4' && $POSTGRES;
}
done_testing();
