#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# blkparse against the world: garbage, cut and lying records, files that
# shrink, full disks, signals, readers that go away, too few descriptors.
#
#	BIN=DIR prove tests/hostile.t
#
# BIN is where the programs are (.), WRAP a checker to put in front of them.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/hostile";
use Cwd 'abs_path';
use File::Temp 'tempdir';
use IO::Compress::Gzip 'gzip';
use POSIX qw(SIGINT mkfifo);
use Process 'patience';
use Records qw(record trace queue_lines $HEADER);
use Suite::Files qw(slurp spew);
use Suite::Run qw(find_programs run_command);
use Suite::Terminal 'new_terminal';
use Test::More;
use Time::HiRes qw(sleep time);

my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my $TOP = tempdir('hostile.XXXXXX', TMPDIR => 1, CLEANUP => 1);
my $CHECKED = $ENV{WRAP};
my $SIGPIPE = 128 + 13;

die "no blkparse in $PROGRAMS->{dir}\n" unless -x "$PROGRAMS->{dir}/blkparse";

# a new empty directory
my $dirs = 0;
sub new_dir
{
	my $dir = "$TOP/" . $dirs++;
	mkdir $dir or die "$dir: $!\n";
	return $dir;
}

# a new directory with x.blktrace.0 of these bytes
sub dir_with
{
	my ($bytes) = @_;
	my $dir = new_dir();
	spew("$dir/x.blktrace.0", $bytes);
	return $dir;
}

# a shell line there; { out, err, rc, late }
sub run_in
{
	my ($dir, $command) = @_;
	return run_command($command, $dir, $PROGRAMS);
}

# { file => result, pipe => result } of these bytes
sub run_both
{
	my ($bytes) = @_;
	my $dir = dir_with($bytes);

	return {
		file => run_in($dir, 'blkparse x'),
		pipe => run_in($dir, 'cat x.blktrace.0 | blkparse -'),
	};
}

# a command there that is watched while it runs
sub start_in
{
	my ($dir, $command, @how) = @_;
	return Process->start($command, $dir, $PROGRAMS->{path}, @how);
}

# stderr is exactly one line of ours that matches
sub says_once
{
	my ($err, $pattern, $name) = @_;
	like($err, qr/\Ablkparse: [^\n]*$pattern[^\n]*\n\z/, $name);
}

# --- garbage -----------------------------------------------------------------

# Any bytes at all; with MAGIC some that look like records, too.
sub random_bytes
{
	my ($seed, $len, $magic) = @_;
	my $bytes = '';

	srand $seed;
	while (length $bytes < $len) {
		$bytes .= pack 'L', 0x65617400 | int rand 10
			if $magic && rand() < 0.3;
		$bytes .= join '', map { chr int rand 256 } 1 .. rand 80;
	}
	return $bytes;
}

# Nothing is readable, so nothing is shown; what matters is how it ends.
sub test_garbage
{
	my @kinds = (
		['random bytes', 1, sub { random_bytes($_[0], 20000, 0) }],
		['random bytes with magics', 8,
		 sub { random_bytes($_[0], 20000, 1) }],
		['what calls itself gzip', 1,
		 sub { "\x1f\x8b\x08" . random_bytes($_[0], 5000, 0) }],
	);

	for my $kind (@kinds) {
		my ($name, $count, $make) = @$kind;
		for my $seed (1 .. $count) {
			my $got = run_both($make->($seed));
			is_deeply([map { $got->{$_}{rc} } qw(file pipe)],
				  [1, 1],
				  "$name ($seed): status 1, file and pipe");
			like("$got->{file}{err}$got->{pipe}{err}",
			     qr/\A(?:blkparse: \S+( input)?: byte .*\n){2,}\z/,
			     "... and all that is said tells where");
		}
	}
}

# --- cuts --------------------------------------------------------------------

# offset => number of records that end there
sub borders
{
	my ($bytes) = @_;
	my ($at, $count, %borders) = (0, 0, 0 => 0);

	while ($at < length $bytes) {
		$at += $HEADER + unpack 'v', substr $bytes, $at + 46, 2;
		$borders{$at} = ++$count;
	}
	return \%borders;
}

