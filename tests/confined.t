#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Programs that read traces give up other files before the first byte of one;
# what they do for their users stays as it was.
#
#	BIN=DIR [REFUSE=PROGRAM] [PLANTED=LIBRARY] prove tests/confined.t
#
# REFUSE is tests/live/refuse, built: a kernel without Landlock.  PLANTED is
# tests/live/planted.so: programs open another file when they end.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/hostile";
use Cwd 'abs_path';
use File::Path 'remove_tree';
use File::Temp 'tempdir';
use Records 'trace_of_ios';
use Suite::Files qw(copy_tree files_below slurp spew);
use Test::More;

my $BIN = abs_path($ENV{BIN} || '.');
# in memory, which is quick, and is not to be taken for a device below /dev
my $TOP = tempdir('confined.XXXXXX', DIR => '/dev/shm', CLEANUP => 1);
my $DISK = tempdir('confined.XXXXXX', TMPDIR => 1, CLEANUP => 1);
my $REFUSE = $ENV{REFUSE} && abs_path($ENV{REFUSE});
my $PLANTED = $ENV{PLANTED} && abs_path($ENV{PLANTED});

# For each: how it is started on one input, a IN; how on standard input; how
# with a directory in front of the name; how outputs are named, as OUT.
my %READERS = (
	blkparse => { run => 'blkparse IN', pipe => 'blkparse -',
		      below => 'blkparse -D here sda',
		      outputs => ['blkparse -o OUT here/sda',
				  'blkparse -d OUT -O here/sda'] },
	btstat => { run => 'btstat IN', pipe => 'btstat -',
		    below => 'btstat -D here sda',
		    outputs => ['btstat -o OUT here/sda'],
		    others => ['btstat --save=saved here/sda',
			       'btstat --compare here/sda -- there/sda'] },
	btt => { run => 'btt IN', pipe => 'btt -',
		 outputs => ['btt -I OUT here/sda', 'btt -p OUT here/sda'],
		 others => ['btt -i here/sda -o new -X', 'btt -AZ here/sda'
			    . ' -B there/b -l d2c -q there/q2c -z q2d -L 1'
			    . ' -m speed -s seeks -p lives -P trees -Q depth'
			    . ' -u unplugs -I io --issue-seeks-per-second=i',
			    'btt -M names here/sda'] },
	btexport => { run => 'btexport IN', pipe => 'btexport -',
		      below => 'btexport -D here sda',
		      outputs => ['btexport -o OUT --format=csv here/sda'],
		      others => [(map { "btexport -o new.$_ here/sda" }
				  qw(csv jsonl parquet sqlite perfetto prom)),
				 'btexport -o there/new/parts/ --format=parquet'
				 . ' here/sda there/sda',
				 'btexport --query=slowest here/sda',
				 'btexport -o new.fio --format=fio here/sda',
				 'btexport --table=ios,events --format=sqlite'
				 . ' -o both here/sda'] },
	btreport => { run => 'btreport -o - IN', pipe => 'btreport -o - -',
		      outputs => ['btreport -o OUT here/sda',
				  'btreport --json=OUT here/sda'],
		      others => ['btreport here/sda --csv=tables',
				 'btreport --compare here/sda there/sda'] },
	btpack => { run => 'btpack -o - IN', pipe => 'btpack -o - -',
		    outputs => ['btpack -o OUT here/sda'],
		    others => ['btpack -o new.btz here there',
			       'btpack -l pack.btz', 'btpack -t pack.btz',
			       'btpack -d pack.btz', 'btpack pack.btz -o new.btz',
			       'btpack -d pack.btz -D there/new'] },
	blktop => { run => 'blktop -b IN', pipe => 'blktop -b -i -',
		    below => 'blktop -b -D here sda', outputs => [] },
	iowatcher => { run => 'iowatcher -o - -t IN',
		       pipe => 'iowatcher -o - -t -',
		       outputs => ['iowatcher -o OUT -t here/sda',
				   'iowatcher --json=OUT -t here/sda'],
		       others => ['iowatcher -t here/sda --html=p --csv=tables',
				  'iowatcher -t here/sda -t there/sda -F fio',
				  'iowatcher -m -o movie.svg -t here/sda'] },
	btrecord => { run => 'btrecord IN', outputs => [],
		      below => 'btrecord -d here -D there/out sda',
		      others => ['btrecord -d here -D there/out -F'] },
	blkrawverify => { run => 'blkrawverify IN', outputs => [],
			  others => ['blkrawverify here/sda there/sda'] },
);
my @OTHERS = (
	['verify_blkparse', 'verify_blkparse text'],
	['verify_blkparse', 'verify_blkparse /dev/stdin <text'],
	['verify_blkparse', 'verify_blkparse here/text'],
	['blkiomon', 'blkiomon -I 9 -h new -b there/new -D - <here/sda.dump'],
	['blkiomon', 'cat here/sda.dump | blkiomon -I 9 -h /dev/stdout'],
	['blktrace', 'blktrace --card here/sda'],
	['blktrace', 'blktrace --card here/sda.blktrace.json'],
	['blktrace', 'blktrace -D here --card sda'],
);

