#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# btpack --anonymise: no name, serial number, path, pid, message or date of a
# trace is left in any byte, and all figures of btstat are as they were.
#
#	BIN=DIR [SHARED=DIR] prove tests/anonymise.t
#
# With ../shared (SHARED) at hand its traces are anonymised, too.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/hostile";
use Cwd 'abs_path';
use File::Path qw(make_path remove_tree);
use File::Temp 'tempdir';
use JSON::PP 'decode_json';
use Records 'record';
use Suite::Files qw(files_below slurp spew unpack_set);
use Suite::Made qw(made_ios made_sealed);
use Suite::Run qw(find_programs run_command);
use Suite::Traces 'every_trace';
use Test::More;

my $HERE = $FindBin::Bin;
my $SHARED = $ENV{SHARED} || "$HERE/../../shared";
my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my $TOP = tempdir('anonymise.XXXXXX', TMPDIR => 1, CLEANUP => 1);
my $ROTATE = $ENV{ROTATE} ||
	($ENV{UNITS} ? "$ENV{UNITS}/../rotate" : "$HERE/../build/tests/rotate");
my $KEY = 'tests/anonymise.t';
my $SHORT = 4;			# characters of a name that is searched for

# tables of btstat, without names of devices and processes
my @TABLES = ('--by=op', '--by=op,size', '--by=cpu,error',
	      '--phases=q2c,d2c,g2c,total,q2d --by=op', '--interval=50ms',
	      '--per=request --by=op', '--where=q2c>1ms --by=op');

sub run
{
	my ($command, $dir) = @_;
	return run_command($command, $dir || $TOP, $PROGRAMS);
}

my $dirs = 0;
sub new_dir
{
	my $dir = "$TOP/" . $dirs++;
	mkdir $dir or die "$dir: $!\n";
	return $dir;
}

