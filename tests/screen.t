#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# blktop's screen in a real terminal (tmux): frames of a recorded trace are as
# in screens/, at several sizes and while it is resized; keys do what the page
# says; the terminal is as before however it ends; and names of processes never
# act upon it.  Skipped without tmux, and where blktop was built without ncurses.
#
#	BIN=DIR prove tests/screen.t
#	UPDATE=1 BIN=DIR prove tests/screen.t	makes what is shown the expectation
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/hostile";
use Cwd 'abs_path';
use File::Path 'make_path';
use File::Temp 'tempdir';
use Process 'deadline';
use Suite::Files qw(slurp spew unpack_set);
use Test::More;
use Time::HiRes qw(sleep time);

my $HERE = $FindBin::Bin;
my $BIN = abs_path($ENV{BIN} || '.');
my $DIR = tempdir('screen.XXXXXX', TMPDIR => 1, CLEANUP => 1);
my $server = 0;			# one for each terminal

plan skip_all => 'no tmux' if system('tmux -V >/dev/null 2>&1');
plan skip_all => 'built without ncurses'
	unless `ldd \Q$BIN\E/blktop 2>&1` =~ /libncurses/;

$ENV{LC_ALL} = 'C.UTF-8';
$ENV{SHELL} = '/bin/sh';
delete @ENV{qw(TMUX NO_COLOR)};
# a sanitizer would make an exit of it
$ENV{$_} = join ':', grep { defined } $ENV{$_}, 'handle_segv=0'
	for qw(ASAN_OPTIONS UBSAN_OPTIONS);
unpack_set("$HERE/data/smp4-mixed-procs", $DIR);

sub tmux
{
	my (@command) = @_;
	open my $run, '-|', 'tmux', '-u', '-S', "$DIR/socket.$server",
		'-f', '/dev/null', @command or die "tmux: $!\n";
	local $/;
	my $text = <$run> // '';
	close $run;
	return $text;
}

# A terminal of that size, in which blktop runs until it ends, in an ENVIRONMENT;
# before and after it the terminal's settings.
sub start
{
	my ($columns, $lines, $command, $environment) = @_;

	$environment //= '';
	$server++;
	tmux('new-session', '-d', '-s', 't', '-x', $columns, '-y', $lines,
	     "trap : INT; cd \Q$DIR\E; stty -g >before;"
	     . " $environment \Q$BIN\E/$command;"
	     . ' echo $? >status; stty -g >after; echo; echo "it has ended";'
	     . ' exec sleep 1000');
}

sub end
{
	tmux('kill-server');
	unlink map { "$DIR/$_" } qw(before after status);
}

sub frame
{
	return tmux('capture-pane', '-p', '-t', 't');
}

# The frame, when it is as PATTERN says and all of it is there, or when one is
# tired of waiting.
sub frame_with
{
	my ($pattern) = @_;
	my $end = deadline();
	my ($frame, $last) = ('', '');

	while (time < $end) {
		$frame = frame();
		last if $frame =~ $pattern && $frame eq $last;
		$last = $frame;
		sleep 0.03;
	}
	return $frame;
}

sub press
{
	tmux('send-keys', '-t', 't', @_);
}

# Six steps of a tenth of a second, each when the one before is there.
sub go_on
{
	for my $step (1 .. 5) {
		frame_with(qr/to 0\.$step\d\d of /);
		press('.');
	}
	return frame_with(qr/to 0\.600 of /);
}

sub is_frame
{
	my ($name, $frame) = @_;
	my $path = "$HERE/screens/$name";

	make_path("$HERE/screens");
	spew($path, $frame) if $ENV{UPDATE};
	is($frame, -e $path ? slurp($path) : '', $name);
}

# --- frames ------------------------------------------------------------------

sub test_size
{
	my ($columns, $lines) = @_;

	start($columns, $lines, 'blktop --hold -d 0.1 vda');
	is_frame("${columns}x$lines", go_on());
	my @wide = grep { length > $columns } map { utf8::decode($_); $_ }
		split /\n/, frame();
	is("@wide", '', '... no line is too long');
	end();
}

