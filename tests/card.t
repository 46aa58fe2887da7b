#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# The card of a trace: what blktrace --card prints of it, what programs show of
# the machine by it, and that no card, whatever is in it, keeps a trace from
# being read.
#
#	BIN=DIR prove tests/card.t
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Cwd 'abs_path';
use File::Temp 'tempdir';
use JSON::PP;
use Suite::Files qw(slurp spew unpack_set);
use Suite::Run qw(find_programs run_command);
use Test::More;

my $HERE = $FindBin::Bin;
my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my $TOP = tempdir(CLEANUP => 1);

# a card as blktrace writes it, with other values
sub card
{
	my (%other) = @_;
	return JSON::PP->new->canonical->utf8->encode({
		schema => 1, host => 'db1', kernel => '6.12.5', arch => 'x86_64',
		machine_id => '0123456789abcdef0123456789abcdef',
		cpus_online => 4, program => 'blktrace 1.1.0',
		command => ['blktrace', '-w', '10', '/dev/sda'],
		via => 'relay', record_version => 7,
		device => {
			name => 'sda', number => '8:0', model => 'FAST 3000',
			serial => 'S1', size => 1 << 30,
			logical_block_size => 512, physical_block_size => 4096,
			rotational => JSON::PP::false, scheduler => 'bfq',
			nr_requests => 64, max_sectors_kb => 1280,
			partitions => [{ name => 'sda1', number => '8:1',
				start => 2048, mounts => [
					{ path => '/srv', type => 'xfs' }] }],
			holders => [{ name => 'dm-0', dm => {
				name => 'home', targets => ['crypt'] } }],
		},
		clock => { start => {
			realtime_ns => 1_700_000_000_000_000_000,
			monotonic_ns => 5_000_000_000,
			synchronised => JSON::PP::true, maxerror_us => 1500 } },
		%other,
	});
}

sub run_in
{
	my ($dir, $command) = @_;
	return run_command($command, $dir, $PROGRAMS);
}

# a new directory with a recorded trace
my $dirs = 0;
sub new_trace
{
	my ($name) = @_;
	my $dir = "$TOP/trace" . $dirs++;

	mkdir $dir or die "$dir: $!\n";
	unpack_set("$HERE/data/$name", $dir);
	return $dir;
}

# --- blktrace --card ------------------------------------------------------

