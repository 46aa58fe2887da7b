#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# What programs that read traces can reach once the first byte is read, with
# every kind of operand: tests/reach/golden lists all that can be opened, made,
# renamed, removed and executed then, and each line must follow from operands.
#
#	BIN=DIR prove tests/reach.t [:: --write]
#
# tests/reach/probe.c tries it from inside the program, and asks its opener,
# with names in NAMES.  --write writes the list anew: read what it changes.  Not
# in it are the system's libraries, locales and time zones, /dev/null and
# /dev/tty, which all of them keep.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/hostile";
use Cwd 'abs_path';
use File::Path 'remove_tree';
use File::Temp 'tempdir';
use Records 'trace_of_ios';
use Suite::Files qw(slurp spew);
use Test::More;

my $HERE = $FindBin::Bin;
my $BIN = abs_path($ENV{BIN} || '.');
my $GOLDEN = "$HERE/reach/golden";
my $TOP = abs_path(tempdir('reach.XXXXXX', TMPDIR => 1, CLEANUP => 1));
my $LANDLOCK_VERSION = 444;	# landlock_create_ruleset(2), and a flag of it

# each with IN in place of the operand, and a file that is standard input
my @OPERANDS = (
	['a device', 'sda'], ['its file', 'sda.blktrace.0'],
	['a dump', 'dump'], ['a directory', 'run'],
	['a link to one', 'linked'], ['files that are links', 'links/sda'],
	['segments', 'rotated'], ['a FIFO', 'fifo'], ['a pipe', '-'],
	['standard input by its name', '/dev/stdin <dump'], ['the root', '/'],
);
my %READERS = (
	blkparse => 'blkparse IN', btstat => 'btstat IN', btt => 'btt IN',
	btexport => 'btexport --format=csv IN', btreport => 'btreport -o - IN',
	blktop => 'blktop -b IN', iowatcher => 'iowatcher -o - -t IN',
	btpack => 'btpack -o - IN',
	btrecord => 'btrecord -D out IN', blkrawverify => 'blkrawverify IN',
	blktrace => 'blktrace --card IN',
	verify_blkparse => 'verify_blkparse IN',
);
# what else is read, and all that is written
my @OTHERS = (
	'verify_blkparse text', 'btt -i dump', 'btt -i sda',
	'blktrace --card sda.blktrace.json', 'btstat out/saved',
	'iowatcher -o - -t sda -F log', 'blkparse -D run sda',
	'btrecord -d run -F -D out', 'blkparse -o out/x -d out/y sda',
	'blkparse -w 0.00001:1 sda', 'blkparse -w 0.00001:1 - <dump',
	'blkiomon -I 9 -h out/x -b out/y <dump',
	'btstat -o out/x --save=out/y sda', 'btstat --save=old sda',
	'btt -i dump -o out/x -X -l out/y -I out/x -Z -P -L 1 -p out/z',
	'btexport -o out/x.csv sda', 'btexport -o out/x.sqlite sda',
	'btexport -o out/d/ --format=csv sda',
	'btexport -o new/d/ --format=csv sda',
	'btreport -o out/x --json=out/y --csv=out/d sda',
	'iowatcher -o out/x.svg --json=out/y --csv=out/d -t sda',
	'btrecord -D out -o new sda', 'btrecord dump',
	'blkrawverify run/sda sda',
	'btpack -o out/x sda', 'btpack -d packed.btz',
	'btpack -d packed.btz -D out/d', 'btpack -l packed.btz',
	(map { "btimport --columns=time,offset,op,bytes log -o $_" }
	 '-', 'out/new', 'out/new.btz'),
);

# outputs that an opener may be asked for, and others
my @NAMES = (
	(map { ($_, "out/$_", "run/$_") } qw(
		.sda.blktrace.0.positions .sda.blktrace.0.positions.part
		.sdb.blktrace.0.positions sda.verify.out sdb.verify.out
		sda.replay.0 sda.replay.0.rec sda.replay.json sda.new.0.rec
		sdb.replay.0 sda.blktrace.9), '8,1.replay.0',
		'8,0_iops_fp.dat', 'sys_mbps_fp.dat', '8,0_live.dat',
		'8,0_pit.dat', '8,0_q2c_plat.dat', 'other'),
	(map { "out/$_" } qw(x y z x.avg x.dat x.xvg x_qhist.dat y_sda_d2c.dat
			     y_sda d/new d/sub d/../other x.csv x.svg
			     x.sqlite)),
	'blktop-20260101-000000', 'blktop', './8,1.replay.0', './other', 'new', 'new/d', '../other',
	'/tmp/reach.other', '/etc/reach.other',
);

sub command
{
	my ($command) = @_;
	system($command) == 0 or die "$command: status $?\n";
}

