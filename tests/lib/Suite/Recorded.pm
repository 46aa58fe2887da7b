# SPDX-License-Identifier: GPL-2.0-only
# Cases in the three forms in which they were recorded from release 1.3.0.
#
# traces/T/expected/C.cmd, C.out.xz, C.rc run in a directory that holds trace
# T unpacked.  golden/crafted/C/ holds input files beside cmd, out, rc and
# expect/ (the files written).  golden/replay/C/ has stdout, status and out/ for
# those, and programs by their variables; in golden/ROOM/C/ of the other rooms
# expect/ has stdout, rc and files/.  All become the hashes that Suite::Case
# runs.
package Suite::Recorded;

use strict;
use warnings;
use Exporter 'import';
use Suite::Case 'one_line';
use Suite::Files qw(slurp read_kept kept_names);

our @EXPORT_OK = qw(recorded_names load_recorded load_command recorded_as);

# Each command with btt is run twice: with 1.3.0's rule for remappers, and under
# its name with this behind it, as it stands.
my $AUTO = qr/\.auto\z/;
my $BTT = qr/\bbtt (?=-)/;

# beside golden/crafted
my @ROOMS = qw(btt companions);
# the last words of btt -v
my $SPEED = qr/(?<= traces @).*/;

# names as differs.tsv writes them: traces/T/C and golden/ROOM/C
sub recorded_names
{
	my ($shared) = @_;
	my @traces = map { m{([^/]+)/expected/([^/]+)\.cmd\z} ?
			"traces/$1/$2" : () }
		glob "\Q$shared\E/traces/*/expected/*.cmd";
	my @crafted = map { m{(golden/crafted/[^/]+)/cmd\z} }
		glob "\Q$shared\E/golden/crafted/*/cmd";
	my @golden = map { m{(golden/[^/]+/[^/]+)/cmd\z} }
		map { glob "\Q$shared\E/golden/$_/*/cmd" } @ROOMS;
	return map { with_twin($shared, $_) } sort(@traces), sort(@crafted),
		@golden, replay_names($shared);
}

sub with_twin
{
	my ($shared, $name) = @_;
	return load_command($shared, $name) =~ $BTT ? ($name, "$name.auto") :
		$name;
}

# the name of the recording itself
sub recorded_as
{
	my ($name) = @_;
	return $name =~ s/$AUTO//r;
}

# the command alone: the expected bytes are many
sub load_command
{
	my ($shared, $name) = @_;
	my $as = recorded_as($name);
	my $path = $as =~ m{^traces/(.*)/(.*)} ?
		"traces/$1/expected/$2.cmd" : "$as/cmd";
	return one_line("$shared/$path");
}

# those that want a device are tests/live/replay.t's
sub replay_names
{
	my ($shared) = @_;
	return sort map { m{(golden/replay/[^/]+)/cmd\z} }
		grep { !-e s{cmd\z}{device}r }
		glob "\Q$shared\E/golden/replay/*/cmd";
}

sub load_recorded
{
	my ($shared, $name) = @_;
	my $case = load_any($shared, recorded_as($name));

	$case->{cmd} =~ s/$BTT/btt --remappers=classic /g
		unless $name =~ $AUTO;
	$case->{name} = $name;
	return $case;
}

sub load_any
{
	my ($shared, $name) = @_;
	return load_trace($shared, $name, $1, $2)
		if $name =~ m{^traces/(.*)/(.*)};
	return load_crafted($shared, $name) if $name =~ m{^golden/crafted/};
	return load_replay($shared, $name) if $name =~ m{^golden/replay/};
	return load_golden($shared, $name);
}

sub load_trace
{
	my ($shared, $name, $trace, $case) = @_;
	my $base = "$shared/traces/$trace/expected/$case";

	return {
		name => $name, cmd => repaired(one_line("$base.cmd")),
		out => read_kept("$base.out"),
		rc => -e "$base.rc" ? one_line("$base.rc") : 0,
		inputs => [], sets => ["$shared/traces/$trace"],
	};
}

# Commands that no longer fit what was recorded.  One trace's lost the quotes
# around a format, which ends in the only newline escape of the line.  And
# where the end of a -t run was kept, the last of its 60 lines was noise that
# has been taken out since, so 59 are left.  verify_blkparse believes in as many
# CPUs as its machine has, which were two.
sub repaired
{
	my ($command) = @_;

	$command =~ s/\bverify_blkparse (?=\w)/verify_blkparse --cpus=2 /;
	$command =~ s/ -f (%.*\\n)(?= )/ -f '$1'/;
	$command =~ s/ -t (.*) tail -n 60\z/ -t $1 tail -n 59/;
	return $command;
}

sub load_crafted
{
	my ($shared, $name) = @_;
	my $dir = "$shared/$name";

	return {
		name => $name, cmd => one_line("$dir/cmd"),
		out => slurp("$dir/out"), rc => one_line("$dir/rc"),
		files => kept_files("$dir/expect"),
		# the folder is its own input; what is not input does no harm
		inputs => [$dir], sets => [],
	};
}

sub load_golden
{
	my ($shared, $name) = @_;
	my $dir = "$shared/$name";

	return {
		name => $name, cmd => masked(one_line("$dir/cmd")),
		out => slurp("$dir/expect/stdout") =~ s/$SPEED//r,
		rc => one_line("$dir/expect/rc"),
		files => kept_files("$dir/expect/files") || {},
		inputs => [$dir], sets => [],
	};
}

# What the clock has written cannot be compared: the time of day when an
# interval ended that 1.3.0 lost; how long btt has taken.
sub masked
{
	my ($command) = @_;
	return "$command | sed 's/^time: .*/time: T/'"
		if $command eq 'blkiomon -I 5 -h - < t.bin';
	return "$command | sed 's/ traces \@.*/ traces \@/'"
		if $command =~ /^btt .* -v /;
	return $command;
}

# undef, not looked at, when the recording kept none
sub kept_files
{
	my ($dir) = @_;
	my @names = kept_names($dir);

	return undef unless @names;
	return { map { $_ => read_kept("$dir/$_") } @names };
}

sub load_replay
{
	my ($shared, $name) = @_;
	my $dir = "$shared/$name";

	return {
		name => $name, cmd => replay_command("$dir/cmd"),
		out => slurp("$dir/stdout"), rc => one_line("$dir/status"),
		files => { map { $_ => read_kept("$dir/out/$_") }
			kept_names("$dir/out") },
		inputs => [$dir], sets => [],
	};
}

# the programs by name, not by variables
sub replay_command
{
	my ($path) = @_;
	return one_line($path) =~ s/\$(BTRECORD|BTREPLAY)/lc $1/ger;
}

1;
