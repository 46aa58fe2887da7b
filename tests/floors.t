#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# The house has floors: who may include whom, as doc/layout.md has it.
#
#	prove tests/floors.t
#
# One TAP line for each source: it is on a floor, it includes only what is below
# it or in its own room, and it is in no loop.  Four more: no module keeps
# writable variables, no external name exists twice or in a library, only
# programs print messages, and every header says what it is.  BUILD names the
# directory of the objects; by default it is the one that UNITS is in, or build.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Find;
use Suite::Files 'slurp';
use Suite::Tap 'test_line';

my $ROOT = "$FindBin::Bin/..";

# From the ground up.  The first pattern that fits a path tells its floor;
# {a,b} are alternatives, * is any name within one folder.
my @FLOORS = (
	[0, 'blktrace.h', 'base/*'],
	[1, 'act_mask.*', 'net.*', 'confine/*', 'bpf/*', 'transport/*', 'replay/*',
	    'record/*', 'machine/*'],
	[2, 'pack/*'],
	[3, 'file/*'],
	[4, 'run/*', 'import/*'],
	[5, 'stats.*', 'capture/*', 'request/*'],
	[6, 'capture/{from,to}/*', 'cli/*', 'lib/*', 'server/*', 'expr/*'],
	[7, 'stat/*', 'findings/*', 'cache/*', 'capacity/*', 'commit/*'],
	[8, 'emit/{*,parquet/*,perfetto/*}'],
	[9, 'compare/*'],
	[10, 'report/*'],
	[11, 'tools/{*/*,*/*/*}', 'blkparse.c', 'blktrace.c'],
);

my $TOP = $FLOORS[-1][0];

# rooms with words, which only programs include
my %FOR_PROGRAMS = (cli => 1);

# Either is built, as make finds the library or not.
my %STANDS_FOR = (
	'emit/sqlite.c' => 'emit/sqlite_none.c',
	'pack/frame.c' => 'pack/frame_none.c',
	'import/trace_event.c' => 'import/trace_event_none.c',
	'machine/machine_id.c' => 'machine/machine_id_none.c',
	'machine/card_json.c' => 'machine/card_none.c',
	'tools/btexport/http_curl.c' => 'tools/btexport/http_none.c',
	'tools/btpack/keyed.c' => 'tools/btpack/keyed_none.c',
	'transport/tls.c' => 'transport/tls_none.c',
	'transport/conn_tls.c' => 'transport/conn_tls_none.c',
	'tools/blktop/screen.c' => 'tools/blktop/screen_none.c',
);

# what a program may write to outside of its structs: its signal handler's flag
my %FLAGS = (stop => 1, renew => 1);

sub pattern
{
	my ($glob) = @_;
	my $re = join '', map {
		$_ eq '*' ? '[^/]*' : $_ eq '{' ? '(?:' : $_ eq '}' ? ')' :
		$_ eq ',' ? '|' : quotemeta
	} split //, $glob;
	return qr/^$re\z/;
}

sub floor_of
{
	my ($path) = @_;
	for my $row (@FLOORS) {
		my ($floor, @globs) = @$row;
		return $floor if grep { $path =~ pattern($_) } @globs;
	}
	return undef;
}

# A folder with all in it, below tools/ the program's; at the top level the
# files of one name.
sub room_of
{
	my ($path) = @_;
	return $1 if $path =~ m{^(tools/[^/]+)/} || $path =~ m{^([^/]+)/};
	return $path =~ s/\.[ch]\z//r;
}

# the program that a room is for, if it is no shared one
sub program_of
{
	my ($room) = @_;
	return $room =~ m{^tools/(.*)} ? $1 : undef;
}

# NAME.c, NAME.h and, for its own kind only, NAME_impl.h
sub module_of
{
	my ($path) = @_;
	# the protocol's numbers share their name with a program by accident
	return $path if $path eq 'blktrace.h';
	return $path =~ s/(?:_impl)?\.[ch]\z//r;
}

# all sources but those of tests, benches and examples for others
sub sources
{
	my @paths;
	my $look = sub {
		my $path = $File::Find::name =~ s{^\Q$ROOT\E/}{}r;
		return $File::Find::prune = 1
			if $path =~ m{^(?:tests|bench|build|doc|\.git)\z};
		push @paths, $path if $path =~ /\.[ch]\z/;
	};
	find({ wanted => $look, no_chdir => 1 }, $ROOT);
	return sort @paths;
}