plan skip_all => 'a checker makes calls of its own'
	if $ENV{WRAP} || $ENV{BLKTRACE_NO_SANDBOX};
$ENV{PATH} = "$BIN:$ENV{PATH}";
$ENV{LC_ALL} = 'C';
chdir $TOP or die "$TOP: $!\n";

sub command
{
	my ($command) = @_;
	system($command) == 0 or die "$command: status $?\n";
}

# What all commands find, in world/.
sub make_world
{
	mkdir "world$_" or die "world$_: $!\n"
		for '', map { "/$_" } qw(here there packed there/out links
					 rotated);
	chdir 'world' or die "world: $!\n";
	for my $cpu (0, 1) {
		spew("here/sda.blktrace.$cpu", trace_of_ios($cpu, 20));
		spew("there/sda.blktrace.$cpu", trace_of_ios($cpu, 25));
		spew("packed/sda.blktrace.$cpu", trace_of_ios($cpu, 30));
		spew("$DISK/sda.blktrace.$cpu", trace_of_ios($cpu, 10));
		symlink "../there/sda.blktrace.$cpu", "links/sda.blktrace.$cpu"
			or die "symlink: $!\n";
	}
	command('gzip -n packed/* && cd packed && for i in *; do'
		. ' mv $i ${i%.gz}; done');
	for my $part (1, 2) {
		my $dir = sprintf 'rotated/%04d-2026-01-30-14:00:%02d',
			$part, $part;
		mkdir $dir or die "$dir: $!\n";
		spew("$dir/sda.blktrace.0", trace_of_ios(0, 5 * $part));
	}
	symlink 'here', 'linked' or die "symlink: $!\n";
	spew('here/sda.dump', trace_of_ios(0, 20));
	spew('here/sda.blktrace.json', '{"schema": 1, "host": "db1",'
	     . ' "device": {"name": "sda", "size": 4096}}');
	spew('names', "sda 8,0\n");
	spew('fio', "10, 100, 0, 4096\n");
	command('BLKTRACE_NO_SANDBOX=1 blkparse -q here/sda >text');
	command('cp text here');
	# a build without libzstd has no packed traces
	system('BLKTRACE_NO_SANDBOX=1 btpack -o pack.btz here 2>/dev/null');
	delete $READERS{btpack} unless -e 'pack.btz';
	command('mkfifo fifo');
	symlink 'there/made', 'later' or die "symlink: $!\n";
	symlink 'there/old', 'old' or die "symlink: $!\n";
	spew('there/old', "old\n");
	chdir $TOP or die "$TOP: $!\n";
}

# what is a time of day or took its time
sub without_times
{
	my ($text) = @_;
	return $text =~ s/\bin \d+\.\d+ s\b/in TIME/gr
		=~ s/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d\S*/DATE/gr
		=~ s/\w{3} \w{3} +\d+ \d\d:\d\d:\d\d \d{4}/DATE/gr
		=~ s/^time: .*/time:/gmr
		# that a record of blkiomon begins with, in 64 bits
		=~ s/\A\0{4}[\x60-\x7f].{3}/TIME/sr;
}

