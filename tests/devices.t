#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Block devices as operands of btstat, btreport, btexport and iowatcher: how
# blktrace is started, where its trace goes, what is refused, and that nothing
# is left however it ends.  tests/live/devices.t does so with the kernel.
#
#	BIN=DIR prove tests/devices.t
#
# The programs are copied beside a script that is called blktrace.  It writes
# its words to LOG, and a recorded trace for each device.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/hostile";
use Cwd 'abs_path';
use File::Copy 'copy';
use File::Temp 'tempdir';
use Names 'steering_trace';
use Process;
use Suite::Files qw(slurp spew);
use Suite::Run qw(find_programs run_command);
use Test::More;
use Time::HiRes qw(sleep time);

my @PROGRAMS = qw(btstat btreport btexport iowatcher);
my ($DISK, $OTHER) = grep { -b } glob '/dev/*';
plan skip_all => 'two block devices are needed' unless defined $OTHER;

my $FROM = abs_path($ENV{BIN} || '.');
my $TOP = abs_path(tempdir('devices.XXXXXX', TMPDIR => 1, CLEANUP => 1));
my ($BIN, $TMP, $DIR, $LOG) = map { "$TOP/$_" } qw(bin tmp here log);
mkdir $_ for $BIN, $TMP, $DIR;
for my $name (@PROGRAMS) {
	copy("$FROM/$name", $BIN) or die "$name: $!\n";
	chmod 0755, "$BIN/$name";
}
my $RUNS = find_programs($BIN);
my ($NAME, $SECOND) = map { abs_path($_) =~ s{.*/}{}r } $DISK, $OTHER;

spew("$TOP/trace", steering_trace(0));
spew("$BIN/blktrace", <<'SCRIPT' =~ s/TOP/$TOP/gr);
#!/bin/sh
echo "$*" >>TOP/log
echo totals
dir=. name=
case "$1" in -k) exit 0 ;; esac
until [ "$1" = -- ]; do
	case "$1" in
	-D) dir=$2; mkdir -p "$dir" ;;
	-o) name=$2 ;;
	esac
	shift
done
shift
for device; do
	cp TOP/trace "$dir/${name:-$(basename $(realpath $device))}.blktrace.0"
done
trap 'echo stopped >>TOP/log; exit 0' INT TERM HUP
echo ready >>TOP/log
. TOP/then
SCRIPT
chmod 0755, "$BIN/blktrace";

# what blktrace does when it has written its trace
sub then_it
{
	my ($shell) = @_;
	spew("$TOP/then", "$shell\n");
	unlink $LOG;
}

sub run
{
	my ($command) = @_;
	return run_command("TMPDIR=$TMP $command", $DIR, $RUNS);
}

# what blktrace was given, a line for each start
sub started
{
	my @lines = -e $LOG ? split /\n/, slurp($LOG) : ();
	return [grep { !/^(?:ready|stopped)$/ } @lines];
}

sub left
{
	return join ' ', map { s{.*/}{}r } glob "$TMP/*";
}

# --- what is captured -------------------------------------------------------