# Events shown must be those whose records are whole.
sub test_cuts
{
	my $bytes = join '', map {
		record(number => $_, time => $_ * 1000,
		       payload => 'p' x (5 * ($_ % 3)))
	} 1 .. 7;
	my $borders = borders($bytes);
	my ($whole, @wrong, %seen) = (0);

	for my $len (0 .. length $bytes) {
		$whole = $borders->{$len} if defined $borders->{$len};
		# a checker's patience is for the borders
		next if $CHECKED && $len % 13 &&
			!defined $borders->{$len};
		my $want = defined $borders->{$len} ? 0 : 1;
		my $got = run_both(substr $bytes, 0, $len);
		for my $way (qw(file pipe)) {
			my $shown = () = queue_lines($got->{$way}{out});
			push @wrong, "$way of $len: status $got->{$way}{rc}, "
				. "$shown shown" unless
				$got->{$way}{rc} == $want && $shown == $whole;
			$seen{$got->{$way}{rc}}++;
		}
	}
	is_deeply(\@wrong, [], 'a trace cut at any byte: status 1 exactly'
		  . ' inside a record, and whole records are shown');
	ok($seen{0} && $seen{1}, '... of which both were met');
}

# --- broken gzip ------------------------------------------------------------

# The bytes from a given place on are not what they were.
sub test_gzip
{
	my $count = 500;
	my $plain = trace(1, $count);

	gzip(\$plain => \my $packed, -Minimal => 1) or die "gzip failed\n";
	my %broken = (
		'a wrong checksum' => [$count, 8, "\xff" x 4],
		'a cut end' => [$count, 8, ''],
		'a fault half-way' => [1, length($packed) / 2, "\xff" x 9],
	);
	for my $what (sort keys %broken) {
		my ($least, $from_end, $bytes) = @{$broken{$what}};
		my $got = run_both(substr($packed, 0, -$from_end) . $bytes);
		for my $way (qw(file pipe)) {
			my @shown = queue_lines($got->{$way}{out});
			is($got->{$way}{rc}, 1,
			   "gzip with $what, $way: status 1");
			cmp_ok(scalar(@shown), '>=', $least,
			       '... what was readable is shown');
			is_deeply(\@shown, [1 .. @shown], '... and no more');
		}
	}
}

# --- lies --------------------------------------------------------------------

# 8192 is the first that no kernel has; both would be huge tables.
sub test_cpu_number
{
	for my $cpu (0xffffffff, 8192) {
		my $bad = record(number => 4, time => 4000, cpu => $cpu);
		my $got = run_both(trace(1, 3) . $bad . trace(5, 9));
		for my $way (qw(file pipe)) {
			is_deeply([queue_lines($got->{$way}{out})],
				  [1 .. 3, 5 .. 9],
				  "CPU number $cpu, $way: all others shown");
			is($got->{$way}{rc}, 1, '... status 1');
			says_once($got->{$way}{err}, 'byte 144: .*CPU',
				  '... and told where it is');
		}
	}
}

# Whole batches of what is passed over are not the end of the file.
sub test_foreign_cpu
{
	my $dir = dir_with(trace(1, 2) . trace(3, 1200, cpu => 5) .
			   trace(1201, 1208));

	for my $options ('', '-b 1 ') {
		my $got = run_in($dir, "blkparse ${options}x");
		is_deeply([queue_lines($got->{out})], [1, 2, 1201 .. 1208],
			  "${options}1198 records of another CPU hide"
			  . ' nothing behind them');
		is($got->{rc}, 1, '... status 1');
	}
}

# the numbers of a list without those gone
sub without
{
	my ($list, @gone) = @_;
	my %gone = map { $_ => 1 } @gone;
	return grep { !$gone{$_} } @$list;
}

# Under a checker, which is slow, every 23rd is enough.
sub few
{
	return grep { !$CHECKED || $_ % 23 == 0 } @_;
}

