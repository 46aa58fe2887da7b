#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# make takes compiler and flags from its command line and from the environment,
# and loses none of what the sources need.  Looks at the commands that it would
# run, so no other compiler has to be installed.
#
#	prove tests/make.t
use strict;
use warnings;
use FindBin;
use File::Temp 'tempdir';
use Test::More;

my $TOP = "$FindBin::Bin/..";
my $BUILD = tempdir('make.XXXXXX', TMPDIR => 1, CLEANUP => 1);
my @OURS = qw(-std=c11 -I. -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64
	-D_TIME_BITS=64 -Wmissing-prototypes);
my %USERS = (CFLAGS => '-O3 -DIN_CFLAGS', CPPFLAGS => '-DIN_CPPFLAGS',
	LDFLAGS => '-Wl,-z,now');

# what a make above us has handed down is not to be seen here
delete @ENV{qw(MAKEFLAGS MFLAGS MAKEOVERRIDES CC AR), keys %USERS};

# a compiler of another make, which knows only its name
my $other = "$BUILD/other-cc";
open my $script, '>', $other or die "$other: $!\n";
print $script "#!/bin/sh\necho other compiler 1.0\n";
close $script;
chmod 0755, $other or die "$other: $!\n";

# what would be run: compile, archive, link
sub commands
{
	my ($text) = run_make("$BUILD/blkrawverify", @_);

	return ($text =~ m{^(.* -c -o .*base/buf\.o .*)$}m,
		$text =~ m{^(.*/rooms\.a .*base/buf\.o.*)$}m,
		$text =~ m{^(.* -o \S+/blkrawverify .*)$}m);
}

# what would be run to make a file
sub run_make
{
	my ($file, @arguments) = @_;
	open my $make, '-|', 'make', '-n', '-C', $TOP, "BUILD=$BUILD",
		"OUT=$BUILD", @arguments, $file
		or die "make: $!\n";
	my $text = do { local $/; <$make> } =~ s/\\\n\s*//gr;
	close $make or die "make -n @arguments fails\n";
	return $text;
}

sub has
{
	my ($command, $name, @words) = @_;
	like($command, qr/(?:^|\s)\Q$_\E(?:\s|\z)/, "$name: $_") for @words;
}

sub users_flags
{
	my ($name, @arguments) = @_;
	my ($compile, undef, $link) = commands(@arguments);

	has($compile, "$name, compile", @OURS, '-O3', '-DIN_CFLAGS',
		'-DIN_CPPFLAGS');
	has($link, "$name, link", '-O3', '-Wl,-z,now');
	unlike("$compile $link", qr/-flto/, "$name: no flags but these");
}

users_flags('command line', map { "$_=$USERS{$_}" } sort keys %USERS);
{
	local @ENV{keys %USERS} = values %USERS;
	users_flags('environment');
}

my ($compile, $archive, $link) = commands();
has($compile, 'by default, compile', 'gcc', '-O2', '-flto=auto', @OURS);
like($archive, qr/^\S*gcc-ar /, "by default, gcc's own archiver");
has($link, 'by default, link', 'gcc', '-flto=auto');

for my $from ('command line', 'environment') {
	local $ENV{CC} = $other if $from eq 'environment';
	($compile, $archive, $link) =
		commands($from eq 'environment' ? () : "CC=$other");
	has($_, "CC from $from", $other) for $compile, $link;
	unlike("$compile $link", qr/-flto/, '... and nothing of gcc alone');
	like($archive, qr/^ar /, '... nor its archiver');
}

# of several gcc the one that is asked for
my $cross = "$BUILD/m68k-linux-gnu-gcc";
for my $name ($cross, "$cross-ar") {
	open my $program, '>', $name or die "$name: $!\n";
	print $program "#!/bin/sh\necho Free Software Foundation\n";
	chmod 0755, $name or die "$name: $!\n";
}
($compile, $archive) = commands("CC=env $cross");
has($compile, 'another gcc', 'env', $cross, '-flto=auto');
like($archive, qr/^\Q$cross-ar\E /, '... has an archiver of its own');

(undef, $archive) = commands('CC=cc');
like($archive, qr/^\S*ar /, 'cc has one, too');

(undef, $archive) = commands('AR=llvm-ar');
like($archive, qr/^llvm-ar /, 'AR from command line');