sub test_resize
{
	start(80, 24, 'blktop --hold -d 0.1 vda');
	my $before = go_on();
	tmux('resize-window', '-t', 't', '-x', 20, '-y', 5);
	unlike(frame_with(qr/\APROCESS/), qr/blktop/,
	       'at 20x5 there is the table only');
	tmux('resize-window', '-t', 't', '-x', 120, '-y', 40);
	is_frame('120x40', frame_with(qr/mean.*latency.*q quit/s));
	tmux('resize-window', '-t', 't', '-x', 80, '-y', 24);
	is(frame_with(qr/q quit.*help\n\z/s), $before, 'and back');
	end();
}

# Lines of a screen: those of the head, a table of one row, graphs, a hint.
my $TITLE = qr/(?:blktop  )?vda \(recorded, hold\)  .*(?<= s)  +lost 0/;
my $HEAD = qr{$TITLE
read \S+/s(?: \S+ MiB/s)?  write \S+/s(?: \S+ MiB/s)?  +own -
(?:queue )?depth [\d.]+, most \d+  flush \S+/s.*
in flight \d+(?:, oldest [\d.]+[mu]?s(?: \(\w+, sector \d+, \w+\))?)?
by DEVICE, most time first(?:  where: all)?  +every 100ms
};
my $BARS = qr{(?:(?:read |write )?IO/s|MiB/s|queue depth)
(?:[ \d.kM]{6} │.*
)+|  IO/s │.*
};
my $MAP = qr{latency over time(?:, |\n)a cell:.*
(?:[ \d.mu]+s │.*
){5,30} {7}└(?:─)+
 {8}0 m?s.*
};

