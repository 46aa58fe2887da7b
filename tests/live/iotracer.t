#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# iotracer, and blktrace --via=bpf, on this machine's kernel.
#
#	BIN=DIR prove tests/live/iotracer.t
#
# Works in a private mount namespace, on filesystems on loop devices that it
# makes itself.  What fio did is known to the byte, so what is told is, too.
# COST and REFUSE are tests/live/pread_cost.c and refuse.c, compiled.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Cwd 'abs_path';
use Errno qw(EINVAL ENOSYS EPERM);
use File::Temp 'tempdir';
use Suite::Files qw(slurp spew);
use JSON::PP;
use List::Util 'sum';
use Test::More;
use Time::HiRes qw(CLOCK_MONOTONIC clock_gettime sleep time);

my $BIN = abs_path($ENV{BIN} || '.');
my $TRACER = "$BIN/iotracer";
my $COST = abs_path($ENV{COST} || 'build/tests/live/pread_cost');
my $REFUSE = abs_path($ENV{REFUSE} || 'build/tests/live/refuse');
my $PINS = '/sys/fs/bpf';
my $JOB = 16 << 20;		# bytes of a fio job
my $BLOCK = 4096;
# what a cached pread of a file nobody watches may cost more, ns
my $COST_MAX = 700;
my @ENGINES = qw(libaio posixaio sync psync vsync pvsync);

# --- the machine -----------------------------------------------------------

sub has_program
{
	return !system "command -v $_[0] >/dev/null 2>&1";
}

# Why nothing of this can be shown here, or nothing.
sub hindrance
{
	return 'not root' if $>;
	return 'no private mount namespace'
		if system 'unshare -m true 2>/dev/null';
	for my $program (qw(fio losetup mkfs.ext4)) {
		return "no $program" unless has_program($program);
	}
	return ();
}

# The same in the namespace: -EPERM of bpf(2) is a machine's right.
sub hindrance_inside
{
	system 'mount', '-t', 'bpf', 'bpf', $PINS;
	my $said = `$TRACER -l blk $0 -- true 2>&1`;
	return () unless $?;
	return $said =~ /does not allow loading|5\.17 or later|CONFIG_/ ?
		$said : ();
}

my (%LOOPS, %MOUNTS);	# ours, by the pid that made them

END {
	local $?;
	system 'umount', @{$MOUNTS{$$}} if $MOUNTS{$$};
	system 'losetup', '-d', @{$LOOPS{$$}} if $LOOPS{$$};
}

sub loop_device
{
	my ($top, $name, $mib) = @_;
	spew("$top/$name", '');
	truncate "$top/$name", $mib << 20 or die "truncate: $!\n";
	my $loop = `losetup -f --show $top/$name`;
	die "no loop device\n" if $?;
	chomp $loop;
	push @{$LOOPS{$$}}, $loop;
	return $loop;
}

# a filesystem of its own, mounted; undef where this machine has not got it
sub filesystem
{
	my ($top, $type, @mkfs) = @_;
	return undef unless has_program($mkfs[0]);
	my $loop = loop_device($top, "$type.img", 512);
	mkdir "$top/$type";
	return undef if system "@mkfs $loop >/dev/null 2>&1";
	return undef if system "mount -t $type $loop $top/$type 2>/dev/null";
	push @{$MOUNTS{$$}}, "$top/$type";
	return "$top/$type";
}

sub quiet
{
	return system("@_ >/dev/null 2>&1");
}

sub blocks
{
	my ($file, $count, @how) = @_;
	quiet "dd if=/dev/zero of=$file bs=4k count=$count @how" and
		die "dd: $?\n";
	return 1;
}

# --- what is told ----------------------------------------------------------

# "VFS W" => [lines, bytes] of lines of the log
sub sums
{
	my %sums;
	for my $line (@_) {
		my (undef, $way, undef, $size, $level) = split /;/, $line;
		$sums{"$level $way"}[0]++;
		$sums{"$level $way"}[1] += $size;
	}
	return join ', ', map {
		"$_ $sums{$_}[0] $sums{$_}[1]"
	} sort keys %sums;
}

sub traced
{
	my ($options, $command) = @_;
	my @lines = `$TRACER $options -- $command 2>/tmp/iotracer.$$`;
	my $status = $? >> 8;
	my $said = slurp("/tmp/iotracer.$$");
	unlink "/tmp/iotracer.$$";
	return ($status, $said, @lines);
}

sub fio
{
	my ($file, $engine, $pattern, $bytes, @more) = @_;
	return "fio --name=job --filename=$file --rw=$pattern --bs=4k " .
		"--size=$bytes --ioengine=$engine @more --output=/dev/null";
}

sub forget_cache
{
	system 'sync';
	spew('/proc/sys/vm/drop_caches', "1\n");
}

# --- profiles --------------------------------------------------------------

# how many lines of a level do not begin where the one before has ended
sub jumps
{
	my ($level, @lines) = @_;
	my ($next, $jumps) = (undef, 0);
	for (map { [split /;/] } @lines) {
		next if $_->[4] ne $level;
		$jumps++ if defined $next && $_->[2] != $next;
		$next = $_->[2] + $_->[3];
	}
	return $jumps;
}

# The original's own test: byte-exact at both levels, nothing of the other
# direction, and in order what was asked for in order.
sub test_profile
{
	my ($what, $file, $engine, $pattern) = @_;
	my ($status, undef, @lines) = traced($file,
		fio($file, $engine, $pattern, $JOB, '--direct=1'));
	my $way = $pattern =~ /write/ ? 'W' : 'R';
	my $count = $JOB / $BLOCK;
	my $jumps = jumps('VFS', @lines);

	is(sums(@lines), "BLK $way $count $JOB, VFS $way $count $JOB",
	   "$what, $engine $pattern: what fio did, at both levels");
	ok($pattern =~ /rand/ ? $jumps > $count / 2 : $jumps == 0,
	   "$what, $engine $pattern: sequential or not: $jumps jumps");
}

sub test_profiles
{
	my ($what, $file) = @_;
	blocks($file, $JOB / $BLOCK, 'conv=fsync');
	for my $engine (@ENGINES) {
		test_profile($what, $file, $engine, $_)
			for qw(write read randwrite randread);
	}
}