sub includes_of
{
	my ($path) = @_;
	return slurp("$ROOT/$path") =~ /^\s*#\s*include\s+"([^"]+)"/mg;
}

# --- one file -------------------------------------------------------------

# what is wrong with PATH including OTHER
sub include_fault
{
	my ($path, $other) = @_;
	my ($mine, $its) = (floor_of($path), floor_of($other));
	my $room = room_of($other);
	my $program = program_of($room);

	return "includes $other, which is not there" unless -f "$ROOT/$other";
	return "includes $other, which is on no floor" unless defined $its;
	return "includes $other, from floor $mine up to $its" if $its > $mine;
	return () if $room eq room_of($path);
	return "includes $other, which is for programs"
		if $FOR_PROGRAMS{$room} && $mine < $TOP;
	return () if $its < $mine;
	# blkparse.c and blktrace.c are outside of their rooms
	return () if $program && $program eq room_of($path);
	return "goes into the room of $program: $other" if $program;
	return "includes $other, sideways into another room";
}

# The way from a module back to itself, or nothing.
sub loop_of
{
	my ($start, $graph) = @_;
	my @ways = map { [$_] } sort keys %{$graph->{$start}};
	my %seen;

	while (my $way = shift @ways) {
		my $at = $way->[-1];
		return join ' -> ', $start, @$way if $at eq $start;
		next if $seen{$at}++;
		push @ways, map { [@$way, $_] } sort keys %{$graph->{$at}};
	}
	return ();
}

sub graph_of
{
	my %graph;
	for my $path (@_) {
		my $me = module_of($path);
		$graph{$me} ||= {};
		for my $other (map { module_of($_) } includes_of($path)) {
			$graph{$me}{$other} = 1 if $other ne $me;
		}
	}
	return \%graph;
}

sub file_faults
{
	my ($path, $graph) = @_;
	return 'it is on no floor: give it one in doc/layout.md and here'
		unless defined floor_of($path);
	my @faults = map { include_fault($path, $_) } includes_of($path);
	push @faults, map { "loop: $_" } loop_of(module_of($path), $graph);
	return @faults;
}

# --- objects --------------------------------------------------------------

sub build_dir
{
	return $ENV{BUILD} if $ENV{BUILD};
	return $1 if ($ENV{UNITS} || '') =~ m{^(.+)/tests/unit/?\z};
	return "$ROOT/build";
}