# The frame once it has so many lines and is as PATTERN says.
sub frame_of
{
	my ($lines, $pattern) = @_;
	my $end = deadline(5);
	my $frame = '';

	while (time < $end) {
		$frame = frame();
		last if $frame =~ $pattern && ($frame =~ tr/\n//) == $lines;
		sleep 0.02;
	}
	return $frame;
}

# The graphs at this size, whose lines must all be whole and in their places:
# how many bars, and whether there is a map of more than half of the width.
sub graphs_at
{
	my ($columns, $lines) = @_;
	my $hint = $columns < 66 ? qr/q quit  \/ where  m map  / :
		   $columns < 107 ? qr/q quit  d .*  space hold  / :
		   qr/q quit  d .*  w save  /;

	tmux('resize-window', '-t', 't', '-x', $columns, '-y', $lines);
	my $frame = frame_of($lines, qr/$HEAD(?s:.*)\n$hint\? help\n\z/);
	my ($bars, $map) = $frame =~
		/\A${HEAD}DEVICE .*\nvda .*\n((?:$BARS)*)($MAP)?$hint/
		or diag("$columns x $lines:\n$frame");
	return unless defined $bars && length $frame;
	return if ($frame =~ tr/\n//) != $lines;
	my $axis = () = ($map // '') =~ /─/g;
	return if $map && $axis < ($columns - 8) / 2;
	return (scalar(() = $bars =~ m{^(?:\S|  IO/s)}mg), $map ? 1 : 0);
}

# At every size the screen is full.
sub test_sizes
{
	my @columns = (40, 59, 60, 80, 110, 162, 200, 300);
	my @lines = (10 .. 20, 24, 30, 43, 60, 100);
	my (%shown, @bad);
	my $n = 0;

	start(300, 100, 'blktop --hold -d 0.1 --by=device vda');
	go_on();
	for my $columns (@columns) {
		for my $lines (@lines) {
			next if $n++ % 4 && $columns != 40;
			my ($bars, $map) = graphs_at($columns, $lines);
			push @bad, "${columns}x$lines" unless defined $bars;
			$shown{($bars // '-') . ($map ? '+' : '')} = 1;
		}
	}
	is("@bad", '', 'every size is full of whole lines');
	is(join(' ', sort keys %shown), '0+ 1 1+ 2 2+ 3 3+ 4+',
	   '... the larger, the more graphs');
	end();
}

# --- keys --------------------------------------------------------------------

# [keys, the frame then]
my @KEYS = (
	['o', 'by-operation', qr/by OP/],
	['d', 'by-device', qr/by DEVICE/],
	['i', 'by-pid', qr/by PID/],
	['c', 'by-cgroup', qr/by CGROUP/],
	['h', 'by-host', qr/by HOST/],
	['p', 'by-process', qr/by PROCESS, most time/],
	['s', 'sort', qr/most IO/],
	['m', 'no-map', qr/\A(?!.*over time)/s],
	['m', 'map-only', qr/\A(?!.*PROCESS +IO).*over time/s],
	['m', 'both', qr/PROCESS +IO.*over time/s],
	[',', 'a-step-back', qr/0\.400 to 0\.500/],
	['.', 'and-on', qr/0\.500 to 0\.600/],
	['?', 'help', qr/any other key: back/],
	['x', 'no-help', qr/by PROCESS/],
	['e', 'findings', qr/^findings, .*: back/ms],
	['x', 'no-findings', qr/by PROCESS/],
	['f', 'no-steps', qr/f is for devices/],
	['/', 'a-prompt', qr/^where: _/m],
);

sub test_keys
{
	start(80, 24, 'blktop --hold -d 0.1 vda');
	go_on();
	for my $row (@KEYS) {
		my ($key, $name, $pattern) = @$row;
		press($key);
		is_frame("key-$name", frame_with($pattern));
	}
	press('-l', 'total>1');
	press('Enter');
	is_frame('key-a-mistake', frame_with(qr/a time needs its unit/));
	press('-l', 'ms');
	press('Enter');
	frame_with(qr/where: total>1ms/);
	press('.');
	is_frame('key-a-filter', frame_with(qr/0\.600 to 0\.700/));
	press('Escape');
	frame_with(qr/where: all/);
	press('Enter');
	like(frame_with(qr/where: process==/), qr/where: process=="xfs_io"/,
	     'a row becomes the filter');
	end();
}

# --- the last minute ---------------------------------------------------------

sub output_of
{
	my ($command) = @_;
	my $text = `cd \Q$DIR\E && $command 2>&1`;

	is($?, 0, $command);
	return $text;
}

# What is saved is what was shown: the same records as a window of the trace.
sub test_save
{
	start(80, 24, 'blktop --hold -d 0.1 vda');
	go_on();
	press('w');
	my ($name, $count) = frame_with(qr/events of 0\.600 s/) =~
		/^(blktop-[\d-]+): (\d+) events of 0\.600 s/m;
	end();
	BAIL_OUT('nothing was saved') unless $name;
	my $lines = "\Q$BIN\E/blkparse -q -f '%c %s %T.%9t %a %d %p %S %n %C\\n'";
	# what is behind the records is about files, and the window
	my ($saved, $window) = map { join '', output_of("$lines $_ vda") =~
		/^\d.*\n/mg } "-D $name", '-w 0.6';

	is($saved, $window, 'w saves the records that were shown');
	is(scalar(() = $saved =~ /\n/g), $count, '... and says how many');
	my $stat = "\Q$BIN\E/btstat --by=process,op --format=json";
	($saved, $window) = map { output_of("$stat $_ vda") =~ s/\A.*\n//r }
		"-D $name", '-w 0.6';
	is($saved, $window, '... for btstat, too');
	my $day = "\Q$BIN\E/blkparse -q -f '%z\\n'";
	is((split /\n/, output_of("$day -D $name vda"))[0],
	   (split /\n/, output_of("$day vda"))[0], '... with the time of day');
	output_of("cd $name && \Q$BIN\E/blkrawverify vda");
	system('rm', '-r', "$DIR/$name");
}

# What e shows of a window is what btstat says of it, below its head.
sub test_findings
{
	start(80, 24, 'blktop --hold -d 100 -w 0.6 vda');
	frame_with(qr/0\.000 to 0\.600/);
	press('e');
	my ($shown) = frame_with(qr/^findings/) =~
		/\Afindings, 0\.000 to 0\.600 s\n\n(.*?)\n\n/s;
	end();
	my ($want) = output_of("\Q$BIN\E/btstat --explain --width=80"
		. ' -w 0.6 vda') =~ /\A.*?\n\n(.*)\n\z/s;
	like($want, qr/small-sequential/, '... of this, something');
	is($shown, $want, 'e shows what btstat says');
}

# --- devices -----------------------------------------------------------------

# A blktrace that tells its clock, and nothing more: the screen goes on.  f
# starts another.
sub test_device
{
	my ($device) = grep { -b } glob '/dev/*';
	SKIP: {
		skip 'no block device', 4 unless $device;
		spew("$DIR/clock", pack('L L Q Q L L L L L S S', 0x65617407, 0,
			1e9, 0, 0, 0x04000001, 0, 8 << 20, 0, 0, 8)
			. pack('L L', 1e9, 0));
		spew("$DIR/blktrace", "#!/bin/sh\necho \"\$*\" >>\Q$DIR\E/args\n"
		     . "trap exit INT\ncat \Q$DIR\E/clock\n"
		     . "while :; do sleep 0.1; done\n");
		chmod 0755, "$DIR/blktrace";
		local $ENV{PATH} = "$DIR:$ENV{PATH}";
		start(80, 24, "blktop -d 0.2 $device");
		like(frame_with(qr/ \d\.\d00 to .*lost/),
		     qr/\(live\).* s  .*\nread 0/, 'an idle device has a clock');
		press('f');
		like(frame_with(qr/all steps\) .* \d\.\d00 to /),
		     qr/live, all steps/, 'f: all steps');
		press('f');
		unlike(frame_with(qr/\(live\) .* \d\.\d00 to /),
		       qr/all steps/, 'f: two records');
		press('q');
		frame_with(qr/^it has ended/m);
		is(slurp("$DIR/args"), "-o - -a issue -a complete -- $device\n"
		   . "-o - -- $device\n"
		   . "-o - -a issue -a complete -- $device\n",
		   '... by another blktrace');
		end();
		unlink "$DIR/blktrace";
	}
}

# --- playing and colours -----------------------------------------------------

# It plays by itself, as fast as one wants.
sub test_playing
{
	start(80, 24, 'blktop -d 0.1 vda');
	press('+') for 1 .. 3;
	like(frame_with(qr/recorded, x8/), qr/recorded, x8/, '+ is faster');
	like(frame_with(qr/x8, end/), qr/1\.100 to 1\.129 of 1\.129 s/,
	     'it plays to the end');
	end();
}

# Whether there is colour: that of terminfo, not of everybody.
sub test_color
{
	my ($name, $command, $want) = @_;

	start(80, 24, $command);
	frame_with(qr/q quit/);
	my $colors = () = tmux('capture-pane', '-e', '-p', '-t', 't') =~
		/\e\[(?:\d+;)*3[1-8][;m]/g;
	is($colors ? 1 : 0, $want, "$name: colour");
	end();
}

# Steps of the map's colours: those of 256, or as many as 8 colours have.
sub test_ramp
{
	my ($term, $pattern, $want) = @_;

	start(80, 40, 'blktop --hold -d 0.1 vda', "TERM=$term");
	go_on();
	my %steps = map { $_ => 1 } tmux('capture-pane', '-e', '-p', '-t', 't')
		=~ /$pattern/g;
	cmp_ok(scalar keys %steps, '>=', $want, "$term: steps of colour");
	end();
}

# A terminal without a cursor to place, and one that nobody has described: batch.
sub test_dumb
{
	for my $term ('dumb', 'no-such-terminal') {
		start(80, 24, 'blktop -d 1 -n 1 vda', "TERM=$term");
		my $frame = frame_with(qr/^it has ended/m);
		like($frame, qr/^blktop  vda .*^it has ended/ms,
		     "TERM=$term: a table");
		unlike($frame, qr/q quit|\e/, '... and no screen');
		end();
	}
}

# Records that are missing are red, and nothing else of the title.
sub test_lost
{
	unpack_set("$HERE/data/hot-lossy", "$DIR/lossy");
	start(80, 24, 'blktop --hold -d 1 -D lossy .');
	frame_with(qr/lost \d+!/);
	my ($title) = split /\n/, tmux('capture-pane', '-e', '-p', '-t', 't');
	like($title, qr/\A(?:\e\[0?m|\e\[1m)*blktop .*\e\[(?:\d+;)*(?:31|38;5;196)m *lost \d+!/,
	     'what is lost is red');
	end();
}

# --- ends --------------------------------------------------------------------

sub child_of
{
	my ($pid) = @_;
	return split ' ', slurp("/proc/$pid/task/$pid/children");
}

# blktop, and what it has started last: before, it is what makes its files
sub processes
{
	my ($shell) = split ' ', tmux('list-panes', '-t', 't', '-F',
				      '#{pane_pid}');
	my ($program) = child_of($shell);
	return ($program, (child_of($program))[-1]);
}

sub is_restored
{
	my ($name, $status) = @_;

	like(frame_with(qr/^it has ended/m), qr/^it has ended/m, "$name ends it");
	is(slurp("$DIR/after"), slurp("$DIR/before"), '... settings are back');
	is(slurp("$DIR/status"), "$status\n", '... the status');
	unlike(frame(), qr/PROCESS/, '... the screen of before is there');
	is(tmux('display', '-p', '-t', 't', '#{alternate_on} #{cursor_flag}'),
	   "0 1\n", '... with its cursor');
	end();
}

sub test_end
{
	my ($name, $status, $which) = @_;

	start(80, 24, 'blktop --hold -d 0.1 vda');
	frame_with(qr/q quit/);
	my @pids = processes();
	kill $name, $pids[$which];
	is_restored("$name to " . ('the parent', 'the child')[$which], $status);
}

sub test_keys_that_end
{
	for my $key ('q', 'C-c') {
		start(80, 24, 'blktop --hold -d 0.1 vda');
		frame_with(qr/q quit/);
		press($key);
		is_restored($key, 0);
	}
}

# --- names -------------------------------------------------------------------

my $MAGIC = 0x65617407;
my %ACTION = (Q => 0x00110001, G => 0x00110004, D => 0x01410007,
	      C => 0x01810008, NAME => 0x04000000);
my $number = 0;

sub event
{
	my ($action, $us, $pid, $payload) = @_;
	$payload //= '';
	my $note = $action eq 'NAME';
	return pack('L L Q Q L L L L L S S', $MAGIC, $note ? 0 : ++$number,
		    1e9 + 1e3 * $us, 8 * $pid, $note ? 0 : 4096,
		    $ACTION{$action}, $pid, 8 << 20, 0, 0, length $payload)
		. $payload;
}

# All that the program writes: what only names have is not in it.
sub test_names
{
	my @hurt = ("\e]0;x\a", "\e[8m", "\x05", "\x0e", "\xc2\x9b2J", "\a",
		    "\e c", "\x9b2J", "\x90", "\eP");
	my $trace = '';

	for my $pid (1 .. 300) {
		my $name = $hurt[$pid % @hurt] . "n$pid";
		$trace .= event('NAME', 100 * $pid, $pid,
				substr($name . "\0" x 16, 0, 16));
		$trace .= event($_->[0], 100 * $pid + $_->[1], $pid)
			for ['Q', 0], ['G', 1], ['D', 2], ['C', 50];
	}
	spew("$DIR/sdb.blktrace.0", $trace);
	start(80, 50, 'blktop --hold -d 0.1 sdb');
	tmux('pipe-pane', '-t', 't', "exec cat >\Q$DIR\E/raw");
	frame_with(qr/n\d/);
	my $all = '';
	for (1 .. 40) {
		$all .= frame();
		press('NPage');
	}
	like($all, qr/$_/, "$_ is text on the screen")
		for map { quotemeta } '\x1b]0;x\x07n', '\x05n', '\x9b2Jn';
	press('q');
	frame_with(qr/^it has ended/m);
	my $raw = slurp("$DIR/raw");
	cmp_ok(length $raw, '>', 1000, 'all that was written is there');
	unlike($raw, qr/[\x05\x07\x0e\x90\x9b]n|\e\]|\e\[8m|\ec|\eP|\xc2\x9b/,
	       'no name acts upon the terminal');
	end();
}

test_size(80, 24);
test_size(120, 40);
test_size(200, 60);
test_sizes();
test_resize();
test_keys();
test_save();
test_findings();
test_device();
test_playing();
test_color('auto', 'blktop --hold vda', 1);
test_color('--color=never', 'blktop --hold --color=never vda', 0);
{
	local $ENV{NO_COLOR} = '1';
	test_color('NO_COLOR', 'blktop --hold vda', 0);
}
mkdir "$DIR/lossy";
test_lost();
test_ramp('tmux-256color',
	  qr/\e\[(?:\d;)?38;5;(23|30|37|44|51|87|123|159)m/, 6);
test_ramp('screen', qr/((?:\e\[[12]m)?\e\[36m)/, 3);
test_dumb();
test_keys_that_end();
test_end('TERM', 0, 0);
test_end('TERM', 0, 1);
test_end('HUP', 0, 0);
test_end('SEGV', 139, 1);
test_end('KILL', 137, 1);
test_names();
done_testing();