sub test_command
{
	my ($command, $words, $what) = @_;
	then_it('exit 0');
	my $got = run($command);

	is($got->{rc}, 0, "$what: status 0") or diag($got->{err});
	my ($line) = @{started()};
	like($line // '', qr/^$words$/, '... with its options');
	unlike($got->{out}, qr/totals/, '... but not its output');
	is(left(), '', '... and nothing is left');
	return $got;
}

my $IN = qr{-D \Q$TMP\E/blktrace-\w{6}};
my $ALL = qr{-w 10 $IN --progress -- $DISK};
for my $program (@PROGRAMS) {
	test_command("$program $DISK", $ALL, "$program DEVICE");
}
ok(-s "$DIR/$NAME.html", 'the page has the name of the device');
test_command("btstat -w 3 $DISK", qr{-w 3 .*}, '-w N');
test_command("btstat -w 1:3 $DISK", qr{-w 3 .*}, '-w START:END');
test_command("btstat -w 2.5 $DISK", qr{-w 3 .*}, '-w N.N');
test_command("iowatcher -x 0:3.5 $DISK", qr{-w 4 .*}, 'iowatcher -x');
test_command("btstat --no-progress $DISK", qr{-w 10 $IN -- $DISK},
	     '--no-progress');
test_command("btexport $DISK $OTHER", qr{.*-- $DISK $OTHER}, 'two devices');
test_command("btreport --compare $DISK $OTHER", qr{.*-- $DISK $OTHER},
	     '--compare');
unlike(test_command("btstat -w 3 $DISK", qr{.*}, '-w N')->{out}, qr/^window/m,
       '-w N: what was captured is not cut');
like(test_command("btstat -w 0.001 $DISK", qr{-w 1 .*}, '-w 0.001')->{out},
     qr/^window +0\.001 s/m, '... and the second that was captured is cut');

symlink $DISK, "$DIR/linked";
like(test_command('btstat linked', qr{.* -- linked}, 'a link')->{out},
     qr/^trace +$NAME,/m, '... has the name of what it leads to');

# By relay files blktrace has a device's name from the kernel, not from its node.
SKIP: {
	my $number = (stat $DISK)[6];
	my ($major, $minor) = ($number >> 8 & 0xfff, $number & 0xff);
	my $link = readlink "/sys/dev/block/$major:$minor";

	skip 'no node can be made', 2 if !defined $link ||
		system "mknod $DIR/node b $major $minor 2>/dev/null";
	my $name = $link =~ s{.*/}{}r;
	then_it("mv \$dir/node.blktrace.0 \$dir/$name.blktrace.0; exit 0");
	my $got = run('btstat node');
	is($got->{rc}, 0, 'a node of another name: status 0') or
		diag($got->{err});
	like($got->{out}, qr/^trace +$name,/m, '... it is what the kernel says');
}

# --- what is kept ----------------------------------------------------------

sub test_kept
{
	my ($command, $words, @files) = @_;
	then_it('exit 0');
	my $got = run($command);
	my ($line) = @{started()};

	is($got->{rc}, 0, "$command: status 0") or diag($got->{err});
	like($line, $words, '... blktrace gets the name');
	is_deeply([grep { -s "$DIR/$_" } @files], \@files, '... it is kept');
	is(left(), '', '... and nothing else');
	return $got->{out};
}

my $shown = test_kept("btstat --keep=kept $DISK", qr/-o kept /,
		      'kept.blktrace.0');
is(run('btstat kept')->{out}, $shown, '... and says the same again');
test_kept("btstat --keep=some/ $DISK", qr{-D some },
	  "some/$NAME.blktrace.0");
test_kept("btexport --keep=some $DISK", qr{-D some },
	  "some/$NAME.blktrace.0");
test_kept("btreport --keep=two $DISK $OTHER", qr{-D two },
	  map { "two/$_.blktrace.0" } $NAME, $SECOND);
test_kept("iowatcher --keep=drawn $DISK", qr{-o drawn }, 'drawn.blktrace.0');
test_kept("iowatcher --keep=some -o some.svg $DISK", qr{-D some },
	  "some/$NAME.blktrace.0", 'some.svg');

# The commands that a page offers name the trace, if it still exists.
sub input_of
{
	my ($command) = @_;
	run($command);
	my ($page) = grep { -e } map { "$DIR/$_" } 'page.json', 'page.html';
	my ($input) = slurp($page) =~ /"input":"([^"]*)"/;
	unlink glob "$DIR/page.*";
	return $input;
}

then_it('exit 0');
for my $page ('btreport -o page.html --json=page.json',
	      'iowatcher --html=page.html') {
	is(input_of("$page --keep=some $DISK"), "some/$NAME",
	   "$page --keep: commands name the trace");
	is(input_of("$page $DISK"), '', '... without it, none');
}

# --- what is refused ---------------------------------------------------------

for my $case (
	["btstat $DISK kept", qr/is a device/],
	["btstat kept $DISK", qr/is a device/],
	["btexport - $DISK", qr/is a device/],
	["btstat -D here $DISK", qr/-D .*--keep/],
	["btexport -D here $DISK", qr/-D .*--keep/],
	["iowatcher -D here $DISK", qr/-D .*--keep/],
	["iowatcher -t kept $DISK", qr/Extra arguments/],
	["iowatcher -d $DISK $DISK", qr/Extra arguments/],
	["btstat --keep=x kept", qr/--keep .*device/],
	["btreport --keep=x kept", qr/--keep .*device/],
	["btexport --keep=x kept", qr/--keep .*device/],
	["btexport --schema --keep=x", qr/--keep .*device/],
	["iowatcher --keep=x -t kept", qr/--keep .*device/],
	["btstat --keep= $DISK", qr/--keep .*name/],
	["btstat --keep=- $DISK", qr/--keep .*name/],
	["btstat -w -5 $DISK", qr/capture takes at most/],
	["btstat --explain --top=3 $DISK", qr/--explain/],
) {
	my ($command, $words) = @$case;
	then_it('exit 0');
	my $got = run($command);

	is($got->{rc}, 1, "$command: refused");
	like($got->{err}, $words, '... with a reason');
	is_deeply(started(), [], '... before anything is captured');
	is(left(), '', '... and nothing is left');
}
my $got = run("TMPDIR=$TOP/none btstat $DISK");
is($got->{rc}, 1, 'a TMPDIR that does not exist: status 1');
like($got->{err}, qr{\Q$TOP\E/none.*TMPDIR.*No such file}, '... and why');
is(run('iowatcher --keep -t kept')->{rc}, 0,
   'iowatcher --keep is --keep-movie-svgs, as in 1.3.0');

