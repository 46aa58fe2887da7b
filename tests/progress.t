#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# The progress line of programs that read for more than two seconds: on a
# terminal only, and never where text is.
#
#	BIN=DIR prove tests/progress.t
#
# All programs run at one time, each on a terminal of its own: most from FIFOs that
# get a trace in pieces for SECONDS, others from files, their output held up.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/hostile";
use Cwd 'abs_path';
use Fcntl qw(O_NONBLOCK O_RDWR);
use File::Temp 'tempdir';
use POSIX qw(mkfifo :sys_wait_h);
use Records qw(record trace);
use Suite::Files qw(slurp spew);
use Suite::Terminal 'new_terminal';
use Test::More;
use Time::HiRes qw(sleep time);

my $BIN = abs_path($ENV{BIN} || '.');
my $SECONDS = 2.6;
my $DAMAGED = 24;		# the piece that is, however slowly they go
my $LINE = qr{\r(\w+): \d+\.\d KiB, \d+\.\d KiB/s};

# Starts a command that reads the FIFO "in"; err is where its stderr goes, a
# terminal if it is not given.
sub start
{
	my (%run) = @_;

	$run{text} = '';
	$run{dir} = tempdir('progress.XXXXXX', TMPDIR => 1, CLEANUP => 1);
	mkfifo("$run{dir}/in", 0600) or die "$run{dir}/in: $!\n";
	@run{qw(slave path master)} = new_terminal(O_NONBLOCK);
	sysopen $run{in}, "$run{dir}/in", O_RDWR or die "in: $!\n";
	$run{pid} = fork // die "fork: $!\n";
	return \%run if $run{pid};

	my $out = $run{shown} ? $run{path} : "$run{dir}/out";
	my $err = $run{err} ? "$run{dir}/err" : $run{path};
	close $run{in};
	chdir $run{dir} or die "$run{dir}: $!\n";
	open STDIN, '<', 'in' or die "in: $!\n";
	exec 'sh', '-c', "PATH=$BIN:\$PATH; exec $run{command} >$out 2>$err";
	die "sh: $!\n";
}

# a line of a table that btimport reads
sub volume_row
{
	my ($number) = @_;

	return sprintf "7,R,4096,4096,%040d\n", $number;
}

# One more piece of each trace, at the given number.
sub feed
{
	my ($number, @runs) = @_;

	for my $run (@runs) {
		my $bytes = join '', map {
			$run->{text_of} ? $run->{text_of}->($number * 10 + $_) :
			record(number => $number * 10 + $_,
			       time => ($number * 10 + $_) * 1000)
		} 0 .. 9;
		$bytes .= "damage" if $run->{damage} && $number == $DAMAGED;
		syswrite $run->{in}, $bytes;
	}
}

# What the terminal got goes to "text", so that it always takes more.
sub take
{
	my ($run) = @_;

	1 while sysread $run->{master}, $run->{text}, 65536,
		length $run->{text};
}

# Closes the FIFO and waits; what the terminal got is in "text".
sub finish
{
	my ($run) = @_;

	my $until = time + 600;

	close $run->{in};
	until (waitpid($run->{pid}, WNOHANG)) {
		take($run);
		sleep 0.01;
		kill 'KILL', $run->{pid} if time > $until;
	}
	$run->{status} = $?;
	take($run);
}