# A payload length that is too long by LEN: what it swallows whole is its
# payload for all we know; all that follows must come.
sub swallowed
{
	my ($len) = @_;
	return $len % $HEADER ? () : (6 .. 5 + $len / $HEADER);
}

# Where the records behind do not follow on the payload, the search for them
# starts inside it.  65535 reaches beyond the end of the file.
sub test_long_payloads
{
	my (@wrong, @quiet);

	for my $len (few(1 .. 200), 1000, 65535) {
		my $lie = record(number => 5, time => 5000, pdu_len => $len);
		my $got = run_both(trace(1, 4) . $lie . trace(6, 40));
		my @want = without([6 .. 40], swallowed($len));
		for my $way (qw(file pipe)) {
			my %shown = map { $_ => 1 }
				queue_lines($got->{$way}{out});
			my @lost = grep { !$shown{$_} } 1 .. 4, @want;
			push @wrong, "$way, $len: without @lost" if @lost;
			push @quiet, "$way, $len" if $len % $HEADER &&
				!$got->{$way}{rc};
		}
	}
	is_deeply(\@wrong, [], 'payload lengths that are too long hide'
		  . ' nothing behind them');
	is_deeply(\@quiet, [], '... and are found out');
}

# What is left of the payload stands where a record should.
sub test_short_payloads
{
	my @wrong;

	for my $len (few(0 .. 99)) {
		my $lie = record(number => 5, time => 5000,
				 payload => 'x' x 100, pdu_len => $len);
		my $got = run_both(trace(1, 4) . $lie . trace(6, 12));
		for my $way (qw(file pipe)) {
			my @shown = queue_lines($got->{$way}{out});
			push @wrong, "$way, $len: @shown, $got->{$way}{rc}"
				unless "@shown" eq "@{[1 .. 12]}" &&
				$got->{$way}{rc} == 1;
		}
	}
	is_deeply(\@wrong, [], 'payload lengths that are too short hide'
		  . ' nothing, status 1');
}

# The reader is stuck in a full pipe long before it has read 4 MiB.
sub test_shrinking
{
	my $dir = dir_with(trace(1, 87000));
	my $run = start_in($dir, ['blkparse', 'x']);

	$run->read_until(qr/\n/);
	truncate "$dir/x.blktrace.0", 1000 * $HEADER or die "truncate: $!\n";
	is($run->finish, 1, 'a file that shrinks while it is read:'
	   . ' status 1');
	like($run->errors, qr/\Ablkparse: x.blktrace.0: byte \d+: .*shorter/,
	     '... it is said');
	my @shown = queue_lines($run->text);
	is_deeply(\@shown, [1 .. @shown], '... and all that was read is shown');
}

# --- full disks --------------------------------------------------------------

# Little text fails at the end only, when the summary is behind it.
sub test_full_device
{
	my $dir = dir_with(trace(1, 2000));
	my $plain = run_in($dir, 'blkparse x')->{out};
	my %full = (
		'-o' => 'blkparse x -o /dev/full',
		'standard output' => 'blkparse x > /dev/full',
		'-d' => 'blkparse x -d /dev/full',
		'added lines' => 'blkparse -O x > /dev/full',
		'-d without text' => 'blkparse -O x -d /dev/full',
		'-o from a pipe' =>
			'cat x.blktrace.0 | blkparse - -o /dev/full',
	);

	for my $what (sort keys %full) {
		my $got = run_in($dir, $full{$what});
		is($got->{rc}, 1, "$what on a full disk: status 1");
		says_once($got->{err}, 'cannot write .*No space left',
			  '... and one line on standard error');
		is($got->{out}, $plain, '... the text is all there')
			if $what eq '-d';
	}
}