# Buffered: VFS what the program did, BLK what the device did for the file.
sub test_buffered
{
	my ($what, $file) = @_;
	blocks($file, 256, 'conv=fsync');
	my $dd = "dd if=/dev/zero of=$file bs=4k count=256 conv=notrunc";
	my $bytes = 256 * $BLOCK;
	my (undef, undef, @lines) = traced($file, "$dd,fsync");
	like(sums(@lines), qr/^BLK W \d+ $bytes, VFS W 256 $bytes$/,
	     "$what: buffered write and fsync");
	(undef, undef, @lines) = traced($file, "sh -c '$dd; sync'");
	like(sums(@lines), qr/^BLK W \d+ $bytes, VFS W 256 $bytes$/,
	     "$what: write-back is the file's, whoever does it");
	truncate $file, $bytes;
	forget_cache();
	(undef, undef, @lines) = traced($file,
		"dd if=$file of=/dev/null bs=4k count=256");
	like(sums(@lines), qr/^BLK R \d+ $bytes, VFS R 256 $bytes$/,
	     "$what: buffered read with readahead");
}

# --- calls of other kinds --------------------------------------------------

sub test_calls
{
	my ($file) = @_;
	blocks($file, 16, 'conv=fsync');
	my (undef, undef, @lines) = traced($file, "sh -c 'echo hi >>$file'");
	like("@lines", qr/;W;65536;3;VFS;sh;/, 'an append is where it went');
	(undef, undef, @lines) = traced($file, "sh -c 'cat $file >/dev/null'");
	like(sums(@lines), qr/VFS R/, 'cat is seen');
	forget_cache();
	(undef, undef, @lines) = traced("-l map $file", fio($file, 'mmap',
		'read', 65536));
	like(sums(@lines), qr/^MAP R/, 'faults of a mapping are seen');
	(undef, undef, @lines) = traced($file,
		fio($file, 'io_uring', 'randwrite', 65536, '--direct=1'));
	is(sums(@lines), 'BLK W 16 65536, VFS W 16 65536', 'io_uring');
	(undef, undef, @lines) = traced("-l blk $file",
		"dd if=/dev/zero of=$file.other bs=4k count=4 conv=fsync");
	is("@lines", '', 'another file is not told');
	(undef, undef, @lines) = traced("-x $file",
		"dd if=$file of=/dev/null bs=4k count=1 iflag=direct");
	like($lines[1], qr/;BLK;dd;\d+;\d+:\d+;\d+;R\w*;\d+;\Q$file\E$/,
	     'extended lines');
	(undef, undef, @lines) = traced("-d -l vfs,blk $file",
		"dd if=$file of=/dev/null bs=4k count=1 iflag=direct");
	like($lines[0], qr/;VFS;dd;\d+;\d+\.\d{9}$/, 'how long a call took');
	like($lines[1], qr/;BLK;dd;\d+;$/, '... an I/O is not waited for');
}

# Each call that waits until data are written, and how long it did.
sub test_sync
{
	my ($file) = @_;
	my $writes = "--size=65536 --rw=write --bs=4k --name=s --filename=$file";
	my %calls = (
		fsync => "dd if=/dev/zero of=$file bs=4k count=16 " .
			'conv=notrunc,fsync',
		fdatasync => "dd if=/dev/zero of=$file bs=4k count=16 " .
			'conv=notrunc,fdatasync',
		msync => "fio $writes --ioengine=mmap --fsync=8 " .
			'--output=/dev/null',
		sync_file_range => "fio $writes --sync_file_range=write:8 " .
			'--ioengine=psync --output=/dev/null',
		write => "dd if=/dev/zero of=$file bs=4k count=16 " .
			'conv=notrunc oflag=dsync',
	);
	my %urings = (
		fsync => "fio $writes --ioengine=io_uring --fsync=4 " .
			'--output=/dev/null',
		fdatasync => "fio $writes --ioengine=io_uring " .
			'--fdatasync=4 --output=/dev/null',
	);

	blocks($file, 16, 'conv=fsync');
	for my $call (sort keys %calls) {
		my (undef, $said, @lines) =
			traced("-d -x -l sync $file", $calls{$call});
		my @told = grep {
			/;W;\d+;\d+;SYNC;\w+;\d+;\d+\.\d{9};;;$call;\d+;/
		} @lines;
		ok(@told, "$call is seen") or diag($said, @lines);
	}
	for my $call (sort keys %urings) {
		my (undef, $said, @lines) =
			traced("-d -x -l sync $file", $urings{$call});
		is(scalar(grep { /;SYNC;fio;.*;$call;/ } @lines), 3,
		   "$call by io_uring") or diag($said, @lines);
	}
	my (undef, undef, @lines) = traced($file, $calls{fsync});
	unlike("@lines", qr/SYNC/, 'not without -l sync');
}

