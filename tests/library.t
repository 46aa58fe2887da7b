#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# libblktrace, as others find it: installed below a directory of its own.
#
#	make library library-programs; BIN=DIR UNITS=BUILD/tests/unit prove tests/library.t
#
# Its names, its pages, the examples as C and as C++, linked with either kind of
# it by what pkg-config says; what they print of every trace (more of them with
# ../shared, SHARED), which is what blkparse and btexport print; and memory that runs out, at each
# allocation in turn.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Cwd 'abs_path';
use File::Basename 'dirname';
use File::Temp 'tempdir';
use Suite::Files qw(slurp spew);
use Suite::Tap 'work_in_order';
use Suite::Traces 'unpack_traces';
use Test::More;

my $TOP = abs_path("$FindBin::Bin/..");
my $SHARED = $ENV{SHARED} || "$TOP/../shared";
my $BIN = abs_path($ENV{BIN} || $TOP);
my $BUILD = $ENV{UNITS} ? dirname(dirname(abs_path($ENV{UNITS}))) :
	"$TOP/build";
my $DIR = tempdir('library.XXXXXX', TMPDIR => 1, CLEANUP => 1);
my $ROOT = "$DIR/root";
my $HEADER = "$ROOT/usr/include/blktrace-reader.h";
my $FORMAT = '%D %2c %8s %5T.%9t %5p %2a %3d %S + %n [%C]\n';

my %COMPILER = (c => ['gcc', '-std=c11'],
		'c++' => ['g++', '-std=c++17', '-x', 'c++']);

# what a shell command prints on both, and its status
sub said
{
	my ($command) = @_;
	my $text = `{ $command; } 2>&1 </dev/null`;
	return ($text, $?);
}

sub succeeds
{
	my ($name, $command) = @_;
	my ($text, $status) = said($command);
	ok(!$status, $name) or diag(substr $text, -2000);
	return !$status;
}

sub install
{
	delete @ENV{qw(MAKEFLAGS MFLAGS MAKELEVEL)};
	succeeds('it is installed', "make -s -C '$TOP' install-library " .
		"BUILD='$BUILD' OUT='$BIN' DESTDIR='$ROOT' prefix=/usr")
		or BAIL_OUT('no library');
	$ENV{PKG_CONFIG_LIBDIR} = "$ROOT/usr/lib/pkgconfig";
	$ENV{PKG_CONFIG_SYSROOT_DIR} = $ROOT;
}

# --- names ------------------------------------------------------------------

sub names
{
	my (@nm) = @_;
	my ($text) = said("nm -f posix --defined-only @nm");
	return sort map { /^(\w+)(?:@\S+)? [A-Z] / && $1 !~ /^LIBBLKTRACE_/ ?
		$1 : () } split /\n/, $text;
}