# TOP/world/home is where programs are started.
sub make_world
{
	my $segment = 'rotated/0001-2026-01-30-14:00:01';
	command("mkdir -p $TOP/world/home");
	chdir "$TOP/world/home" or die "$TOP/world/home: $!\n";
	command("mkdir -p out/d out/links run run/sub elsewhere links rotated $segment");
	for my $cpu (0, 1) {
		spew("$_.blktrace.$cpu", trace_of_ios($cpu, 20))
			for 'sda', 'sdb', 'run/sda', 'elsewhere/sda',
			    'elsewhere/sdb', "$segment/sda";
		symlink "../elsewhere/sda.blktrace.$cpu",
			"links/sda.blktrace.$cpu" or die "symlink: $!\n";
	}
	symlink 'run', 'linked' or die "symlink: $!\n";
	spew('dump', trace_of_ios(0, 20));
	spew('sda.blktrace.json', '{"schema": 1, "host": "db1",'
	     . ' "device": {"name": "sda", "size": 4096}}');
	spew($_, "$_\n") for qw(notes run/notes run/sub/notes ../secret old
				out/old);
	spew("$_/victim", '') for '.', '..', qw(run run/sub out links elsewhere
						rotated), $segment;
	spew('log', "10, 100, 0, 4096\n");
	spew('program', "#!/bin/sh\n");
	chmod 0755, 'program';
	command('mkfifo fifo');
	local $ENV{BLKTRACE_NO_SANDBOX} = 1;
	command("$BIN/blkparse -q sda >text && $BIN/btstat --save=out/saved sda"
		. ' >/dev/null');
	# a build without libzstd has no packed traces
	system("$BIN/btpack -o packed.btz run 2>/dev/null");
	chdir $TOP or die "$TOP: $!\n";
}

# what can be tried: the world, and places elsewhere
sub places
{
	my @below = split /\n/, `cd $TOP/world/home && find . .. -path ../home \\
		-prune -o -print`;
	s{^\./}{} for @below;
	return ((sort @below), '/', '/etc', '/etc/passwd', '/root', '/tmp',
		'/usr/bin', '/usr/bin/env', '/usr/share', '/home', '/var/tmp',
		'/proc', '/proc/self/environ', '/dev', '/sys');
}

sub build_probe
{
	my $cc = $ENV{CC} || 'cc';
	command("$cc -O1 -D_GNU_SOURCE -I$HERE/.. -shared -fPIC -o $TOP/probe.so"
		. " $HERE/reach/probe.c $HERE/../base/opener.c");
	spew("$TOP/places", join '', map { "$_\n" } places());
	spew("$TOP/names", join '', map { "$_\n" } @NAMES);
}

# the verbs' lines, each with all its paths
sub lines_of
{
	my (%paths, @verbs);
	for (split /\n/, $_[0]) {
		my ($verb, $path) = /^((?:opener: )?\w+) (.+)/ or next;
		push @verbs, $verb if !$paths{$verb};
		push @{$paths{$verb}}, $path;
	}
	return join '', map { "\t$_ @{$paths{$_}}\n" } @verbs;
}

sub reach_of
{
	my ($command, $from, $screen) = @_;
	remove_tree("$TOP/run");
	command("cp -a $TOP/world $TOP/run");
	unlink "$TOP/found";
	my ($program, $rest) = split / /, $command, 2;
	my $input = $rest =~ s/ (<\S+)// ? $1 : '';
	my $before = $rest =~ /\bfifo\b/ ? 'cat dump >fifo &' :
		!$input && $rest =~ /(?:^| )-$/ ? 'cat dump |' : '';
	# which nobody may have read
	my $after = $before =~ /&/ ? 'kill $! 2>/dev/null' : '';
	# it reads by stdio, whose calls cannot be seen
	my $end = $program eq 'verify_blkparse' ? ' REACH_END=1' : '';
	my $env = "LD_PRELOAD=$TOP/probe.so REACH_BELOW=$TOP/run"
		. " REACH_PLACES=$TOP/places REACH_NAMES=$TOP/names"
		. " REACH_OUT=$TOP/found$end";
	spew("$TOP/start", "cd $TOP/run/home\n$before env "
	     . ($from ? "-C $from" : '')
	     . " $env $BIN/$program $rest $input\n$after\n");
	my $run = $screen ? 'env TERM=xterm script -qec'
		. " 'timeout --foreground 2 sh $TOP/start' /dev/null" :
		"sh $TOP/start";
	system("timeout 60 $run >$TOP/said 2>&1 </dev/null");
	my $found = -e "$TOP/found" ? slurp("$TOP/found") : '';
	return $found =~ /^done $/m ? lines_of($found) : "\tnothing is read\n";
}

sub add
{
	my ($all, $title, @what) = @_;
	$$all .= "$title\n" . reach_of(@what);
}

# the lines of each command
sub by_command
{
	my (%lines, $command);
	for (split /\n/, $_[0]) {
		$command = $_ if !/^\t/;
		$lines{$command} //= '';
		$lines{$command} .= "$_\n" if /^\t/;
	}
	return \%lines;
}

plan skip_all => 'a checker makes calls of its own'
	if $ENV{WRAP} || $ENV{BLKTRACE_NO_SANDBOX};
plan skip_all => 'the kernel has no Landlock'
	if syscall($LANDLOCK_VERSION, 0, 0, 1) <= 0;
$ENV{LC_ALL} = 'C';
delete $ENV{TMPDIR};

make_world();
build_probe();
my $all = '';
for my $reader (sort keys %READERS) {
	for my $operand (@OPERANDS) {
		my ($kind, $in) = @$operand;
		add(\$all, "$reader, $kind: $in",
		    $READERS{$reader} =~ s/IN/$in/r);
	}
}
add(\$all, $_, $_) for @OTHERS;
add(\$all, 'blkparse - in /', 'blkparse -', '/');
add(\$all, 'blktop sda on a terminal', 'blktop sda', undef, 1);

if ("@ARGV" eq '--write') {
	spew($GOLDEN, $all);
} else {
	my ($is, $should) = (by_command($all), by_command(slurp($GOLDEN)));
	my $without = -e "$TOP/world/home/packed.btz" ? qr/(?!)/ : qr/^btpack/;
	is($is->{$_}, $should->{$_}, $_)
		for grep { !/$without/ } sort keys %{{ %$is, %$should }};
}
done_testing();