# Packs WHAT in DIR by the key, and unpacks that: the directory of the files.
sub anonymised
{
	my ($dir, $what, $key, $options) = @_;
	my $to = new_dir();
	my $got = run("btpack --anonymise=$key " . ($options // '')
		      . " $what -o $to.btz", $dir);

	ok(-e "$to.btz", "$what by $key: packed") or diag($got->{err});
	is(run("btpack -t $to.btz && btpack -d $to.btz -D $to")->{rc}, 0,
	   '... without a fault');
	return $to;
}

# all bytes, and all names of files
sub bytes_of
{
	my ($dir) = @_;
	return join "\n", map { ($_, slurp("$dir/$_")) } files_below($dir);
}

# { name => pid } and { pid => 1 } of a trace, as readers show them, and its
# messages
sub named
{
	my ($what, $dir) = @_;
	my $text = run("blkparse -q -f '%p %C\\n' $what", $dir)->{out};
	my %names = reverse $text =~ /^(\d+) (?!\d+$|\(null\))(.+)$/mg;
	my %pids = map { $_ => 1 } $text =~ /^(\d+) /mg;

	return (\%names, \%pids, [$text =~ / m +N (.+)$/mg]);
}

# --- recorded traces ----------------------------------------------------------

sub test_figures
{
	my ($name, $what, $dir, $to) = @_;

	for my $table (@TABLES) {
		my ($was, $is) = map {
			run("btstat --format=csv '$table' $_->[0]" =~
			    s/ --by/' '--by/r, $_->[1])->{out}
		} [$what, $dir], ["$to.btz", $to];
		is($is, $was, "$name, $table: the same figures");
	}
}

sub test_names
{
	my ($name, $what, $dir, $to) = @_;
	my ($names, $pids, $messages) = named($what, $dir);
	my ($now, $now_pids) = named("$to.btz", $to);
	my $bytes = bytes_of($to);
	# names of files have "blktrace", too
	my @left = grep { length >= $SHORT && $_ ne 'blktrace' &&
			  $bytes =~ /\Q$_\E/ }
		keys %$names, grep { !/^blktrace: / } @$messages;

	is("@left", '', "$name: no name or message is left");
	is(join(' ', grep { $_ && $pids->{$_} } keys %$now_pids), '',
	   '... and no pid');
	is(scalar keys %$now_pids, scalar keys %$pids, '... but as many');
	is(scalar keys %$now, scalar keys %$names, '... and names');
	is(join(' ', grep { !/^(?:\w\w){6}\z/ || length > 12 } keys %$now), '',
	   '... which are words');
}

# "DEVICE CPU NUMBER ACTION" => sector of the events with bytes
sub sectors
{
	my ($what, $dir) = @_;
	my $text = run("blkparse -q -f '%M,%m %c %s %a %n %S\\n' $what",
		       $dir)->{out};
	return $text =~ /^(\S+ \d+ \d+ [A-Z]+) [1-9]\d* (\d+)$/mg;
}

sub test_sectors
{
	my ($name, $what, $dir, $to) = @_;
	my %was = sectors($what, $dir);
	my %is = sectors("$to.btz", $to);
	my %shifts;

	is(scalar keys %is, scalar keys %was,
	   "$name: as many events with sectors");
	for my $event (keys %was) {
		my ($device) = $event =~ /^(\S+)/;
		$shifts{$device}{$is{$event} - $was{$event}} = 1;
	}
	is(join(' ', grep { keys %{$shifts{$_}} != 1 } keys %shifts), '',
	   '... each shifted by one amount');
	is(join(' ', grep { $_ % 2048 || $_ <= 0 } map { keys %$_ }
		values %shifts), '', '... of whole MiB');
}

sub test_recorded
{
	my $top = new_dir();

	for my $trace (every_trace($HERE, $SHARED)) {
		my ($name, $folder) = @$trace;
		my $dir = "$top/$name";
		mkdir $dir or die "$dir: $!\n";
		unpack_set($folder, $dir);
		my ($dump) = glob "$dir/*.bin";
		my $what = $dump ? $dump =~ s{.*/}{}r : '.';
		my $to = anonymised($dir, $what, $KEY);

		test_figures($name, $what, $dir, $to);
		test_names($name, $what, $dir, $to);
		test_sectors($name, $what, $dir, $to);
		remove_tree($dir, $to);
	}
}

# --- all that a trace may tell ------------------------------------------------

my $SECRET = 'sesame';
my $EPOCH = 1764200000;		# in November 2025

sub note_of
{
	my ($number, $payload, %more) = @_;
	return record(action => 0x04000000 | $number, payload => $payload,
		      number => 0, %more);
}

# a record of each kind, with the secret in it
sub telling
{
	my $cgroup = pack 'L L', 4177, 1;
	my $name = "$SECRET-name";
	my @payloads = (
		[0x01110000 | 1, ''], [0x00410007, ''],
		# packet commands, a remap, a split, an unplug, a driver's data
		[0x02410007, "\x28$SECRET"], [0x0001000f,
			pack('N N N N', 8 << 20 | 1, 8 << 20, 0, 123456)],
		[0x0001000d, pack('N N', 0, 654321) . $SECRET],
		[0x0001000a, pack('N N', 0, 3) . $SECRET],
		[0x40010011, $SECRET], [0x00010001, $SECRET],
		[0x00010101, $cgroup], [0x0001010f, $cgroup .
			pack('N N N N', 8 << 20 | 1, 8 << 20, 0, 123456)],
	);
	my $number = 0;

	return join('', note_of(0, $name . "\0" x (16 - length $name), pid => 1234567),
		note_of(0, "\0" x 16, pid => 1234568),
		note_of(1, pack('L L', $EPOCH, 5), time => 7e9),
		note_of(2, "mark of $SECRET", pid => 1234567),
		note_of(0x102, "${cgroup}bfq4711S $SECRET\n"),
		note_of(2, 'blktrace: 17 dropped since 3.000000004'),
		note_of(2, "iotracer: file 7: /$SECRET/wal"),
		note_of(2, 'iotracer: fsync of file 7 by 1234567: 5000 ns',
			pid => 1234567),
		note_of(9, $SECRET),
		map { record(number => ++$number, time => 7e9 + $number,
			     sector => 123456, pid => 1234567,
			     action => $_->[0], payload => $_->[1]) } @payloads);
}

sub card
{
	return JSON::PP->new->canonical->encode({
		schema => 1, host => "$SECRET-host", machine_id => 'c0ffee00' x 4,
		boot_id => 'decade-00', kernel => "6.12.5-$SECRET", arch => 'x86_64',
		program => "blktrace $SECRET", command => ['blktrace', $SECRET],
		via => 'relay', cpus_online => 4, $SECRET => $SECRET,
		device => {
			name => 'sda', number => '8:0', model => "M $SECRET",
			serial => "S$SECRET", size => 123456789, scheduler => 'bfq',
			nr_requests => 64, rotational => JSON::PP::false,
			mounts => [{ path => "/srv/$SECRET", type => 'xfs' }],
			holders => [{ name => 'dm-0', number => '252:0',
				dm => { name => "vg-$SECRET" } }],
			slaves => [{ name => "my$SECRET", start => 4,
				backing_file => "/var/$SECRET/disk" }],
		},
		cgroups => { 4177 + (1 << 32) => "/system.slice/$SECRET.service" },
		clock => { start => { realtime_ns => ($EPOCH - 1) * 1e9,
				      monotonic_ns => 6e9 } },
		audit => { verdict => 'none', reason => $SECRET },
		end => { cause => 'signal', events => 10,
			 cpus => [{ cpu => 0, events => 10, bytes => 5 }] },
	});
}

sub test_all
{
	my $dir = new_dir();
	my $trace = "$dir/$SECRET-2026-11-27-10:00:00";

	mkdir $trace or die "$trace: $!\n";
	spew("$trace/sda.blktrace.0", telling());
	spew("$trace/$SECRET.blktrace.0", telling());
	spew("$trace/sda.blktrace.json", card());
	spew("$trace/cause.json", "{\"cause\": \"$SECRET\"}");
	spew("$dir/$SECRET.dump", telling());
	my $to = anonymised($dir, "$trace $SECRET.dump", $KEY);
	my $bytes = bytes_of($to);
	my @strings = $bytes =~ /([\x20-\x7e]{4,})/g;

	is(join(' ', grep { /$SECRET|c0ffee|decade|123456|654321|4177|2026|system/
		} @strings), '', 'all strings: no secret');
	for my $number (1234567, 1234568, 123456, $EPOCH, 4177) {
		unlike($bytes, qr/\Q@{[pack 'V', $number]}\E|\Q@{[pack 'N',
			$number]}\E/, "... nor the number $number");
	}
	my ($file) = grep { m{/sda\.blktrace\.0\z} } files_below($to);
	my $card = decode_json(slurp("$to/" . $file =~ s/0\z/json/r));
	my $word = qr/\A(?:[a-z]{2}){6}\z/;
	is(join(' ', sort keys %$card), 'anonymised arch audit cgroups clock'
	   . ' cpus_online device end host kernel schema via',
	   'the card has what readers need');
	is($card->{anonymised}, 1, '... and says what was done');
	like($card->{$_}, $word, "... a word as $_") for 'host';
	is($card->{kernel}, '6.12.5', '... the kernel without its builder');
	my $disk = $card->{device};
	is("$disk->{name} $disk->{scheduler} $disk->{nr_requests}",
	   'sda bfq 64', '... what the disk is');
	like($disk->{$_}, $word, "... not which: $_") for qw(model serial);
	like($disk->{mounts}[0]{path}, qr{\A/[a-z]{12}/[a-z]{12}\z},
	     '... parts of a path');
	like($disk->{holders}[0]{dm}{name}, $word, '... a volume');
	like($disk->{slaves}[0]{name}, $word, "... a name that is no disk's");
	my ($id) = keys %{$card->{cgroups}};
	is($id >> 32, 1, "... a cgroup's generation");
	is($card->{end}{cpus}[0]{events}, 10, '... counts');
	is($card->{clock}{start}{realtime_ns}, (86400 + 6) * 1e9,
	   '... times of day since 2 January 1970');

	my $got = run("blkparse -q -f '%N %C\\n' $file", $to);
	like($got->{out}, qr/ m +N bfq[a-z]{12}$/m,
	     "a driver's message is still one");
	like($got->{out}, qr/ m +N blktrace: 17 dropped since/m,
	     "blktrace's own stays");
	like($got->{out}, qr/ m +N iotracer: file 7: [a-z]{12}$/m,
	     'a file has a word for its path');
	like($got->{out},
	     qr/ (\d+) +m +N iotracer: fsync of file 7 by \1: 5000 ns/m,
	     '... and keeps its calls, of the same process');
	$got = run("btstat --marks $file", $to);
	like($got->{out}, qr/^.*\b(?:[a-z]{2}){6}$/m, 'a mark is still one')
		or diag($got->{out});
	# the same id in the records as in the card
	like($bytes, qr/\Q@{[pack 'V', $id & 0xffffffff]}\E/,
	     'a cgroup is found by its id');
}

# --- keys ---------------------------------------------------------------------

sub test_keys
{
	my $dir = new_dir();
	my @ios = map { { time => $_ / 100, sector => 8 * $_, op => 'R',
		bytes => 4096, pid => 100 + $_ % 9, name => 'name' . $_ % 9,
		took => 0.003 } } 1 .. 100;

	spew("$dir/sda.blktrace.0", made_ios(@ios));
	spew("$dir/sdb.blktrace.0", made_ios(reverse map { {
		%$_, device => 9 } } @ios[0 .. 49]));
	my @names = map { (named(anonymised($dir, @$_) . '.btz', $dir))[0] }
		['sda', 'one'], ['sdb', 'one'], ['sda', 'two'];
	is_deeply($names[1], $names[0], 'one key: the same names and pids');
	is(join(' ', grep { $names[0]{$_} } keys %{$names[2]}), '',
	   'another key: other names');
	my %pids = map { $_ => 1 } values %{$names[0]};
	is(join(' ', grep { $pids{$_} } values %{$names[2]}), '',
	   '... and pids');
	run("btpack --anonymise=one sda -o $_", $dir) for qw(a.btz b.btz);
	is(run('cmp a.btz b.btz', $dir)->{rc}, 0, 'one key: the same bytes');
	run("btpack --anonymise sda -o $_", $dir) for qw(a.btz b.btz);
	is(run('cmp -s a.btz b.btz', $dir)->{rc}, 1, 'no key: a random one');
	run("btpack --anonymise=$KEY sda -o a.btz", $dir);
	unlike(slurp("$dir/a.btz"), qr/\Q$KEY/, 'the key is not in the file');
	my $got = run('btpack --anonymise= sda -o c.btz', $dir);
	is($got->{err}, "btpack: --anonymise: an empty key; without =KEY it is"
	   . " random\n", 'an empty key');
}

# With a window, of a packed file, and of a sealed one.
sub test_together
{
	my $dir = new_dir();
	my @ios = map { { time => $_ / 100, sector => 8 * $_, op => 'W',
		bytes => 4096, pid => 100, name => $SECRET, took => 0.003 } }
		1 .. 300;

	spew("$dir/sda.blktrace.0", made_sealed(made_ios(@ios), 0, 1, 4));
	spew("$dir/sda.blktrace.json", card());
	run('btpack sda -o x.btz', $dir);
	for my $options ('', '-w 1:2') {
		my $to = anonymised($dir, 'x.btz', $KEY, $options);
		my $got = run('btstat .', $to);
		is($got->{rc}, 0, "x.btz $options: read again");
		unlike($got->{err}, qr/checksum|missing/, '... its seals fit')
			or diag($got->{err});
		like($got->{out}, qr/^lost +none/m, '... and nothing is lost');
		my $card = decode_json(slurp("$to/sda.blktrace.json"));
		is($card->{selected} // 0, $options ? 1 : 0,
		   '... the card says what was selected');
		is(exists $card->{end}{events}, !$options, '... or counts all');
	}
}

# Segments as blktrace --rotate writes them, and the last of them alone, which
# start with the names from before.
sub test_rotated
{
	my $dir = new_dir();

	SKIP: {
		skip 'no tests/rotate/feed', 1 unless -x "$ROTATE/feed";
		mkdir "$dir/$_" or die "$_: $!\n" for qw(trace run);
		unpack_set("$HERE/data/smp4-mixed-procs", "$dir/trace");
		is(system("$ROTATE/feed", "$dir/trace", "$dir/run", 0, 400, 0,
			  0, 20), 0, 'a trace in segments');
		for my $what ('run', 'run/0002* run/0003*') {
			my $to = anonymised($dir, $what, $KEY);
			test_figures("rotated, $what", $what, $dir, $to);
			test_names("rotated, $what", $what, $dir, $to);
			is(join(' ', grep { m{/} } files_below($to)), '',
			   '... in a file for each CPU, without dates');
		}
	}
}

SKIP: {
	my $dir = new_dir();
	spew("$dir/x", '');
	my $got = run('btpack --anonymise x -o x.btz', $dir);
	skip $1, 1 if $got->{err} =~ /(built without.*)/;
	test_recorded();
	test_all();
	test_keys();
	test_together();
	test_rotated();
}
done_testing();