# Times of both levels are in order, and tell that the call came first.
sub test_order
{
	my ($file) = @_;
	my (undef, undef, @lines) = traced($file,
		fio($file, 'psync', 'randwrite', $JOB, '--direct=1'));
	my @times = map { /^([\d.]+)/ } @lines;
	is(scalar(grep { $times[$_] < $times[$_ - 1] } 1 .. $#times), 0,
	   'lines are in order of time');
	is(scalar(grep { $lines[$_] !~ ($_ % 2 ? qr/BLK/ : qr/VFS/) }
		  0 .. $#lines), 0, 'each call before its bio');
}

# --- directories -----------------------------------------------------------

# "VFS R name" => lines; what is named is below DIR
sub named
{
	my ($dir, @lines) = @_;
	my %named;
	for (@lines) {
		my (undef, $way, undef, undef, $level) = split /;/;
		my ($path) = m{;\d+;\Q$dir\E/?([^;]*)$};
		chomp $path;
		$named{"$level $way $path"}++;
	}
	return \%named;
}

sub read_direct
{
	my ($file, $blocks) = @_;
	return "dd if=$file of=/dev/null bs=4k count=$blocks iflag=direct";
}

# A file counts while it is below, under the name that it has then.
sub test_below
{
	my ($top) = @_;
	my ($dir, $beside) = ("$top/below", "$top/beside");
	mkdir $_ or die "$_: $!\n" for $dir, "$dir/sub", $beside;
	blocks($_, 8, 'conv=fsync') for "$dir/there", "$dir/sub/open",
		"$beside/file";
	open my $open, '<', "$dir/sub/open" or die "open: $!\n";
	unlink "$dir/sub/open";
	link "$beside/file", "$beside/link" or die "link: $!\n";
	my @steps = (
		read_direct("$dir/there", 1),
		read_direct("/proc/$$/fd/" . fileno($open), 2),
		read_direct("$beside/file", 3),
		"mv $beside/file $dir/sub/moved",
		read_direct("$dir/sub/moved", 4),
		read_direct("$beside/link", 5),
		"mv $dir/there $dir/renamed",
		read_direct("$dir/renamed", 6),
		"mv $dir/renamed $beside/away",
		read_direct("$beside/away", 7),
		"dd if=/dev/zero of=$dir/new bs=4k count=8 conv=fsync",
	);
	my ($status, $said, @lines) = traced("-x -l vfs,blk $dir /dev/null",
		'sh -c "' . join('; ', @steps) . '"');
	my $named = named($dir, @lines);

	is($status, 0, 'a directory: ends well');
	is($said =~ s/.*records (?:in|out)\n|^\d+ bytes.*\n//gmr,
	   "iotracer: /dev/null is not a regular file: skipped\n",
	   'what is no file is skipped with a warning');
	is($named->{'VFS R there'}, 1, 'below: a file that is there');
	is($named->{'VFS R sub/open'}, 2, 'one that was removed while open');
	is($named->{'VFS R sub/moved'}, 9, 'one moved there, by any name');
	is($named->{'BLK R sub/moved'}, 9, '... and its bios');
	is($named->{'VFS R renamed'}, 6, 'a new name for one');
	is($named->{'VFS W new'}, 8, 'a new one');
	ok($named->{'BLK W new'}, '... and its bios');
	is(sum(map { $named->{$_} } grep { /^VFS/ } keys %$named),
	   1 + 2 + 9 + 6 + 8, 'none that is moved away, or beside');
}

# Names of files are printed so that a line stays one.
sub test_names_below
{
	my ($top) = @_;
	my $dir = "$top/names";
	my $name = "new\nline\e[1m;9;x\xff";
	my $long = join '/', ('p' x 250) x 6;
	mkdir $dir;
	quiet "cd $dir && mkdir -p $long";
	spew("$dir/$name", 'x');
	my (undef, undef, @lines) = traced("-x -l vfs $dir",
		"sh -c 'cat $dir/*line* >/dev/null'");
	ok(@lines > 0, 'a hostile name');
	like($_, qr{;\Q$dir\E/new\\x0aline\\x1b\[1m;9;x\\xff\n\z},
	     '... on one line') for @lines;
	(undef, undef, @lines) = traced("-x -l vfs $dir",
		"sh -c 'cd $dir/$long && echo x >file'");
	like($lines[0] // '', qr{;\Q$dir\E/\.\.\./p+/p+/p+/file$},
	     'a path too long to be told whole');
	(undef, undef, @lines) = traced("-l vfs $top",
		read_direct("$top/profile", 3));
	is(sums(@lines), 'VFS R 3 12288', 'all of a mount');
}

# what strace -T and we say of the same calls, in ns, each in its order
sub durations
{
	my ($trace, @lines) = @_;
	my @theirs = map { $_ * 1e9 }
		slurp($trace) =~ /^\d+ +f(?:data)?sync\(.*<([\d.]+)>$/mg;
	my @ours = map { $_ * 1e9 }
		map { /;SYNC;fio;\d+;(\d+\.\d{9})/ ? $1 : () } @lines;
	return (\@theirs, \@ours);
}

sub all_alike
{
	my ($theirs, $ours) = @_;
	return @$ours > 0 && @$ours == @$theirs && !grep {
		abs($ours->[$_] - $theirs->[$_]) > 0.05 * $theirs->[$_]
	} 0 .. $#$ours;
}

# Calls that take a good part of a second: what strace adds to each is the time
# until it runs itself, which is for the scheduler to say; so it has six goes.
sub test_sync_durations
{
	my ($dir) = @_;
	SKIP: {
		skip 'no strace', 1 unless has_program('strace');
		my ($theirs, $ours);
		for (1 .. 6) {
			my (undef, undef, @lines) = traced("-d -l sync $dir",
				"strace -f -T -e trace=fsync -o $dir/../strace "
				. "fio --name=sync --directory=$dir --size=96m"
				. ' --bs=1m --rw=write --fsync=24 ' .
				'--ioengine=psync --output=/dev/null');
			($theirs, $ours) = durations("$dir/../strace", @lines);
			last if all_alike($theirs, $ours);
		}
		ok(all_alike($theirs, $ours),
		   'fsync takes as long as strace -T says') or
			diag("strace @$theirs, iotracer @$ours");
	}
	unlink "$dir/sync.0.0";
}

# 10,000 files, in which git and fio work at a time: fio's are counted exactly.
sub test_crowd
{
	my ($top) = @_;
	my $dir = "$top/crowd";
	my $git = 'git -c user.name=a -c user.email=a@b -c gc.auto=0 ' .
		'-c core.fsync=all -c core.fsyncMethod=fsync';
	my $jobs = join ' ', map {
		"--name=$_ --directory=$dir --size=1m --bs=4k --rw=randrw " .
		"--direct=1 --ioengine=$_"
	} qw(libaio psync);

	mkdir $dir or die "$dir: $!\n";
	for my $sub (0 .. 99) {
		mkdir "$dir/$sub";
		spew("$dir/$sub/$_", "$sub $_\n") for 0 .. 99;
	}
	quiet "fio $jobs --create_only=1";
	quiet "sync -f $dir";
	my $work = has_program('git') ? "cd $dir && $git init -q && " .
		"$git add [01] && $git commit -qm x" : "cat $dir/*/*";
	my ($status, $said, @lines) = traced("-x -d -l vfs,blk,sync $dir",
		"sh -c '($work) >/dev/null & fio $jobs --output-format=json " .
		"--output=$top/fio.json >/dev/null; wait'");
	is($status, 0, 'a crowd: ends well');
	is($said, '', '... nothing is lost, nor its path');
	is_fio($top, $dir, @lines);
	is(join('', grep { !m{;\Q$dir\E/[^;]+$} } @lines), '',
	   'all lines say which file');
	my %files = map { m{;(\Q$dir\E/\d+/\d+)$} ? ($1 => 1) : () } @lines;
	cmp_ok(scalar keys %files, '>=', 200, 'many are told');
	ok(!has_program('git') || grep({ m{;SYNC;git;.*/\.git/} } @lines),
	   "git's syncs are among them");
	test_sync_durations($dir);
}

# by fio's own count: calls and bytes of each job, at both levels
sub is_fio
{
	my ($top, $dir, @lines) = @_;
	my @jobs = @{decode_json(slurp("$top/fio.json"))->{jobs}};

	is(scalar @jobs, 2, 'fio did two jobs');
	for my $job (@jobs) {
		my $name = $job->{jobname};
		my @its = grep { m{;\Q$dir/$name.0.0\E$} && !/;SYNC;/ } @lines;
		my ($r, $w) = map { "$_->{total_ios} $_->{io_bytes}" }
			@$job{qw(read write)};
		is(sums(@its), "BLK R $r, BLK W $w, VFS R $r, VFS W $w",
		   "fio's $name: exact");
	}
}

# --- ends ------------------------------------------------------------------

# links that processes of this machine hold
sub held_links
{
	my $links = 0;
	for my $info (glob '/proc/[0-9]*/fdinfo/*') {
		open my $f, '<', $info or next;
		$links++ if grep { /^link_type:/ } <$f>;
	}
	return $links;
}

# A signal ends the command, or without one the tracing; Ctrl-C is no failure.
sub test_signals
{
	my ($file) = @_;
	for (['TERM', 143, '--', 'sleep', '30'], ['INT', 0]) {
		my ($signal, $status, @command) = @$_;
		my $before = held_links();
		my $pid = fork;
		exec $TRACER, $file, @command unless $pid;
		sleep 0.1 until held_links() > $before;
		wait_tracing($pid);
		kill $signal => $pid;
		waitpid $pid, 0;
		is($? >> 8, $status, "SIG$signal @command: status $status");
	}
	my $said = `$TRACER $file -- $COST $file 1000 2>&1 >/dev/full`;
	like($said, qr/cannot show the lines: No space left/, 'a full disk');
	is(system("$TRACER $file -- sh -c '$COST $file 100000; exit 5' | " .
		  'head -1 >/dev/null'), 0, 'a reader that goes away');
}

sub test_ends
{
	my ($top, $file) = @_;
	my ($status) = traced($file, "sh -c 'exit 7'");
	is($status, 7, "the command's status is ours");
	($status) = traced($file, "sh -c 'kill -9 \$\$'");
	is($status, 137, 'also when a signal ends it');
	($status) = traced($file, '/nonexistent/command');
	is($status, 127, 'a command that cannot be run: 127');
	test_signals($file);
	my $before = held_links();
	my $pid = fork;
	if (!$pid) {
		open STDOUT, '>', '/dev/null';
		exec $TRACER, $file, '--', 'sleep', '30';
	}
	sleep 0.1 until held_links() > $before;
	kill KILL => $pid;
	waitpid $pid, 0;
	for (1 .. 100) {
		last if held_links() == $before;
		sleep 0.1;
	}
	is(held_links(), $before, 'a killed one leaves nothing');
	ok(!-e "$PINS/iotracer", 'and nothing is pinned');
}

# one line with the cause, and status 1
sub test_refusals
{
	my ($top, $file) = @_;
	spew('/dev/shm/iotracer.test', 'x');
	for (["$top/none -- true", qr/No such file/],
	     ['/dev/null -- true', qr/not a regular file: skipped/],
	     ["add $top", qr/not a regular file/],
	     ['/dev/shm/iotracer.test -- true', qr/no block device under it/],
	     ['add /dev/shm/iotracer.test', qr/no block device under it/],
	     ["add $file 0", qr/1 to \d+, not 0/],
	     ["add $file x", qr/1 to \d+, not x/],
	     ["remove $file", qr/is not watched/],
	     ["-l all $file -- true", qr/vfs, blk, map and sync/],
	     ["-p fast $file -- true", qr/auto, iter or syscall/]) {
		my ($words, $why) = @$_;
		my $said = `$TRACER $words 2>&1`;
		is($? >> 8, 1, "$words: status 1");
		like($said, qr/\Aiotracer: [^\n]*$why[^\n]*\n\z/,
		     "$words: one line with the cause");
	}
	unlink '/dev/shm/iotracer.test';
	ok(!-e "$PINS/iotracer", 'nothing of it stays pinned');
}

# What keeps the programs out of the kernel: one line with it, and status 1.
sub test_kernels
{
	my ($file) = @_;
	my ($load, $old) = (5, 'setarch --uname-2.6');	# BPF_PROG_LOAD
	my @cases = (
		['setpriv --reuid=65534 --clear-groups', qr/only root may/],
		["$REFUSE @{[EPERM]} bpf $load", qr/lockdown, a container/],
		["$REFUSE @{[EINVAL]} bpf $load", qr/\Q(Invalid argument)\E$/],
		["$REFUSE @{[ENOSYS]} bpf $load", qr/CONFIG_BPF_SYSCALL/],
		["$old $REFUSE @{[EPERM]} bpf $load", qr/kernel 2\.6.* 5\.17/],
		['unshare -m sh -c \'mount --bind /mnt /sys/kernel/btf &&'
		 . "exec $REFUSE @{[EINVAL]} bpf $load" . ' "$0" "$@"\'',
		 qr/CONFIG_DEBUG_INFO_BTF/],
	);
	for (@cases) {
		my ($with, $why) = @$_;
		for my $words ("$file -- true", "add $file") {
			my $said = `$with $TRACER $words 2>&1`;
			is($? >> 8, 1, "$with $words: status 1");
			like($said, qr/\Aiotracer: [^\n]*\n\z/, '... one line');
			like($said, $why, '... with the cause');
		}
	}
	ok(!-e "$PINS/iotracer", 'nothing of them stays pinned');
}

# --- pinned ----------------------------------------------------------------

sub said
{
	my $text = `$TRACER @_`;
	return $text;
}

# The original's test of its interface, word for word.
sub test_interface
{
	my ($file) = @_;
	my $four = 4 * $BLOCK;
	blocks($file, 4, 'conv=fsync');
	is(said("add $file 100"), '', 'add');
	my ($name) = said('list') =~ /^(\w+_\d+) \Q$file\E$/;
	ok($name, 'list: device and inode, and the path');
	my ($zero) = said("status $file") =~ /^1 (\d+\.\d{9}) 100 0$/;
	ok($zero, 'status: logging, T0, room, none held');
	is(said("log $file"), '', 'an empty log');
	blocks($file, 4, 'conv=notrunc oflag=direct');
	is(sums(said_lines("log $file")), "BLK W 4 $four, VFS W 4 $four",
	   'only writes are logged');
	is(said("status $name"), "1 $zero 100 8\n", 'status counts them');
	said("stop $file");
	blocks($file, 4, 'conv=notrunc oflag=direct');
	is(said("status $file"), "0 $zero 100 8\n", 'stopped');
	said("start $file");
	said("reset $file");
	is(said("status $file"), "1 $zero 100 0\n", 'reset keeps T0');
	blocks($file, 200, 'conv=notrunc oflag=direct');
	is(said("status $file"), "1 $zero 100 100\n", 'no more than room');
	my @lines = said_lines("log $file");
	is($lines[-1] =~ s/^[\d.]+;//r =~ s/;\d+;4096.*//sr, 'W',
	   'the newest are kept');
	test_full_disk($file);
	said("timereset $file");
	unlike(said("status $file"), qr/^1 $zero /, 'timereset changes T0');
	like(said("stat $file"), qr/\A\z/, 'stat of an empty log');
	test_links($file);
}

# what prints fails where nothing can be written, and says so
sub test_full_disk
{
	my ($file) = @_;
	for my $words ('list', map { "$_ $file" } qw(status log stat extents)) {
		my $said = `$TRACER $words 2>&1 >/dev/full`;
		is($? >> 8, 1, "$words >/dev/full: status 1");
		is($said, "iotracer: cannot write: No space left on device\n",
		   '... and why');
	}
}

sub said_lines
{
	my @lines = `$TRACER @_`;
	return @lines;
}

sub test_links
{
	my ($file) = @_;
	link $file, "$file.link" or die "link: $!\n";
	said("add $file.link 5");
	like(said('list'), qr/ \Q$file.link $file\E$/,
	     'a second path: the newest first');
	said("remove $file");
	blocks("$file.link", 1, 'conv=notrunc oflag=direct');
	like(said("status $file.link"), qr/^1 \S+ 100 2$/,
	     'one of two removed: still logging');
	my ($dir, $base) = "$file.link" =~ m{(.*)/(.*)};
	is(system("cd $dir && $TRACER remove $base"), 0, 'a relative remove');
	ok(!-e "$PINS/iotracer", 'nothing stays pinned after the last');
	unlink "$file.link";
}

sub test_two_files
{
	my ($dir) = @_;
	blocks("$dir/$_", 8, 'conv=fsync') for qw(one two);
	forget_cache();
	said("add $dir/one 100");
	said("add $dir/two 100");
	quiet "dd if=$dir/one of=$dir/two bs=4k count=8 conv=notrunc,fsync";
	is(sums(said_lines("log $dir/one")) =~ s/\d+/N/gr,
	   'BLK R N N, VFS R N N', 'from one file ...');
	is(sums(said_lines("log $dir/two")) =~ s/\d+/N/gr,
	   'BLK W N N, VFS W N N', '... to another');
	like(said("stat $dir/one"), qr/---- VFS ----\nevents=8\n/, 'stat');
	said("remove $dir/$_") for qw(one two);
	ok(!-e "$PINS/iotracer", 'nothing stays pinned');
}

# --- files that are gone ---------------------------------------------------

sub inode_of
{
	return (stat $_[0])[1];
}

# Makes files until one has that inode's number; its path, or undef.
sub file_of_inode
{
	my ($dir, $number) = @_;
	for my $n (1 .. 2000) {
		my $file = "$dir/again.$n";
		spew($file, 'x');
		return $file if inode_of($file) == $number;
		system 'sync', '-f', $dir unless $n % 100;
	}
	return undef;
}

# What is written to the file does not come into the log of PATH.
sub not_logged
{
	my ($path, $file, $what) = @_;
	my @before = said_lines("log $path 2>/dev/null");
	blocks($file, 4, 'conv=notrunc,fsync');
	blocks($file, 4, 'conv=notrunc oflag=direct');
	my @after = said_lines("log $path 2>/dev/null");
	is("@after", "@before", $what);
}

# The words say that the file is gone, and what they have still.
sub test_words_gone
{
	my ($what, $path, $why) = @_;
	for my $words (qw(list status log stat)) {
		my $word = $words eq 'list' ? 'list' : "$words $path";
		my $text = `$TRACER $word 2>/tmp/iotracer.$$`;
		is($?, 0, "$what: $words ends well");
		like($text, qr/\w/, "$what: $words prints what there is");
		like(slurp("/tmp/iotracer.$$"),
		     qr/\Aiotracer: \Q$path\E: [^\n]*$why[^\n]*\n\z/,
		     "$what: $words says so in a line");
	}
	unlink "/tmp/iotracer.$$";
}

# A watch outlives neither its file nor the file's number.
sub test_removed
{
	my ($what, $dir) = @_;
	my $file = "$dir/removed";
	blocks($file, 4, 'conv=fsync');
	my $number = inode_of($file);
	said("add $file 100");
	blocks($file, 4, 'conv=notrunc oflag=direct');
	is(sums(said_lines("log $file")), 'BLK W 4 16384, VFS W 4 16384',
	   "$what: the file is watched");
	unlink $file;
	my $other = file_of_inode($dir, $number);
	ok($other, "$what: another file gets the number $number") or return;
	not_logged($file, $other, "$what: that file is not logged");
	test_words_gone($what, $file, qr/removed or renamed/);
	rename $other, $file;
	not_logged($file, $file, "$what: nor is it under the same path");
	test_words_gone($what, $file, qr/another file/);
	like(`$TRACER add $file 2>&1`, qr/another file.*remove it first\n\z/,
	     "$what: add does not take it for the other");
	test_both($what, $file);
}

# the file that was removed and the one in its place, watched at a time
sub test_both
{
	my ($what, $file) = @_;
	link $file, "$file.link" or die "link: $!\n";
	is(said("add $file.link 100"), '', "$what: its successor is watched");
	not_logged($file, $file, "$what: not in the log of the first");
	is(sums(said_lines("log $file.link")) =~ s/BLK W \d+/BLK W N/r,
	   'BLK W N 32768, VFS W 8 32768', "$what: but in its own");
	is(system("$TRACER remove $file"), 0, "$what: remove the first");
	is(system("$TRACER remove $file.link"), 0, '... and the other');
	ok(!-e "$PINS/iotracer", "$what: nothing stays pinned");
}

# A file that was renamed is watched on, and found again when it is added.
sub test_renamed
{
	my ($file) = @_;
	blocks($file, 4, 'conv=fsync');
	said("add $file 100");
	rename $file, "$file.new" or die "rename: $!\n";
	blocks("$file.new", 4, 'conv=notrunc oflag=direct');
	is(sums(said_lines("log $file 2>/dev/null")),
	   'BLK W 4 16384, VFS W 4 16384', 'a renamed file is still logged');
	test_words_gone('renamed', $file, qr/removed or renamed/);
	said("add $file.new");
	is(`$TRACER list 2>&1` =~ s/^\w+//r, " $file.new $file\n",
	   'renamed: not missing under its new path');
	said("remove $_") for $file, "$file.new";
	ok(!-e "$PINS/iotracer", 'renamed: nothing stays pinned');
}

sub remount
{
	my ($loop, $dir, @mkfs) = @_;
	system('umount', $dir) == 0 or die "umount: $?\n";
	quiet "@mkfs $loop" and die "@mkfs: $?\n" if @mkfs;
	system('mount', $loop, $dir) == 0 or die "mount: $?\n";
}

# the generation that is given, where the filesystem lets us
sub set_generation
{
	my ($file, $generation) = @_;
	return !quiet "chattr -v $generation $file";
}

# A filesystem of its own, with a file that is watched.  SAME if generations
# can be set: then they do not tell the files before and after mkfs apart.
sub watched_filesystem
{
	my ($what, $loop, $dir, $same, @mkfs) = @_;
	mkdir $dir;
	quiet "@mkfs $loop" and die "@mkfs: $?\n";
	system('mount', $loop, $dir) == 0 or die "mount: $?\n";
	push @{$MOUNTS{$$}}, $dir;
	blocks("$dir/file", 4, 'conv=fsync');
	ok(set_generation("$dir/file", 4711), "$what: a generation") if $same;
	said("add $dir/file 100");
	return inode_of("$dir/file");
}

# A watch goes on after its filesystem has been mounted anew, not after mkfs.
sub test_mkfs
{
	my ($what, $top, $same, @mkfs) = @_;
	my ($loop, $dir) = (loop_device($top, "mkfs.$what", 320), "$top/$what");
	my $number = watched_filesystem($what, $loop, $dir, $same, @mkfs);
	my $file = "$dir/file";

	remount($loop, $dir);
	forget_cache();
	blocks($file, 4, 'conv=notrunc oflag=direct');
	is(sums(said_lines("log $file")), 'BLK W 4 16384, VFS W 4 16384',
	   "$what: still watched after it was mounted anew");
	remount($loop, $dir, @mkfs);
	my $other = file_of_inode($dir, $number);
	ok($other, "$what: after mkfs a file has the number") or return;
	set_generation($other, 4711) if $same;
	not_logged($file, $other, "$what: it is not logged");
	test_words_gone($what, $file, qr/removed or renamed/);
	test_unmounted($what, $loop, $dir);
	is(system("$TRACER remove $file"), 0, "$what: remove ends the watch");
	ok(!-e "$PINS/iotracer", "$what: nothing stays pinned");
}

# a file whose filesystem is not mounted has not been removed
sub test_unmounted
{
	my ($what, $loop, $dir) = @_;
	system('umount', $dir) == 0 or die "umount: $?\n";
	test_words_gone("$what, not mounted", "$dir/file", qr/not mounted/);
	system('mount', $loop, $dir) == 0 or die "mount: $?\n";
}

# Pins of other layouts, as another release may have left, are not believed.
sub test_other_pins
{
	my ($file) = @_;
	my ($map, $other, $kept) =
		map { "$PINS/iotracer/map_$_" } qw(watch devices kept);
	said("add $file");
	rename $map, $kept or die "rename: $!\n";
	rename $other, $map or die "rename: $!\n";
	for my $words ('list', "log $file", "add $file", "remove $file") {
		my $said = `$TRACER $words 2>&1`;
		is($? >> 8, 1, "other pins: $words: status 1");
		like($said, qr/\Aiotracer: [^\n]*rm -r [^\n]*\n\z/,
		     '... and how to get rid of them');
	}
	rename $map, $other or die "rename: $!\n";
	rename $kept, $map or die "rename: $!\n";
	is(system("$TRACER remove $file"), 0, 'our own are');
}

sub test_gone
{
	my ($top, $ext4, $xfs) = @_;
	my @settable = qw(mkfs.ext4 -q -F -O ^metadata_csum);
	test_removed('ext4', $ext4);
	test_removed('xfs', $xfs) if $xfs;
	test_renamed("$ext4/renamed");
	test_other_pins("$ext4/pinned");
	test_mkfs('ext4-anew', $top, 0, qw(mkfs.ext4 -q -F));
	test_mkfs('ext4-same-generation', $top, 1, @settable);
	test_mkfs('xfs-anew', $top, 0, qw(mkfs.xfs -q -f)) if $xfs;
}

# --- records ---------------------------------------------------------------

# "Q" => count, ... by blkparse
sub actions
{
	my ($name, @more) = @_;
	my $text = `$BIN/blkparse -q @more $name -f 'act=%a\\n'`;
	my %count;
	$count{$1}++ while $text =~ /^act=(\w+)$/mg;
	return \%count;
}

# Threads of process 1.  There are kernels that run nobody's programs while one
# of these is the current task, and do not count that as missed either.
sub is_hidden
{
	my ($pid) = @_;
	return -e "/proc/1/task/$pid";
}

sub tell_hidden
{
	my ($count, $pid) = @_;
	diag("this kernel runs no programs while process 1 does (thread $pid):"
	     . " $count completions are not seen");
	return $count;
}

# how many completions of all devices came while hidden tasks ran, during WORK
sub hidden_while
{
	my ($work) = @_;
	my $dir = "/sys/kernel/tracing/instances/iotracer.$$";
	my $enable = "$dir/events/block/block_rq_complete/enable";
	my (%hidden, $sum);

	mkdir $dir;
	spew($enable, "1\n") if -e $enable;
	$work->();
	if (-e $enable) {
		spew($enable, "0\n");
		is_hidden($_) && $hidden{$_}++ for slurp("$dir/trace") =~
			/-(\d+) +\[\d+\].* block_rq_complete: /g;
		rmdir $dir;
	}
	$sum += tell_hidden($hidden{$_}, $_) for sort keys %hidden;
	return $sum // 0;
}

sub test_records
{
	my ($top, $file) = @_;
	blocks($file, $JOB / $BLOCK, 'conv=fsync');
	my $status;
	my $hidden = hidden_while(sub {
		($status) = traced("-b $top/rec $file", 'sh -c "' .
			fio("$file.noise", 'psync', 'write', 1 << 20,
			    '--direct=1') . '; ' .
			fio($file, 'libaio', 'randrw', $JOB, '--direct=1') .
			'"');
	});
	my $found = actions('rec', "-D $top");
	my $n = $JOB / $BLOCK;
	is($status, 0, 'records: ends well');
	is("@{[map { $found->{$_} || 0 } qw(Q G D)]}", "$n $n $n",
	   'records: as many Q, G and D as fio did, among other traffic');
	my $done = $found->{C} || 0;
	ok($done <= $n && $done >= $n - $hidden, "... and C: $done of $n");
	is(`$BIN/blkparse $top/rec 2>&1 >/dev/null`, '',
	   'records: nothing is wrong with them');
}

# All that blkparse tells of a capture's events but their order, sorted.  What
# it says of the capture itself, such as the second it began, is no event.
sub told
{
	my ($dir, $name) = @_;
	return sort map { s/^event //r } grep { /^event / }
		`$BIN/blkparse -q -D $dir $name -f 'event %a %d %S %n %e %p\\n'`;
}

# Until its first thread sleeps in ppoll(2), which it does once all is started;
# ftrace is refused while somebody else uses it.
sub wait_tracing
{
	my ($pid) = @_;
	for (1 .. 300) {
		open my $f, '<', "/proc/$pid/syscall" or last;
		return 1 if (<$f> // '') =~ /^(?:7|271) /;
		sleep 0.1;
	}
	return 0;
}

# What ftrace has, but for completions that an interrupt brought while a hidden
# task ran, if our programs have seen nothing at all of that task.
sub without_hidden
{
	my ($ours, $its) = @_;
	my %seen = map { (split)[-1] => 1 } @$ours;
	my (@left, %hidden);

	for (@$its) {
		my ($action, $pid) = (split)[0, -1];
		my $is = $action eq 'C' && !$seen{$pid} && is_hidden($pid);

		$is ? $hidden{$pid}++ : push @left, $_;
	}
	tell_hidden($hidden{$_}, $_) for sort keys %hidden;
	return \@left;
}

# "N x EVENT" where one has more than the other: N > 0 if it is the first
sub differing
{
	my ($ours, $its) = @_;
	my %count;

	$count{$_}++ for @$ours;
	$count{$_}-- for @$its;
	return map { "$count{$_} x $_" } grep { $count{$_} } sort keys %count;
}

# Until a device has had nothing to do for a moment.
sub wait_idle
{
	my ($name) = @_;
	my ($before, $now) = ('', '');
	for (1 .. 100) {
		$now = slurp("/sys/block/$name/stat");
		last if $now eq $before &&
			slurp("/sys/block/$name/inflight") =~ /^\s*0\s+0\s*$/;
		$before = $now;
		sleep 0.2;
	}
}

# The same I/Os and the same counts as the kernel's own tracer has.
sub test_via
{
	my ($top, $loop) = @_;
	my ($name) = $loop =~ m{([^/]+)$};
	my %pid;
	mkdir "$top/$_" for qw(bpf ftrace);
	for my $via (qw(bpf ftrace)) {
		$pid{$via} = fork;
		next if $pid{$via};
		open STDOUT, '>', "$top/$via/out";
		open STDERR, '>&', \*STDOUT;
		exec "$BIN/blktrace", "--via=$via", '-d', $loop, '-D',
			"$top/$via";
	}
	unless (2 == grep { wait_tracing($_) } values %pid) {
		kill INT => values %pid;
		waitpid $_, 0 for values %pid;
		SKIP: { skip slurp("$top/ftrace/out"), 5; }
		return;
	}
	wait_idle($name);	# or what has begun before is in only one
	quiet fio($loop, 'libaio', 'randrw', $JOB, '--direct=1',
		  '--iodepth=16');
	quiet "dd if=/dev/zero of=$loop bs=1M count=20 conv=fsync";
	quiet "blkdiscard -f $loop";
	wait_idle($name);
	for my $via (qw(bpf ftrace)) {
		kill INT => $pid{$via};
		waitpid $pid{$via}, 0;
		is($?, 0, "--via=$via ends well") or diag(slurp("$top/$via/out"));
	}
	my ($ours, $its) = map { [told("$top/$_", $name)] } qw(bpf ftrace);
	cmp_ok(scalar @$ours, '>', 1 << 13, '--via=bpf has recorded');
	like(slurp("$top/bpf/out"), qr/dropped 0/, '--via=bpf drops nothing');
	my @differ = differing($ours, without_hidden($ours, $its));
	is("@differ", '', '--via=bpf gives what ftrace gives');
}

# Messages about drops in a file: the record's time, their number, since when.
sub drops_in
{
	my ($bytes) = @_;
	my ($head, @found) = 48;

	for (my $at = 0; $at + $head <= length $bytes;) {
		my ($time, $len) = unpack 'x8 Q x30 S', substr $bytes, $at,
			$head;
		push @found, [$time / 1e9, $1, $2]
			if substr($bytes, $at + $head, $len) =~
			/^blktrace: (\d+) dropped since (\d+\.\d{9})\z/;
		$at += $head + $len;
	}
	return @found;
}

# Small rings that are not read for a while: the message about it says since
# when, which is before, and when, which is behind.
sub test_via_drops
{
	my ($top, $loop) = @_;
	my ($name) = $loop =~ m{([^/]+)$};
	my $dir = "$top/dropped";

	mkdir $dir or die "$dir: $!\n";
	my $pid = fork;
	unless ($pid) {
		open STDOUT, '>', "$dir/out";
		open STDERR, '>&', \*STDOUT;
		exec "$BIN/blktrace", qw(--via=bpf -b 64 -n 2 -d), $loop, '-D',
			$dir;
	}
	wait_tracing($pid);
	sleep 3;		# looks that find nothing
	kill STOP => $pid;
	my $from = clock_gettime(CLOCK_MONOTONIC);
	quiet "dd if=$loop of=/dev/null bs=512 iflag=direct count=40000";
	my $to = clock_gettime(CLOCK_MONOTONIC);
	kill CONT => $pid;
	kill INT => $pid;
	waitpid $pid, 0;
	my $out = slurp("$dir/out");
	my ($total) = $out =~ /\(dropped (\d+)\)/ or diag($out);
	my @drops = map { drops_in(slurp($_)) }
		glob "$dir/$name.blktrace.*";
	is(scalar @drops, 1, 'one message about drops') or diag($out);
	my ($at, $dropped, $since) = @{$drops[0] // [0, 0, 0]};
	is($dropped, $total, '... with their number');
	cmp_ok($since, '<=', $from, '... since before they began');
	cmp_ok($since, '>', $from - 2.5, '... not long before');
	cmp_ok($at, '>=', $to, '... and behind their end');
}

# --- what it costs ---------------------------------------------------------

sub median
{
	my @sorted = sort { $a <=> $b } @_;
	return $sorted[@sorted / 2];
}

# ns of a cached pread of a file, without and with another one watched
sub test_cost
{
	my ($file) = @_;
	blocks("$file.$_", 256, 'conv=fsync') for qw(read watched);
	my $cost = "$COST $file.read 200000";
	my @more = map {
		my $bare = `$cost`;
		my ($traced) = `$TRACER $file.watched -- $cost`;
		$traced - $bare;
	} 1 .. 9;
	cmp_ok(median(@more), '<=', $COST_MAX,
	       'an unwatched pread costs ' . median(@more) . ' ns more');
}

# 100,000 I/Os a second to the watched file and more
sub test_rate
{
	my ($file) = @_;
	my $start = time;
	my ($status, $said, @lines) = traced("-l vfs $file",
		"$COST $file 1000000");
	my $rate = @lines / (time - $start);
	is($said, '', 'a million calls at full speed: none is lost');
	cmp_ok(scalar @lines, '>=', 1000000, 'all of them are told');
	note sprintf 'about %d lines a second', $rate;
	(undef, $said, @lines) = traced("-r 64 -l vfs $file",
		"$COST $file 1000000");
	my ($lost) = $said =~ /(\d+) lines lost/;
	my $all = @lines + ($lost || 0);
	cmp_ok($all, '>=', 1000000, 'what a small ring loses is said');
}

# --- partitions ------------------------------------------------------------

# A loop device with one partition; its node, or undef where there is none.
sub partition
{
	my ($top, $start, $sectors) = @_;
	my $loop = loop_device($top, 'parted', 64);
	my $entry = pack 'C x3 C x3 V V', 0, 0x83, $start, $sectors;
	open my $out, '+<', "$top/parted" or die "parted: $!\n";
	seek $out, 446, 0;
	print $out $entry, "\0" x 48, "\x55\xaa";
	close $out or die "parted: $!\n";
	quiet "losetup -d $loop; losetup -P $loop $top/parted";
	for (1 .. 200) {
		return "${loop}p1" if -b "${loop}p1";
		sleep 0.05;
	}
	return undef;
}

# the sectors that reading the file from its device has touched
sub sectors_of
{
	my (undef, undef, @lines) = traced($_[0],
		"dd if=$_[1] of=/dev/null bs=64k iflag=direct");
	return map { (split /;/)[2] } grep { /;BLK;/ } @lines;
}

# Sectors are the partition's, as they always were, or with -a the disk's.
sub test_whole_disk
{
	my ($top) = @_;
	my ($start, $mount) = (2048, "$top/part");
	my $node = partition($top, $start, (60 << 20) / 512);
	mkdir $mount;
	if (!$node || quiet("mkfs.ext4 -q $node") ||
	    quiet("mount $node $mount")) {
		note('no partitions on loop devices here');
		return;
	}
	push @{$MOUNTS{$$}}, $mount;
	blocks("$mount/file", 64, 'conv=fsync');
	my @in_partition = sectors_of("$mount/file", "$mount/file");
	my @on_disk = sectors_of("-a $mount/file", "$mount/file");
	cmp_ok(scalar @in_partition, '>', 0, 'a file on a partition');
	is("@on_disk", join(' ', map { $_ + $start } @in_partition),
	   "-a: sectors of the whole disk");
}

# --- all of it -------------------------------------------------------------

sub main
{
	my $top = tempdir('iotracer.XXXXXX', TMPDIR => 1, CLEANUP => 1);
	chmod 0755, $top;	# others read there, too
	my $ext4 = filesystem($top, 'ext4', 'mkfs.ext4', '-q');
	my $xfs = filesystem($top, 'xfs', 'mkfs.xfs', '-q');
	my $btrfs = filesystem($top, 'btrfs', 'mkfs.btrfs', '-q');

	test_profiles('ext4', "$ext4/profile");
	test_profiles('xfs', "$xfs/profile") if $xfs;
	test_buffered('ext4', "$ext4/buffered");
	test_buffered('xfs', "$xfs/buffered") if $xfs;
	test_profile('btrfs', "$btrfs/profile", 'psync', 'randread')
		if $btrfs && blocks("$btrfs/profile", $JOB / $BLOCK,
				    'conv=fsync');
	test_calls("$ext4/calls");
	test_sync("$ext4/calls");
	test_below($ext4);
	test_names_below($ext4);
	test_crowd($ext4);
	test_order("$ext4/profile");
	test_ends($top, "$ext4/profile");
	test_refusals($top, "$ext4/profile");
	test_kernels("$ext4/profile");
	test_interface("$ext4/pinned");
	test_two_files($ext4);
	test_gone($top, $ext4, $xfs);
	test_whole_disk($top);
	test_records($top, "$ext4/records");
	test_via($top, loop_device($top, 'via', 64));
	test_via_drops($top, loop_device($top, 'drops', 64));
	test_cost("$ext4/cost");
	test_rate("$ext4/cost.read");
	done_testing();
}

# The second time round we are in the namespace.
my ($reason) = $ENV{IOTRACER_INSIDE} ? hindrance_inside() : hindrance();
plan skip_all => $reason if $reason;
if ($ENV{IOTRACER_INSIDE}) {
	system 'mount', '-t', 'tracefs', 'tracefs', '/sys/kernel/tracing'
		unless -e '/sys/kernel/tracing/current_tracer';
	main();
} else {
	$ENV{IOTRACER_INSIDE} = 1;
	exec('unshare', '-m', $^X, $0) or die "unshare: $!\n";
}