sub test_card
{
	my $dir = new_trace('k612-virtio-none-uring');
	my ($device) = map { m{([^/]+)\.blktrace\.0\z} } glob "$dir/*.0";
	my $want = <<"END" =~ s/^\t//gmr;
	$device.blktrace.json
	begun             2023-11-14 22:13:20.000000000 UTC, wrong by 1.50ms at most
	command           blktrace -w 10 /dev/sda
	host              db1
	kernel            6.12.5
END
	spew("$dir/$device.blktrace.json", '{"host":"db1","kernel":"6.12.5",' .
		'"command":["blktrace","-w","10","/dev/sda"],' .
		'"clock":{"start":{"realtime_ns":1700000000000000000,' .
		'"maxerror_us":1500}}}');
	my $got = run_in($dir, "blktrace --card $device");
	is("$got->{rc} $got->{err}", '0 ', '--card is an answer');
	is($got->{out}, $want, '--card, line by line');

	spew("$dir/$device.blktrace.json", card(host => "a\e[31mb"));
	$got = run_in($dir, "blktrace --card $device.blktrace.json");
	like($got->{out}, qr/^host +a\\x1b\[31mb$/m,
		'text is harmless for a terminal');
	like($got->{out}, qr/^  size +1073741824 \(1\.00G\)$/m, 'sizes');
	like($got->{out}, qr{^  held by
    device mapper
      name  +home
      target  +crypt
    name  +dm-0$}m, 'what holds it');
	like($got->{out}, qr{^  partition
    mounted
      mounted at  +/srv
      type  +xfs
    name  +sda1$}m, 'what is mounted');
	like($got->{out}, qr/^  serial number +S1$/m, 'the serial number');

	spew("$dir/$device.blktrace.json", '{"host":7}');
	$got = run_in($dir, "blktrace --card $device");
	is("$got->{rc} $got->{err}",
		"1 blktrace: $device.blktrace.json: host is no text\n",
		'a damaged card is told');
	$got = run_in($TOP, "blktrace --card -D $dir $device");
	like($got->{err}, qr{trace\d+/$device\.blktrace\.json: },
		'-D is where traces are');
	unlink "$dir/$device.blktrace.json";
	$got = run_in($dir, "blktrace --card $device");
	is("$got->{rc} $got->{err}", "1 blktrace: $device: there is no card with it\n",
		'a trace without');
	$got = run_in($dir, 'blktrace --card nope');
	is("$got->{rc} $got->{err}", "1 blktrace: nope: no such file or trace; give its path" .
	   " without .blktrace.CPU, as DIR/sda for DIR/sda.blktrace.0\n",
		'no trace');
}

# --- readers --------------------------------------------------------------

# what programs show by a card, and that it changes no number
sub test_readers
{
	my $dir = new_trace('k612-virtio-none-uring');
	my $path = "$dir/vda.blktrace.json";
	my %plain = map { $_ => run_in($dir, $_) }
		'btstat vda', 'btexport --format=csv vda', 'blkparse vda',
		'btt -i vda';

	spew($path, card());
	my $got = run_in($dir, 'btstat vda');
	like($got->{out}, qr/^host +db1, Linux 6\.12\.5, x86_64, 4 CPUs$/m,
		'btstat: the machine');
	like($got->{out}, qr/^device +vda, 1\.00G, FAST 3000, scheduler bfq, nr_requests 64,\s/m,
		'btstat: the device');
	is(join('', grep { !/^(?:host|device|  +1280)/ }
		$got->{out} =~ /^.*\n/mg), $plain{'btstat vda'}{out},
		'btstat: nothing else') or diag($got->{out});
	is($got->{err}, "btstat: db1: the card does not fit the trace:"
		. " its clock is not used\n", 'btstat: the clock is another');

	$got = run_in($dir, 'btexport --format=csv vda');
	my $want = $plain{'btexport --format=csv vda'}{out};
	isnt($got->{out}, $want, 'btexport: the host');
	my ($host) = $want =~ /\n([^,]+),/;
	# the trace's id is of the host, too
	is(join("\n", map { s/\bdb1\b/$host/r =~ s/,\K[0-9a-f]{16}(?=,)//r }
		split /\n/, $got->{out}),
	   join("\n", map { s/,\K[0-9a-f]{16}(?=,)//r } split /\n/, $want),
	   'btexport: nothing else');
	$got = run_in($dir, 'btexport --table=meta --format=tsv vda');
	like($got->{out}, qr/^db1\tcard\.vda\.device\.scheduler\tbfq\t/m,
		'btexport: rows of meta');
	$got = run_in($dir, 'btreport -o page.html --json=page.json vda');
	my $page = decode_json(slurp("$dir/page.json"));
	is($page->{host}, 'db1', 'btreport: the host');
	like($page->{about}{machines}[1], qr/^vda, 1\.00G, FAST 3000, /,
		'btreport: the device');
	like(slurp("$dir/page.html"), qr{<dt>Device</dt><dd>vda, 1\.00G, FAST},
		'btreport: in the page');
	for my $command ('blkparse vda', 'btt -i vda') {
		$got = run_in($dir, $command);
		is("$got->{out}$got->{err}",
			"$plain{$command}{out}$plain{$command}{err}",
			"$command: is as without");
	}
	run_in($dir, 'btrecord vda');
	is(slurp("$dir/vda.replay.json"), card(), 'btrecord keeps it');
}

# Programs that go through a directory, ours and the original's if that is here:
# what they print and write with a card is what they do without.
sub test_passed_over
{
	my @commands = ('btrecord -F && cat *.replay.[0-9]*',
		'blkparse -i vda', 'blkrawverify vda');
	push @commands, map {
		my ($path) = grep { -x } map { "/usr/$_" } m{^(\S+)};
		$path ? s{^\S+}{$path}r : ()
	} 'bin/blkparse -i vda', 'sbin/btrecord -F && cat *.replay.[0-9]*',
	  'bin/blkrawverify vda';
	for my $command (@commands) {
		my ($without, $with) = map { new_trace('k612-virtio-none-uring') }
			1, 2;
		spew("$with/vda.blktrace.json", card());
		my ($want, $got) = map { run_in($_, $command) } $without, $with;
		is("$got->{rc} $got->{out}$got->{err}",
			"$want->{rc} $want->{out}$want->{err}",
			"$command: passes it over");
	}
}

# whatever is in a card, the trace is read, with a line about it
sub test_hostile
{
	my $dir = new_trace('k612-virtio-none-uring');
	my $path = "$dir/vda.blktrace.json";
	my $plain = run_in($dir, 'btstat vda');
	my %cards = (
		'nothing' => ['', 'cut short (line 1)'],
		'deep' => ['[' x 500_000, 'nested too deeply (line 1)'],
		'twice' => ['{"host":"a","host":"b"}',
			'duplicate name (line 1)'],
		'wrong' => ['{"clock":[]}', 'clock is no object'],
		'bytes' => ["{\"host\":\"\xff\"}", 'not UTF-8 (line 1)'],
		'many' => ['{"x":[' . '1,' x 5000 . '1]}',
			'more than 4096 values'],
		'later' => ['{"schema":2}', 'schema is not 1'],
	);
	for my $name (sort keys %cards) {
		my ($bytes, $why) = @{$cards{$name}};
		spew($path, $bytes);
		my $got = run_in($dir, 'btstat vda');
		is("$got->{rc} $got->{err}", "0 btstat: vda.blktrace.json:"
			. " $why; the trace is read without it\n", $name);
		is($got->{out}, $plain->{out}, '... it is read');
	}
	truncate $path, 100 << 20 or die "$path: $!\n";
	my $got = run_in($dir, 'btstat vda');
	is("$got->{rc} $got->{err}", "0 btstat: vda.blktrace.json: File too" .
		" large; the trace is read without it\n", '100 MB');
	unlink $path;
	system('mkfifo', $path) == 0 or die "mkfifo: $!\n";
	$got = run_in($dir, 'btstat vda');
	is($got->{out}, $plain->{out}, 'a pipe does not stop it');
}

spew("$TOP/x.blktrace.json", '{}');
my $got = run_in($TOP, 'blktrace --card x.blktrace.json');
if ($got->{err} =~ /built without jansson/) {
	plan skip_all => 'built without jansson';
	exit;
}
test_card();
test_readers();
test_passed_over();
test_hostile();
done_testing();