# which of the two files goes into the archive
for my $answer ('yes', 'no') {
	(undef, $archive) = commands("SQLITE=$answer");
	has($archive, "SQLITE=$answer", "$BUILD/emit/sqlite" .
		($answer eq 'yes' ? '' : '_none') . '.o');
	my $both = () = $archive =~ m{/emit/sqlite\w*\.o}g;
	is($both, 1, '... and not the other');
}
# the same of cards, and of the machine's id in them
for my $answer ('yes', 'no') {
	(undef, $archive) = commands("JANSSON=$answer", "NETTLE=$answer");
	has($archive, "JANSSON=$answer", "$BUILD/machine/card_" .
		($answer eq 'yes' ? 'json' : 'none') . '.o');
	has($archive, "NETTLE=$answer", "$BUILD/machine/machine_id" .
		($answer eq 'yes' ? '' : '_none') . '.o');
	my $all = () = $archive =~ m{/(?:card_(?:json|none)|machine_id\w*)\.o}g;
	is($all, 2, '... and not the others');
}
# the same of TLS, which is two files
for my $answer ('yes', 'no') {
	(undef, $archive) = commands("GNUTLS=$answer");
	has($archive, "GNUTLS=$answer", map { "$BUILD/transport/$_" .
		($answer eq 'yes' ? '' : '_none') . '.o' } qw(tls conn_tls));
	my $all = () = $archive =~ m{/transport/(?:conn_)?tls\w*\.o}g;
	is($all, 2, '... and not the others');
}
# the same of packed traces
for my $answer ('yes', 'no') {
	(undef, $archive) = commands("ZSTD=$answer");
	has($archive, "ZSTD=$answer", "$BUILD/pack/frame" .
		($answer eq 'yes' ? '' : '_none') . '.o');
	my $both = () = $archive =~ m{/pack/frame\w*\.o}g;
	is($both, 1, '... and not the other');
}
# the same of binary events
for my $answer ('yes', 'no') {
	(undef, $archive) = commands("TRACEEVENT=$answer");
	has($archive, "TRACEEVENT=$answer", "$BUILD/import/trace_event" .
		($answer eq 'yes' ? '' : '_none') . '.o');
	my $both = () = $archive =~ m{/trace_event\w*\.o}g;
	is($both, 1, '... and not the other');
}
# the same of blktop's screen
for my $answer ('yes', 'no') {
	my ($link) = run_make("$BUILD/blktop", "NCURSES=$answer") =~
		m{^(.* -o \S+/blktop .*)$}m;
	has($link, "NCURSES=$answer", "$BUILD/tools/blktop/screen" .
		($answer eq 'yes' ? '' : '_none') . '.o');
	my $both = () = $link =~ m{/screen\w*\.o}g;
	is($both, 1, '... and not the other');
	is($link =~ /-lncursesw/ ? 'yes' : 'no', $answer,
	   '... nor its library');
}
# a compiler that cannot link with the library
my $without = "$BUILD/without-cc";
open my $fails, '>', $without or die "$without: $!\n";
print $fails "#!/bin/sh\ncase \$* in *-lsqlite3*) exit 1; esac\necho cc\n";
close $fails;
chmod 0755, $without or die "$without: $!\n";
(undef, $archive) = commands("CC=$without");
has($archive, 'no library', "$BUILD/emit/sqlite_none.o");

# make ends with what it left out, and with what would add it
my %ADDS = (SQLITE => 'libsqlite3-dev', NCURSES => 'libncurses-dev',
	    JANSSON => 'libjansson-dev', NETTLE => 'nettle-dev',
	    GNUTLS => 'libgnutls28-dev', ZSTD => 'libzstd-dev',
	    TRACEEVENT => 'libtraceevent-dev');
sub left_out
{
	my (%answers) = @_;
	my $text = run_make('everything', map { "$_=$answers{$_}" }
		sort keys %answers);
	return $text =~ /^echo "left out: .*/m ? $& : '';
}
my %all = map { $_ => 'yes' } keys %ADDS;
is(left_out(%all), '', 'nothing is left out');
for my $one (sort keys %ADDS) {
	my @reported = left_out(%all, $one => 'no') =~ /left out:/g;
	is(scalar @reported, 1, "$one=no is reported alone");
	like(left_out(%all, $one => 'no'), qr/needs .*\Q$ADDS{$one}\E/,
	     '... with what it needs');
}

done_testing();