# Status, text, messages and files of a command in a new copy of the world.
sub result_of
{
	my ($command) = @_;
	my %result;
	remove_tree('run');
	command('cp -a world run');
	chdir 'run' or die "run: $!\n";
	spew('../command', $command);
	my $status = system('timeout', '600', 'sh', '-c',
			    "{ $command; } >../text 2>../errors");
	chdir $TOP or die "$TOP: $!\n";
	%result = (status => $status, text => without_times(slurp('text')),
		   errors => without_times(slurp('errors')));
	for my $file (split /\n/, `find run $DISK -type f`) {
		my $bytes = slurp($file);
		$result{$file} = $file =~ /\.(blktrace\.\d+|parquet|sqlite)$/ ?
			length $bytes : without_times($bytes);
	}
	return \%result;
}

# whether rules are made here at all
sub is_confined
{
	return `strace -e trace=landlock_restrict_self blkparse -q \\
		world/here/sda 2>&1 >/dev/null` =~ /^landlock_restrict_self/m;
}

# what an input of the commands here is called
my $INPUT = qr/sda\.(?:blktrace\.|dump)|text"/;

# --- before the first byte ----------------------------------------------------

# strace's lines; those of calls that it shows in two parts are joined
sub whole_calls
{
	my (%begun, @calls);

	for (split /\n/, $_[0]) {
		if (/^(\d+) +(.*) <unfinished \.\.\.>$/) {
			$begun{$1} = $2;
		} elsif (/^(\d+) +<\.\.\. \w+ resumed>(.*)/) {
			push @calls, "$1 $begun{$1}$2";
		} else {
			push @calls, $_;
		}
	}
	return @calls;
}