# what a terminal shows in the end
sub last_shown
{
	my ($text) = @_;
	my @rows = map { (split /\r/, $_)[-1] // '' } split /\r*\n/, $text;
	return join "\n", map { s/ +\z//r } @rows;
}

# A program that reads a file, and that stops in the middle of it as nothing
# takes the output for a while: a line when it goes on.
sub start_file
{
	my ($make, $command) = @_;
	my $run = { dir => tempdir('progress.XXXXXX', TMPDIR => 1,
				   CLEANUP => 1), text => '' };

	mkfifo("$run->{dir}/$_", 0600) or die "$_: $!\n"
		for 'x.verify.out', 'out';
	$make->($run->{dir});
	@$run{qw(slave path master)} = new_terminal(O_NONBLOCK);
	for my $fifo ('x.verify.out', 'out') {
		sysopen $run->{$fifo}, "$run->{dir}/$fifo",
			O_RDWR | O_NONBLOCK or die "$fifo: $!\n";
	}
	$run->{pid} = fork // die "fork: $!\n";
	return $run if $run->{pid};
	chdir $run->{dir} or die "$run->{dir}: $!\n";
	exec 'sh', '-c', "PATH=$BIN:\$PATH; exec $command >out 2>$run->{path}";
	die "sh: $!\n";
}

# Takes all output until the program ends, then what the terminal got.
sub finish_file
{
	my ($run) = @_;
	my $until = time + 600;

	until (waitpid($run->{pid}, WNOHANG)) {
		for my $fifo ('x.verify.out', 'out') {
			1 while sysread $run->{$fifo}, my $unused, 65536;
		}
		take($run);
		sleep 0.01;
		kill 'KILL', $run->{pid} if time > $until;
	}
	take($run);
}

# records of another CPU, each a fault that is dumped
sub make_faults
{
	my ($dir) = @_;
	spew("$dir/x.blktrace.0", trace(1, 30_000, cpu => 1));
}

# lines of one number, each an alias
sub make_aliases
{
	my ($dir) = @_;
	spew("$dir/x", "8,0 0 1 0.1 1 Q W 1 + 1 [x]\n" x 30_000);
}

my %files = (
	'blkrawverify' => [\&make_faults, 'blkrawverify x', 1],
	'blkrawverify --no-progress' =>
		[\&make_faults, 'blkrawverify --no-progress x'],
	'verify_blkparse' => [\&make_aliases, 'verify_blkparse x', 1],
	'verify_blkparse --no-progress' =>
		[\&make_aliases, 'verify_blkparse --no-progress x'],
);

my %runs = (
	'blkparse' => { command => 'blkparse -i -', line => 1 },
	'btt' => { command => 'btt -i -', line => 1 },
	'blkparse, damage' => { command => 'blkparse -i -', line => 1,
				damage => 1 },
	'blkparse, text on a terminal' => { command => 'blkparse -i -',
					    shown => 1 },
	'blkparse, -o' => { command => 'blkparse -i - -o text', line => 1 },
	'blkparse, stderr in a file' => { command => 'blkparse -i -',
					  err => 1 },
	'blkparse --no-progress' => {
		command => 'blkparse -i - --no-progress' },
	'btexport' => { command => 'btexport -', line => 1 },
	'btexport --no-progress' => { command => 'btexport --no-progress -' },
	'btimport' => { command => 'btimport -o x -', line => 1,
			text_of => \&volume_row },
	'btimport --no-progress' => {
		command => 'btimport --no-progress -o x -',
		text_of => \&volume_row },
	'btpack' => { command => 'btpack -o x.btz -', line => 1 },
	'btpack --no-progress' => {
		command => 'btpack --no-progress -o x.btz -' },
	'btrecord' => { command => 'btrecord -', line => 1 },
	'btrecord --no-progress' => { command => 'btrecord --no-progress -' },
	'btreport' => { command => 'btreport -o x.html -', line => 1 },
	'btreport --no-progress' => {
		command => 'btreport -o x.html --no-progress -' },
	'btstat' => { command => 'btstat -', line => 1 },
	'btstat --no-progress' => { command => 'btstat --no-progress -' },
	'iowatcher' => { command => 'iowatcher -t - -o x.svg', line => 1 },
	'iowatcher --no-progress' => {
		command => 'iowatcher --no-progress -t - -o y.svg' },
	'btt --no-progress' => { command => 'btt -i - --no-progress' },
);

plan skip_all => 'no terminal to be had' unless new_terminal();
delete @runs{'btpack', 'btpack --no-progress'}
	if `$BIN/btpack -t /dev/null 2>&1` =~ /without libzstd/;
for my $name (sort keys %runs) {
	$runs{$name} = start(%{$runs{$name}});
}
my %file_runs = map { $_ => start_file(@{$files{$_}}[0, 1]) } sort keys %files;
my $begun = time;
for (my $n = 1; $n <= $DAMAGED || time - $begun < $SECONDS; $n++) {
	feed($n, values %runs);
	take($_) for values %runs;
	sleep 0.1;
}
finish($_) for values %runs;
finish_file($_) for values %file_runs;

for my $name (sort keys %runs) {
	my $run = $runs{$name};
	is($run->{status}, $run->{damage} ? 1 << 8 : 0, "$name: its status");
	if ($run->{line}) {
		like($run->{text}, $LINE, "$name: a line");
		unlike(last_shown($run->{text}), qr{/s}, '... which goes');
	} else {
		unlike($run->{text}, qr{KiB/s$|KiB, .*/s}, "$name: no line");
	}
	next if $run->{shown};
	cmp_ok(-s "$run->{dir}/out", '>', 0, '... text beside it')
		unless $run->{command} =~ /-o|btrecord/;
	unlike(slurp("$run->{dir}/out"), qr{\r}, '... without any of it');
}
is(-s "$runs{'blkparse, stderr in a file'}{dir}/err", 0,
   'stderr in a file gets nothing');
like(last_shown($runs{'blkparse, damage'}{text}),
     qr/^blkparse: .*: byte \d+: /m, 'a message has a row of its own');
for my $name (sort keys %files) {
	my $text = $file_runs{$name}{text};
	if ($files{$name}[2]) {
		like($text, qr{ of \S+ \S+ \(\d+ %\), \S+ \S+/s, \S+ left},
		     "$name: a line with share and time");
		unlike(last_shown($text), qr{/s}, '... which goes');
	} else {
		unlike($text, qr{/s}, "$name: no line");
	}
}
done_testing();