# All symbols of the objects, by object: name, class and section.  One nm reads
# them all.  There are no sections where link-time optimization is still to come.
sub symbols_of
{
	my @objects = map { $_->{object} } @_;
	my ($object, %symbols);

	open my $nm, '-|', 'nm', '-f', 'sysv', @objects or die "nm: $!\n";
	while (<$nm>) {
		$object = $1 if /^Symbols from (.*):$/;
		my ($name, undef, $class, $type, undef, undef, $section) =
			map { s/^\s+|\s+$//gr } split /\|/;
		push @{$symbols{$object}}, { name => $name, class => $class,
			type => $type, section => $section }
			if defined $section;
	}
	close $nm or die "nm cannot read all objects\n";
	return \%symbols;
}

# Writable variables of an object.  Sections tell, not nm's letters: a constant
# table of pointers is made read-only after the loader has seen to it.
sub writable_of
{
	return map { $_->{name} } grep {
		$_->{type} =~ /OBJECT|TLS/ &&
		$_->{section} !~ /^(?:$|\.rodata|\.data\.rel\.ro)/ &&
		!$FLAGS{$_->{name}} && $_->{name} !~ /^__|^\.L/
	} @_;
}

# What the kernel runs is no object here, and has only its maps to write.  Of
# two that stand for each other the one counts that was built last.
sub objects_of
{
	my ($dir, @paths) = @_;
	my $object = sub { "$dir/" . $_[0] =~ s/c\z/o/r };
	my %out;

	while (my ($one, $other) = each %STANDS_FOR) {
		my ($its, $others) = map { (stat $object->($_))[9] // 0 }
			$one, $other;
		$out{$its < $others ? $one : $other} = 1;
	}
	return map { { path => $_, object => $object->($_) } }
		grep { /\.c\z/ && !/\.bpf\.c\z/ && !$out{$_} } @paths;
}

sub variable_faults
{
	my ($symbols, @objects) = @_;

	return map {
		my $o = $_;
		map { "$o->{path}: $_" } writable_of(@{$symbols->{$o->{object}}})
	} @objects;
}

# --- external names -------------------------------------------------------

# the names that a shared library offers to others
sub names_of
{
	my ($file) = @_;
	open my $nm, '-|', 'nm', '-D', '-f', 'posix', '--defined-only', $file
		or return ();
	return grep { /^[a-z]/i } map { /^([^\s@]+)/ } <$nm>;
}

# The names of the libraries that programs are linked with, as far as they are
# on this machine: name to library.
sub library_names
{
	my %names;

	for my $line (`ldconfig -p`) {
		next unless $line =~ m{^\s*(lib(?:c|z|bpf|aio|sqlite3|jansson|nettle|gnutls|traceevent)\.so\.\d+) .* => (/\S+)};
		$names{$_} ||= $1 for names_of($2);
	}
	return \%names;
}

# Every name once, and none of a library's: rooms become a library, too.
sub name_faults
{
	my ($symbols, @objects) = @_;
	my $libraries = library_names();
	my (%where, @faults);

	return 'the libraries have no names' unless $libraries->{read};
	# what is the compiler's and the linker's own begins with _
	for my $o (@objects) {
		push @{$where{$_->{name}}}, $o->{path} for
			grep { $_->{class} =~ /^[A-TV-Z]$/ &&
			       $_->{name} =~ /^[a-z]/i }
			@{$symbols->{$o->{object}}};
	}
	return 'the objects have no names' unless $where{msg_warn};
	for my $name (sort grep { $_ ne 'main' } keys %where) {
		my @paths = @{$where{$name}};
		push @faults, "$name: in @paths" if @paths > 1;
		push @faults, "$name of @paths: $libraries->{$name} has it, too"
			if $libraries->{$name};
	}
	return @faults;
}

# --- words ----------------------------------------------------------------

# Programs speak; rooms return errors and leave the words to them.
sub word_faults
{
	my @faults;

	for my $path (grep { /\.c\z/ && !m{^(?:cli/|base/msg\.)} } @_) {
		next if (floor_of($path) // $TOP) == $TOP;
		my $code = slurp("$ROOT/$path") =~ s{/\*.*?\*/}{}gsr;
		my $calls = () = $code =~
			/\bmsg_(?:warn|die)\(|\bstderr\b|\bSTDERR_FILENO\b/g;
		push @faults, "$path: speaks $calls times" if $calls;
	}
	return @faults;
}

# --------------------------------------------------------------------------

# those that `make rooms` would list without a sentence
sub mute_headers
{
	my @lines = `'$FindBin::Bin/rooms' 2>&1 >/dev/null`;
	chomp @lines;
	return @lines;
}

sub main
{
	my @paths = sources();
	my $graph = graph_of(@paths);
	my ($number, $failed) = (0, 0);
	my $show = sub {
		my ($name, @faults) = @_;
		test_line(++$number, $name, @faults);
		$failed++ if @faults;
	};

	my @objects = objects_of(build_dir(), @paths);
	my @missing = grep { !-f $_->{object} } @objects;

	print '1..', @paths + 4, "\n";
	$show->($_, file_faults($_, $graph)) for @paths;
	my @unbuilt = map { "$_->{path}: not built yet" } @missing;
	my $symbols = symbols_of(grep { -f $_->{object} } @objects);
	my $in_sections = grep { $_->{section} =~ /^\.text/ }
		map { @$_ } values %$symbols;
	$show->('no writable variables' . ($in_sections ? '' :
		' # SKIP objects of -flto do not tell'), @unbuilt,
		variable_faults($symbols, @objects));
	$show->('external names are there once, and no library\'s',
		name_faults($symbols, @objects));
	$show->('only programs and cli/ speak', word_faults(@paths));
	$show->('every header says first what it is', mute_headers());
	return $failed;
}

exit(main() ? 1 : 0);