# strace(1) shows the order, and whether anything is missed.
sub test_order
{
	my ($reader, $command) = @_;
	remove_tree('run');
	command('cp -a world run');
	system("cd run && { strace -f -o ../calls -e trace=execve,openat,open,"
	       . "read,landlock_restrict_self sh -c '$command'; }"
	       . ' >/dev/null 2>&1');
	my $calls = slurp('calls');
	# not its opener, which becomes nothing else
	my %is = map { $_ => 1 } $calls =~ /^(\d+) .*execve\(/mg;
	my ($pid) = grep { $is{$_} }
		$calls =~ /^(\d+) .*landlock_restrict_self\(/mg;
	# what the shell opens for it, it does before it becomes it
	my $own = join '', $calls =~ /^$pid .*\n/mg;
	$own =~ s/.*^\d+ +execve\([^\n]*//ms;
	$own =~ s/^.*(?:O_PATH|O_DIRECTORY).*\n//mg;
	my ($before) = split /^\d+ +(?:open\w*\(.*$INPUT.*|read\(0,)/m, $own;
	# the opener's calls may come between
	like($before, qr/landlock_restrict_self(?:\(| resumed).* = 0$/m,
	     "$reader: confined before its first byte is read")
		or diag($calls);
	# names are looked for in directories that no operand means
	my @refused = grep { !m{"/proc/sys/vm/overcommit_memory"} &&
			     !/O_DIRECTORY/ }
		grep { / = -1 EACCES/ } whole_calls($calls);
	is("@refused", '', '... and is refused nothing');
}

# An open of a file that is not its own, at the end of the program.
sub test_planted
{
	my ($reader, $command) = @_;
	my $plant = "LD_PRELOAD=$PLANTED PLANTED=/etc/passwd";
	$command =~ s/^/$plant /;
	like(result_of($command)->{errors}, qr/^planted: Permission denied$/m,
	     "$reader: a planted open fails");
	like(result_of("export BLKTRACE_NO_SANDBOX=1; $command")->{errors},
	     qr/^planted: opened$/m, '... which is none without rules');
}

# --- as it was ----------------------------------------------------------------

# whether files or texts are others than without a command
sub has_done
{
	my ($result, $nothing) = @_;
	return grep { $_ ne 'errors' && ($nothing->{$_} // '') ne $result->{$_} }
		keys %$result;
}

# The same as a process which may open any file.
sub is_same
{
	my ($reader, $way, $command, $nothing) = @_;
	my $free = result_of("export BLKTRACE_NO_SANDBOX=1; $command");
	ok($free->{status} == 0 && has_done($free, $nothing),
	   "$reader, $way: does something")
		or diag("$command: $free->{status} $free->{errors}");
	is_deeply(result_of($command), $free, '... the same when confined');
}

sub test_inputs
{
	my ($reader, $how, $nothing) = @_;
	my %inputs = (
		'a name' => 'here/sda', 'a directory' => 'here',
		'a path below /dev/shm' => "$TOP/run/here/sda",
		'a path that goes up' => 'there/../here/sda',
		'a file of a trace' => 'here/sda.blktrace.0',
		'files that are links' => 'links/sda',
		'a directory of links' => 'links',
		'a link to a directory' => 'linked/sda',
		'elsewhere' => "$DISK/sda",
		'packed' => 'packed/sda', 'rotated' => 'rotated',
		'a segment' => 'rotated/0001-2026-01-30-14:00:01',
		'several' => 'here/sda there/sda',
		'several directories' => 'here there',
	);
	delete @inputs{'several', 'several directories'}
		if $reader eq 'iowatcher';
	# what it takes names for are files of a trace
	delete @inputs{'a file of a trace', 'a directory', 'rotated',
		       'several directories', 'a directory of links',
		       'a segment'} if $reader eq 'blkrawverify';
	for my $way (sort keys %inputs) {
		is_same($reader, $way, $how->{run} =~ s/IN/$inputs{$way}/r,
			$nothing);
	}
	is_same($reader, 'a name here', 'cd here && '
		. $how->{run} =~ s/IN/sda/r =~ s{there}{../there}r, $nothing);
	is_same($reader, 'below', $how->{below}, $nothing) if $how->{below};
	return unless $how->{pipe};
	my $dump = $reader eq 'btt' ? 'sda.blktrace.0' : 'sda.dump';
	is_same($reader, 'a pipe', "cat here/$dump | $how->{pipe}", $nothing);
	is_same($reader, 'standard input', "$how->{pipe} <here/$dump", $nothing);
	is_same($reader, 'a FIFO', "cat here/$dump >fifo & "
		. $how->{run} =~ s/IN/fifo/r . '; wait', $nothing);
}

sub test_outputs
{
	my ($reader, $how, $nothing) = @_;
	my %outputs = (
		'a new file here' => 'OUT', 'one elsewhere' => 'there/OUT',
		'by its path' => "$TOP/run/there/OUT",
		'a file that is there' => 'text',
		'a link' => 'old', 'a link to what will be' => 'later',
		'far away' => "$DISK/OUT",
		'/dev/null' => '/dev/null', '/dev/stdout' => '/dev/stdout',
		'/dev/stdout, a file' => '/dev/stdout >made',
		'/dev/stdout, a pipe' => '/dev/stdout | cat',
	);
	for my $to (@{$how->{outputs}}) {
		for my $way (sort keys %outputs) {
			my ($path, $tail) = split / /, $outputs{$way}, 2;
			is_same($reader, "$to, $way",
				$to =~ s/OUT/$path/r . ($tail ? " $tail" : ''),
				$way eq '/dev/null' ? {} : $nothing);
			unlink "$DISK/OUT";
		}
		is_same($reader, "$to, a FIFO", 'cat fifo >new & '
			. $to =~ s/OUT/fifo/r . '; wait', $nothing);
	}
	is_same($reader, $_, $_, $nothing) for @{$how->{others} || []};
}

sub test_without
{
	my ($reader, $command) = @_;
	my $free = result_of("export BLKTRACE_NO_SANDBOX=1; $command");
	is_deeply(result_of("$REFUSE 38 landlock 0,1 $command"), $free,
		  "$reader: the same without Landlock");
}

make_world();
my $confined = is_confined();
my $nothing = result_of('true');

for my $reader (sort keys %READERS) {
	my $how = $READERS{$reader};
	my $usual = $how->{run} =~ s{IN}{here/sda}r;
	SKIP: {
		skip 'no Landlock here, or a sanitizer', 1 unless $confined;
		test_order($reader, $_) for $usual, @{$how->{others} || []};
		test_planted($reader, $usual) if $PLANTED;
	}
	test_inputs($reader, $how, $nothing);
	test_outputs($reader, $how, $nothing);
	test_without($reader, $usual) if $REFUSE;
}
for my $other (@OTHERS) {
	my ($reader, $command) = @$other;
	test_order($reader, $command) if $confined;
	test_planted($reader, $command)
		if $confined && $PLANTED && $command !~ /\|/;
	is_same($reader, $command, $command, $nothing);
}
done_testing();