# A real file system of 64 KiB, in a mount namespace that ends with the run.
sub test_full_file_system
{
	my $dir = dir_with(trace(1, 5000));
	my $mount = "mkdir small && unshare -m sh -c '"
		. 'mount -t tmpfs -o size=64k none small || exit 77; ';

	run_in($dir, 'blkparse x -o plain -d dump');
	for my $case (['-o' => 'plain'], ['-d' => 'dump']) {
		my ($option, $like) = @$case;
		my $got = run_in($dir, $mount . "blkparse -O x $option small/f"
			=~ s/-O //r . '; rc=$?; cp small/f kept; exit $rc\'');
		rmdir "$dir/small";
		SKIP: {
			skip 'no private mount here', 3 if $got->{rc} == 77 ||
				$got->{err} =~ /^unshare:/m;
			is($got->{rc}, 1, "$option on a disk that fills up:"
			   . ' status 1');
			says_once($got->{err}, 'small/f.*No space left',
				  '... and one line on standard error');
			my $kept = slurp("$dir/kept");
			ok(length $kept && $kept eq substr(
				slurp("$dir/$like"), 0, length $kept),
			   '... what fitted in is as it should be');
		}
	}
}

# --- terminals ---------------------------------------------------------------

# What a program's name is made of must not steer a terminal; elsewhere text is
# what it is.
sub test_terminal
{
	my ($slave, $path, $master) = new_terminal();
	my ($note, $message) = (1 << 26, 1 << 26 | 2);
	my $dir = dir_with(record(action => $note,
				  payload => "\e[31mx\xe2\x80\xae")
			   . record(number => 1, time => 1)
			   . record(number => 2, action => $message,
				    time => 2,
				    payload => "\e[2J\xe2\x81\xa6\n"));
	my %options = ('lines and processes' => '-s', 'a format' => "-f '%C '",
		       '-o' => "-o $path");

	SKIP: {
		skip 'no terminal to be had', 9 unless $master;
		for my $what (sort keys %options) {
			my $command = "blkparse -q $options{$what} x";
			my $text = '';

			is(run_in($dir, "$command >$path")->{rc}, 0,
			   "$what on a terminal: status 0");
			# it comes in pieces; this is the last line
			while ($text !~ /Trace started .*\n/) {
				sysread $master, $text, 65536, length $text
					or die "$path: $!\n";
			}
			like($text, qr/\Q\x1b[31mx/,
			     '... what would steer it is shown');
			unlike($text, qr/\e|\xe2/,
			       '... and does not steer it');
		}
	}
	my $got = run_in($dir, 'blkparse -q -s x')->{out};
	like($got, qr/\[\e\[31mx\xe2\x80\xae\]/,
	     'names in a pipe are what they are');
	like($got, qr/ N \e\[2J\xe2\x81\xa6\n\n/, '... and so are messages');
}

# --- bounds -------------------------------------------------------------------

# One more process, with a name and a request, than any table has room for.
sub test_bounds
{
	my ($dir, $note) = (new_dir(), 1 << 26);
	my $pair = record(action => $note, payload => "dd\0\0") . record();
	my ($named, $queued) = (0, length($pair) - $HEADER);

	open my $out, '>', "$dir/x.blktrace.0" or die "$dir: $!\n";
	for my $pid (1 .. 2 ** 20 + 1) {
		# number, time, sector; and both pids
		substr($pair, $queued + 4, 20) = pack 'L Q Q', $pid, $pid, $pid;
		substr($pair, $_ + 32, 4) = pack 'L', $pid
			for $named, $queued;
		print $out $pair;
	}
	close $out or die "$dir: $!\n";
	my $got = run_in($dir, "blkparse -ts -f '' x >/dev/null");
	is($got->{rc}, 0, 'more than there is room for: status 0');
	is(() = $got->{err} =~ /^blkparse: .*$/mg, 3, '... and three lines');
	for my $what ('1048576 requests .* 1 more', '1048576 names .* 1 more',
		      '262144 processes .* 786433 events') {
		like($got->{err}, qr/$what/, "... $what");
	}
}

# --- signals -----------------------------------------------------------------

# how a signal's end must look: everything shown, a summary, status 0; in
# damage 1, and a word of what it is
sub ends_well
{
	my ($run, $count, $name, $damage) = @_;
	my $status = $damage ? 1 : 0;
	my $begun = time;

	is($run->finish, $status, "$name: status $status");
	cmp_ok(time - $begun, '<', patience(5), '... promptly');
	is_deeply([queue_lines($run->text)], [1 .. $count],
		  '... with all events') if $count;
	like($run->text, qr/^Trace started at/m, '... and a summary');
	if ($damage) {
		like($run->errors, $damage, '... standard error says what');
	} else {
		is($run->errors, '', '... without a word on standard error');
	}
}

# 1.3.0 hangs in opening it.
sub test_silent_fifo
{
	my $dir = new_dir();
	mkfifo("$dir/fifo", 0600) or die "mkfifo: $!\n";
	my $run = start_in($dir, ['blkparse', 'fifo']);

	$run->wait_for_handler(SIGINT);
	sleep patience(0.3);
	ok($run->runs, 'a FIFO without a writer is waited for');
	$run->signal('INT');
	ends_well($run, 0, 'SIGINT ends the wait');
}

# Records 1 to 5 have come and then nothing more, pipe still open.
sub test_signals
{
	for my $signal (qw(INT TERM HUP)) {
		pipe my $in, my $into or die "pipe: $!\n";
		my $run = start_in(new_dir(), ['blkparse', '-'], in => $in);
		close $in;
		syswrite $into, trace(1, 5);
		# shown after half a second of silence: so it is in its loop
		$run->read_until(qr/ 40 \+ 8 .*\n/);
		$run->signal($signal);
		ends_well($run, 5, "SIG$signal while a pipe is silent");
		close $into;
	}
}

# Bytes that are no trace, without end: nothing is read that could be shown.
sub test_signals_in_damage
{
	my $dir = new_dir();
	my %inputs = (zeros => '/dev/zero', chance => '/dev/urandom');
	my %whats = (zeros => 'zeros', chance => 'not a trace record');
	my $place = 'byte 0: %s, \d+ bytes passed over';

	for my $what (sort keys %inputs) {
		open my $in, '<', $inputs{$what} or die "$inputs{$what}: $!\n";
		my $run = start_in($dir, ['blkparse', '-i', '-'], in => $in);
		$run->wait_for_handler(SIGINT);
		sleep patience(0.3);
		$run->signal('INT');
		my $passed = sprintf "standard input: $place", $whats{$what};
		ends_well($run, 0, "SIGINT in a pipe of $what", qr/: $passed$/);
	}
	open my $hole, '>', "$dir/x.blktrace.0" or die "x: $!\n";
	truncate $hole, 2 ** 40 or die "truncate: $!\n";
	my $run = start_in($dir, ['blkparse', 'x']);
	$run->wait_for_handler(SIGINT);
	sleep patience(0.3);
	$run->signal('INT');
	my $passed = sprintf $place, 'zeros';
	ends_well($run, 0, 'SIGINT in a file of zeros',
		  qr/: x\.blktrace\.0: $passed$/);
	for my $command ([qw(btt -i -)], [qw(blkiomon -I 999 -h report)]) {
		$run = start_in($dir, $command, in => open_zeros());
		$run->wait_for_handler(SIGINT);
		sleep patience(0.3);
		$run->signal('INT');
		is($run->finish, 1, "SIGINT ends $command->[0] in zeros,"
		   . ' status 1');
		like($run->errors, qr/: standard input: $passed$/m,
		     '... standard error says what');
	}
}

sub open_zeros
{
	open my $in, '<', '/dev/zero' or die "/dev/zero: $!\n";
	return $in;
}

# --- readers that go away ----------------------------------------------------

# The status is that of a death by SIGPIPE even where the signal is ignored, as
# a program without a word and with status 0 would look like success.
sub test_closed_pipe
{
	my $dir = dir_with(trace(1, 87000));
	my %commands = (
		'text' => ['blkparse', 'x'],
		'a dump' => ['blkparse', '-O', 'x', '-d', '-'],
		'text and dump' => ['blkparse', 'x', '-d', '-'],
	);

	for my $what (sort keys %commands) {
		for my $ignored ('', 'PIPE') {
			my $run = start_in($dir, $commands{$what},
					   ignore => $ignored);
			my $name = "nobody reads $what on"
				. ($ignored && ', SIGPIPE ignored');
			$run->read_until(qr/./s);
			$run->close_out;
			is($run->finish, $SIGPIPE, "$name: SIGPIPE");
			# beside a dump the file is named there
			is($run->errors =~ s/^blkparse: Input file .*\n//r,
			   '', '... without a word');
		}
	}
}

# What is opened next must not become the standard output.
sub test_closed_at_start
{
	my $bytes = trace(1, 3000);
	my $dir = dir_with($bytes);
	my $plain = run_in($dir, 'blkparse x -d right');
	my %commands = (
		'standard output' => 'blkparse x -d dump >&-',
		'all three' => 'blkparse x -d dump <&- >&- 2>&-',
		'input and output' => 'blkparse x -d dump -o text <&- >&-',
		'standard error' => 'blkparse x nothing -d dump -v 2>&-',
	);

	for my $what (sort keys %commands) {
		# valgrind does not start without a standard error
		next if $CHECKED && $commands{$what} =~ /2>&-/;
		unlink "$dir/dump", "$dir/text";
		my $got = run_in($dir, $commands{$what});
		is($got->{rc}, $what eq 'standard error' ? 1 : 0,
		   "$what closed at start: the status is the usual one");
		is(slurp("$dir/x.blktrace.0"), $bytes,
		   '... the trace is not touched');
		# with a name too many there is no dump to compare
		is(slurp("$dir/dump"),
		   $got->{rc} ? '' : slurp("$dir/right"),
		   '... the dump has nothing else in it');
	}
	is(slurp("$dir/text"), $plain->{out} =~ s/^\nInput file.*//msr,
	   'the text in a file is what it would have been')
		if -e "$dir/text";
}

# --- many files --------------------------------------------------------------

my ($CPUS, $DEVICES) = (100, 8);

# two directories, each with that many devices of that many CPUs
sub make_many_files
{
	my $dir = new_dir();

	for my $sub (qw(one two)) {
		mkdir "$dir/$sub" or die "mkdir: $!\n";
		for my $device (1 .. $DEVICES) {
			spew("$dir/$sub/md$device.blktrace.$_",
			     record(cpu => $_)) for 0 .. $CPUS - 1;
		}
	}
	return $dir;
}

sub hard_limit
{
	my $limit = `sh -c 'ulimit -Hn'`;
	return $limit =~ /^(\d+)/ ? $1 : 1e9;
}

# Soft limits are for shells; the hard one is what an administrator means.
sub test_many_files
{
	my $dir = make_many_files();
	my $files = 2 * $CPUS * $DEVICES;

	SKIP: {
		skip 'the hard limit of open files is too low', 2
			if hard_limit() < $files + 100;
		skip 'valgrind holds to the soft limit', 2 if $CHECKED;
		my $got = run_in($dir, 'ulimit -Sn 1024; blkparse one two');
		is($got->{rc}, 0, "$files files under a soft limit of 1024");
		is(scalar(() = queue_lines($got->{out})), $files,
		   '... all are read');
	}
	# the leak checker needs descriptors of its own
	my $got = run_in($dir, 'ulimit -n 200;
		ASAN_OPTIONS=detect_leaks=0 blkparse one two');
	is($got->{rc}, 1, 'the same under a hard limit of 200: status 1');
	says_once($got->{err}, 'too many files .*ulimit -n',
		  '... and one line says what to do');
}

test_garbage();
test_cuts();
test_gzip();
test_cpu_number();
test_foreign_cpu();
test_long_payloads();
test_short_payloads();
test_shrinking();
test_full_device();
test_full_file_system();
test_silent_fifo();
test_terminal();
test_bounds() unless $CHECKED;
test_signals();
test_signals_in_damage();
test_closed_pipe();
test_closed_at_start();
test_many_files();
done_testing();