# --- how blktrace ends -------------------------------------------------------

for my $program (@PROGRAMS) {
	then_it('echo "blktrace: cannot" >&2; exit 3');
	$got = run("$program $DISK");
	is("$got->{rc} $got->{out}", '3 ', "$program: blktrace's status");
	is($got->{err}, "blktrace: cannot\n", '... and message, alone');
	is(left(), '', '... and nothing is left');
}
then_it('kill -9 $$');
$got = run("btstat $DISK");
is("$got->{rc} $got->{out}", '137 ', 'blktrace is killed: its status');
like($got->{err}, qr/^btstat: blktrace was killed by signal 9 /,
     '... with a message');
is_deeply([map { s/.*(?=--)//r } grep { /^-k/ } @{started()}], ["-- $DISK"],
	  '... and its trace is stopped');
is(left(), '', '... and nothing is left');
then_it('trap - INT; kill -INT $$');
$got = run("btstat $DISK");
is("$got->{rc} $got->{err}", '130 ', 'interrupted before it traces: silently');
rename "$BIN/blktrace", "$BIN/away";
$got = run("PATH=/nonexistent $BIN/btstat $DISK");
is($got->{rc}, 1, 'no blktrace: status 1');
like($got->{err}, qr/^btstat: cannot run blktrace: No such file/, '... and why');
is(left(), '', '... and nothing is left');
rename "$BIN/away", "$BIN/blktrace";

# --- how the program ends ---------------------------------------------------

sub wait_for
{
	my ($happened) = @_;
	my $until = Process::deadline();

	sleep 0.02 until $happened->() || time > $until;
}

sub logged
{
	my ($word) = @_;
	return -e $LOG && slurp($LOG) =~ /^$word$/m;
}

# one that captures until it is ended
sub start
{
	my (@command) = @_;
	then_it('sleep 60 & wait');
	local $ENV{TMPDIR} = $TMP;
	my $p = Process->start([@command, $DISK], $DIR, $BIN);

	wait_for(sub { logged('ready') });
	return $p;
}

for my $signal (qw(INT TERM HUP)) {
	my $p = start("$BIN/btstat");
	$p->signal($signal);
	is($p->finish, 0, "$signal ends the capture: status 0");
	like($p->text, qr/^I\/Os/m, '... what it has is shown');
	is(left(), '', '... and nothing is left');
}
my $p = start("$BIN/btstat");
$p->signal('KILL');
$p->finish;
wait_for(sub { logged('stopped') });
ok(logged('stopped'), 'KILL: the capture ends, too');
system 'rm', '-r', glob "$TMP/*";

# While nobody reads the FIFO, the process that reads the trace waits.
sub reader_of
{
	my ($pid, $blktrace) = @_;
	my @children = split ' ', slurp("/proc/$pid/task/$pid/children");
	my ($child) = grep { $_ != $blktrace } @children;
	return $child;
}

system 'mkfifo', "$DIR/fifo";
# TERM: 143, before btstat catches it
for my $end (['TERM', qr/^(?:1|143)$/], ['KILL', qr/^137$/]) {
	my ($signal, $status) = @$end;
	my $p = start("$BIN/btstat", '-o', 'fifo');
	my $blktrace = reader_of($p->pid, 0);
	my $reader;

	$p->signal('INT');
	wait_for(sub { $reader = reader_of($p->pid, $blktrace) });
	# it may have to be interrupted in the right call
	wait_for(sub {
		kill $signal, $signal eq 'KILL' ? $reader : $p->pid;
		return !$p->runs;
	});
	like($p->finish, $status, "$signal while it reads: the status");
	is(left(), '', '... and nothing is left');
}
done_testing();
