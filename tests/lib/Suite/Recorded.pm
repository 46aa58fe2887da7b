# Cases in the two forms in which they were recorded from release 1.3.0.
#
# traces/T/expected/C.cmd, C.out.xz, C.rc run in a directory that holds trace
# T unpacked.  golden/crafted/C/ holds input files beside cmd, out, rc and
# expect/ (the files written).  golden/replay/C/ has stdout, status and out/ for
# those, and programs by their variables.  All become the hashes that
# Suite::Case runs.
package Suite::Recorded;

use strict;
use warnings;
use Exporter 'import';
use Suite::Case 'one_line';
use Suite::Files qw(slurp read_kept kept_names);

our @EXPORT_OK = qw(recorded_names load_recorded);

# names as differs.tsv writes them: traces/T/C, golden/crafted/C, golden/replay/C
sub recorded_names
{
	my ($shared) = @_;
	my @traces = map { m{([^/]+)/expected/([^/]+)\.cmd\z} ?
			"traces/$1/$2" : () }
		glob "\Q$shared\E/traces/*/expected/*.cmd";
	my @crafted = map { m{(golden/crafted/[^/]+)/cmd\z} }
		glob "\Q$shared\E/golden/crafted/*/cmd";
	return (sort(@traces), sort(@crafted), replay_names($shared));
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
	return load_replay($shared, $name) if $name =~ m{^golden/replay/};
	return $name =~ m{^traces/(.*)/(.*)} ?
		load_trace($shared, $name, $1, $2) :
		load_crafted($shared, $name);
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
# has been taken out since, so 59 are left.
sub repaired
{
	my ($command) = @_;

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
		files => crafted_files($dir),
		# the folder is its own input; what is not input does no harm
		inputs => [$dir], sets => [],
	};
}

# undef, not looked at, when the recording kept none
sub crafted_files
{
	my ($dir) = @_;
	my @names = kept_names("$dir/expect");

	return undef unless @names;
	return { map { $_ => read_kept("$dir/expect/$_") } @names };
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