# what the header says that there is
sub declared
{
	my $text = slurp($HEADER) =~ s{/\*.*?\*/}{}gsr;
	return sort $text =~ /\b(blkt_\w+)\(/g;
}

sub mapped
{
	my $text = slurp("$TOP/lib/libblktrace.map");
	return sort $text =~ /^\t(blkt_\w+);/mg;
}

sub test_names
{
	my @declared = declared();
	cmp_ok(scalar @declared, '>', 15, 'the header has calls');
	is_deeply([names('-D', "$ROOT/usr/lib/libblktrace.so")], \@declared,
		  'the shared library has these, and nothing else');
	is_deeply([names('-g', "$ROOT/usr/lib/libblktrace.a")], \@declared,
		  'so has the static one');
	is_deeply([mapped()], \@declared, 'each has its version');
	my @pageless = grep { !-s "$ROOT/usr/share/man/man3/$_.3" } @declared;
	is("@pageless", '', 'each has a page');
	my @unsaid = grep { slurp("$ROOT/usr/share/man/man3/$_.3") !~
		/^\.BI? "?[^\n]*\b\Q$_\E\(.*^\.fi/ms } @declared;
	is("@unsaid", '', 'which shows how it is called');
}

# What is recorded stays so: new calls may be there, and whoever lets a struct
# grow at its end, or adds to an enum, records it anew by `make abi`.
sub test_abi
{
	SKIP: {
		skip 'no abidiff', 1 if (said('abidiff --version'))[1];
		skip 'recorded on another kind of machine', 1
			if (said('uname -m'))[0] !~ /^x86_64$/;
		succeeds('programs that were linked before go on', 'abidiff ' .
			"--suppressions '$TOP/lib/libblktrace.abignore' " .
			"--no-added-syms '$TOP/lib/libblktrace.abi' " .
			"'$ROOT/usr/lib/libblktrace.so'");
	}
}

# A tree that has been moved says where it is now.
sub test_moved
{
	local $ENV{PKG_CONFIG_SYSROOT_DIR} = '';
	my %is = (includedir => "$ROOT/usr/include", libdir => "$ROOT/usr/lib");

	for my $dir (sort keys %is) {
		my ($text) = said('pkg-config --define-prefix ' .
				  "--variable=$dir libblktrace");
		is($text, "$is{$dir}\n", "a moved tree: its $dir");
	}
}

# --- programs ----------------------------------------------------------------

sub pkg_config
{
	my ($words) = @_;
	my ($text, $status) = said("pkg-config $words libblktrace");
	chomp $text;
	die "pkg-config: $text\n" if $status;
	return $text;
}

sub compile
{
	my ($example, $language) = @_;
	my ($flags, $libs) = map { pkg_config($_) } '--cflags', '--libs';
	succeeds("$example.c as $language", "@{$COMPILER{$language}} -O1 -g " .
		"-Wall -Wextra -Wshadow -Werror $flags -o '$DIR/$example-$language' " .
		"'$TOP/doc/examples/$example.c' -x none $libs");
}

sub compile_static
{
	my ($example) = @_;
	my ($flags, $libs) = map { pkg_config("--static $_") }
		'--cflags', '--libs';
	succeeds("$example.c, static", "gcc -static -O1 -g $flags " .
		"-o '$DIR/$example-static' '$TOP/doc/examples/$example.c' $libs");
}

# --- traces ------------------------------------------------------------------

# the devices in a folder, or its dumps
sub names_in
{
	my ($folder) = @_;
	opendir my $dir, $folder or die "$folder: $!\n";
	my @files = sort grep { !/^\.|\.json\z/ } readdir $dir;
	my %devices = map { /^(.*)\.blktrace\.\d+/ ? ($1 => 1) : () } @files;
	return %devices ? sort keys %devices : @files;
}

sub output_of
{
	my ($folder, @command) = @_;
	my $pid = open my $out, '-|' // die "fork: $!\n";

	if (!$pid) {
		chdir $folder or die "$folder: $!\n";
		open STDIN, '<', '/dev/null';
		open STDERR, '>', '/dev/null';
		exec @command;
		exit 127;
	}
	local $/;
	my $text = <$out>;
	close $out;	# of what is damaged blkparse ends with 1
	die "@command: status $?\n" if $? && $? != 256;
	return $text;
}

# How a completion behind a split ends: blkparse shows the whole request up to
# there, as 1.3.0 does, and not what was recorded.
sub by_end
{
	return $_[0] =~ s{( C +\S+ )(\d+) \+ (\d+) }{$1 . 'up to ' . ($2 + $3) . ' '}er;
}

# the lines of one that the other does not have, in their places
sub differences
{
	my ($theirs, $ours) = @_;
	my $split;

	return 'their numbers differ: ' . @$theirs . ' and ' . @$ours
		if @$theirs != @$ours;
	for my $i (0 .. $#$theirs) {
		my ($one, $other) = ($theirs->[$i], $ours->[$i]);
		$split ||= $one =~ /^\s*\d+,\d+\s+\d+\s+\d+\s+\S+\s+\d+\s+X /;
		next if $one eq $other;
		next if $split && by_end($one) eq by_end($other);
		return "line $i: $one and $other";
	}
	return ();
}

sub event_faults
{
	my ($folder, @names) = @_;
	my @theirs = grep { /^\s*\d+,\d+ .* \d+ \+ \d+ \[/ } split /\n/,
		output_of($folder, "$BIN/blkparse", '-q', '-f', $FORMAT, @names);
	my @ours = split /\n/, output_of($folder, "$DIR/events-c", @names);

	return ('no events') unless @ours;
	return differences(\@theirs, \@ours);
}

sub io_faults
{
	my ($folder, @names) = @_;
	my $ours = output_of($folder, "$DIR/requests-c", @names);
	my ($columns) = $ours =~ /\A(.*)/;
	my $theirs = output_of($folder, "$BIN/btexport", "--fields=$columns",
		'--format=csv', @names);
	return $theirs eq $ours ? () : 'the tables differ';
}

sub test_traces
{
	mkdir "$DIR/traces";
	my $where = unpack_traces("$TOP/tests", $SHARED, "$DIR/traces");
	my @items = map { ([\&event_faults, 'events', $_],
			   [\&io_faults, 'ios', $_]) } sort keys %$where;

	cmp_ok(scalar @items, '>', 10, 'there are traces');
	work_in_order(\@items, sub {
		my ($faults, undef, $name) = @{$_[0]};
		return $faults->($where->{$name}, names_in($where->{$name}));
	}, sub {
		my ($item, @faults) = @_;
		is("@faults", '', "$item->[1] of $item->[2]");
	});
	return $where;
}

# other kinds of the same program print the same
sub test_kinds
{
	my ($folder, @kinds) = @_;
	my @names = names_in($folder);

	for my $example ('events', 'requests') {
		my $expected = output_of($folder, "$DIR/$example-c", @names);
		for my $kind (@kinds) {
			ok(output_of($folder, "$DIR/$example-$kind", @names) eq
				$expected, "$example, $kind: prints the same");
		}
		SKIP: {
			skip 'no valgrind', 1 if (said('valgrind --version'))[1];
			succeeds("$example, by valgrind: no error, no leak",
				"cd '$folder' && valgrind -q --leak-check=full " .
				"--show-leak-kinds=all --errors-for-leak-kinds=all " .
				"--error-exitcode=9 '$DIR/$example-c' @names " .
				'2>&1 >/dev/null');
		}
	}
}

# Each read that was issued is sent once, by the io which leads its request.
sub test_replay
{
	my ($folder) = @_;
	my @names = names_in($folder);
	my (undef, @rows) = split /\n/, output_of($folder, "$BIN/btexport",
		'--fields=id,rq,op,issue_ns', '--format=csv', @names);
	my $reads = grep { /^(\d+),\1,read,\d/ } @rows;
	my $target = "$DIR/target";

	spew($target, '');
	truncate $target, 1 << 30 or die "$target: $!\n";
	cmp_ok($reads, '>', 0, 'there are reads to replay');
	like(output_of($folder, "$DIR/replay-c", $target, @names),
		qr/^$reads reads, \d+ late, 0 failed\n\z/,
		'replay: sends all of them');
}

# --- Python ------------------------------------------------------------------

sub test_python
{
	my ($folder) = @_;
	my @names = names_in($folder);
	my $rows = <<'END';
import sys
sys.path.insert(0, sys.argv[1])
import requests
for io in requests.ios(*sys.argv[2:]):
    print(*("" if value is None else value for value in io.values()), sep=",")
END
	my ($first, @theirs) = split /\n/, output_of($folder,
		"$BIN/btexport", '--fields=op,pid,time_ns,sector,bytes,total_ns',
		'--format=csv', @names);
	my @ours = split /\n/, output_of($folder, '/usr/bin/python3', '-B', '-c',
		$rows, "$TOP/doc/examples", @names);

	is_deeply(\@ours, \@theirs, 'Python has the same ios');
	SKIP: {
		skip 'no pandas', 1
			if (said('/usr/bin/python3 -c "import pandas"'))[1];
		my $text = output_of($folder, '/usr/bin/python3', '-B',
			"$TOP/doc/examples/requests.py", @names);
		my $writes = grep { /^write,/ } @theirs;
		like($text, qr/^write +$writes /m, 'pandas counts them');
	}
}

# --- memory that runs out ------------------------------------------------------

# the ways in that a trace can have, each with what is named
sub make_inputs
{
	my ($where) = @_;
	my ($disk, $ram) = map { $where->{$_} } 'cgroup-mqdl', 'k612-brd-zram';
	my ($first, $second) = map { "$DIR/segments/000$_-2026-11-20-0$_:00:00" }
		1, 2;
	my $pair = "$TOP/tests/cases/history/v2-second/in";

	system("mkdir -p $DIR/packed $DIR/card $DIR/hosts/b $first $second && " .
		"cp $disk/* $DIR/packed && gzip $DIR/packed/* && " .
		"cp $disk/* $DIR/card && cp $disk/* $first && " .
		"cp $ram/* $second && cp $ram/* $DIR/hosts/b && " .
		"cp -r $DIR/card $DIR/hosts/a") == 0 or die "cp: $?\n";
	spew("$DIR/$_/vda.blktrace.json", '{"format": 1, "host": "db1",' .
		'"boot_id": "x", "device": {"name": "vda"}}')
		for 'card', 'hosts/a';
	return ([$disk, 'vda'], ["$DIR/packed", 'vda'], ["$DIR/card", 'vda'],
		["$DIR/hosts", 'a', 'b'], [$DIR, 'segments'],
		[$where->{'pipe-live'}, names_in($where->{'pipe-live'})],
		[$where->{'derived-skips'}, names_in($where->{'derived-skips'})],
		[$pair, 'sda'],
		system("$BIN/btpack -o $DIR/x.btz $disk 2>$DIR/said") ? () :
			[$DIR, 'x.btz']);	# else without libzstd
}

sub test_memory
{
	my ($where) = @_;
	my $starve = "$BUILD/tests/library/starve";

	for my $input (make_inputs($where)) {
		my ($folder, @names) = @$input;
		for my $option ('', '--ios') {
			my ($text, $status) =
				said("cd '$folder' && $starve $option @names");
			my $name = "no memory, $option @names of " .
				($folder =~ s{.*/}{}r);
			ok(!$status && $text =~ /^([1-9]\d+) \d+\n\z/,
				$name) or diag($text);
		}
	}
}

# --- main --------------------------------------------------------------------

plan skip_all => 'no pkg-config' if (said('pkg-config --version'))[1];
install();
test_names();
test_abi();
test_moved();
$ENV{LD_LIBRARY_PATH} = "$ROOT/usr/lib";
my @languages = grep { !(said("$COMPILER{$_}[0] --version"))[1] }
	sort keys %COMPILER;
for my $example ('events', 'requests') {
	compile($example, $_) for @languages;
	compile_static($example);
}
compile('replay', $_) for @languages;
my $traces = test_traces();
test_kinds($traces->{'cgroup-mqdl'}, 'static',
	   grep { $_ ne 'c' } @languages);
test_replay($traces->{'cgroup-mqdl'});
test_python($traces->{'ext4-fsync-meta'});
test_memory($traces);
done_testing();
