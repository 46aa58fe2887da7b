#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# btexport's command line and its files: what goes together, which file is
# there when something fails, rows from a pipe, names that hurt.  What is in the
# tables is tests/export.t's.
#
#	BIN=DIR prove tests/btexport.t
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/hostile";
use Cwd 'abs_path';
use Encode qw(decode encode FB_CROAK);
use File::Temp 'tempdir';
use JSON::PP;
use Names qw(hostile_names hostile_trace);
use Process qw(deadline patience wait_taken);
use Records 'record';
use Suite::Files qw(files_below read_kept slurp spew unpack_set);
use Suite::Run qw(find_programs run_command);
use Math::BigInt;
use List::Util 'sum';
use Test::More;
use POSIX 'SIGINT';
use Time::HiRes qw(CLOCK_MONOTONIC clock_gettime sleep time);

my $HERE = $FindBin::Bin;
my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my $TOP = tempdir('btexport.XXXXXX', TMPDIR => 1, CLEANUP => 1);
my $TABLES = "$HERE/../doc/sql/clickhouse-tables.sql";
my $IOS = 161;			# of the trace below

$SIG{PIPE} = 'IGNORE';
mkdir "$TOP/gamma" or die "$TOP/gamma: $!\n";
unpack_set("$HERE/data/cgroup-mqdl", "$TOP/gamma");

sub run
{
	my ($command) = @_;
	return run_command($command, $TOP, $PROGRAMS);
}

sub output
{
	my ($command) = @_;
	my $got = run($command);

	is($got->{rc}, 0, $command) or diag($got->{err});
	return $got->{out};
}

# status 1, nothing on standard output, and this in the message
sub refused
{
	my ($command, $message) = @_;
	my $got = run($command);

	is("$got->{rc} $got->{out}", '1 ', "$command is refused");
	like($got->{err}, $message, '... and it says why');
}

# what is in a directory
sub names
{
	my ($dir) = @_;
	opendir my $in, $dir or die "$dir: $!\n";
	return join ' ', sort grep { !/\A\.\.?\z/ } readdir $in;
}

sub lines { return $_[0] =~ tr/\n// }

# --- columns and tables -------------------------------------------------------

sub test_fields
{
	my $few = output('btexport --fields=op,id,total_ns gamma');
	my ($head, @rows) = split /\n/, output('btexport gamma');
	my @names = split /,/, $head;
	my %at = map { $names[$_] => $_ } 0 .. $#names;
	my @picked = map { my @c = split /,/; "$c[$at{op}],$c[$at{id}]," .
				   "$c[$at{total_ns}]\n" } @rows;

	is($few, join('', "op,id,total_ns\n", @picked),
	   '... these columns in this order');
	my $most = output("btexport --fields=-host,-$names[-1] gamma");
	is((split /\n/, $most)[0], join(',', @names[1 .. $#names - 1]),
	   '... all but these');
	refused('btexport --fields=total_n gamma', qr/has no.*\btotal_ns$/m);
	refused('btexport --fields=op,-id gamma', qr/each with a -/);
	refused('btexport --fields=op,id,op gamma', qr/op is named twice/);
	refused('btexport --fields=banana gamma', qr/--schema lists them/);
	refused('btexport --fields= gamma', qr/has no column/);
	refused('btexport --table=meta --fields=-host,-key,-value,-trace gamma',
		qr/leaves nothing/);
}

sub test_tables
{
	is((split /\n/, output('btexport --table=latency gamma'))[0],
	   'host,disk,op,phase,low_ns,high_ns,count,trace,dev,minute_unix_ns,'
	   . 'class,sum_ns,sum_bytes,min_ns,max_ns,segment', '... latency');
	like(output('btexport --table=meta gamma'), qr/^gamma,ios,$IOS,[0-9a-f]{16}$/m,
	     '... meta');
	is(lines(output('btexport --table=events --no-header -i gamma')), 975,
	   '... events');
	is(lines(output('btexport --table=events -A 1 --no-header gamma')),
	   lines(output('btexport --table=events --fields=event -a read'
			. ' --no-header gamma')), '... -A and -a are one mask');
	refused('btexport --table=metta gamma', qr/did you mean meta/);
	refused('btexport --table=ios,meta gamma', qr/one table in a file/);
	refused('btexport --table=events --where op==read gamma', qr/--where/);
	refused('btexport -a queue gamma', qr/--table=events/);
	refused('btexport --table=ios,events -o out/ -', qr/read once/);
}

# One column: nothing would be an empty line, which readers skip.
sub test_null_alone
{
	my $ids = output('btexport --fields=parent --no-header gamma');

	is(lines($ids), $IOS, '... one column: a line for each row');
	like($ids, qr/^""$/m, '... a null is quoted');
	unlike($ids, qr/^$/m, '... no line is empty');
}

# --- which ios ----------------------------------------------------------------

sub test_filters
{
	my $reads = output('btexport --where op==read --fields=op --no-header'
			   . ' gamma');
	my $ops = output('btexport --fields=op,time_ns,total_ns gamma');

	is(lines($reads), scalar(() = $ops =~ /^read,/mg), '... --where');
	is(output('btexport -a read --fields=op --no-header gamma'), $reads,
	   '... -a');
	my @late = grep { /^\w+,(\d+),(\d+)$/ && $1 + $2 >= 50e6 &&
			  $1 + $2 <= 100e6 } split /\n/, $ops;
	is(output('btexport -w 0.05:0.1 --fields=op,time_ns,total_ns gamma'),
	   join('', map { "$_\n" } 'op,time_ns,total_ns', @late),
	   '... -w: those that complete in it');
	my @events = split /\n/,
		output('btexport --table=events --fields=event,time_ns gamma');
	is(output('btexport --table=events --fields=event,time_ns -w 0.05:0.1'
		  . ' gamma'),
	   join('', map { "$_\n" } grep { !/,(\d+)$/ || $1 >= 50e6 &&
						       $1 <= 100e6 } @events),
	   '... events of it, by their numbers in the trace');
	refused('btexport --where bananas==2 gamma', qr/--where: /);
	refused('btexport -w 1:x gamma', qr/-w: /);
}

# --- formats ------------------------------------------------------------------

sub test_formats
{
	my $csv = output('btexport gamma');
	my $tsv = output('btexport --format=tsv gamma');
	my @names = split /,/, (split /\n/, $csv)[0];
	my $from_tsv = join "\n", map { join ',', map { $_ eq '\N' ? '' : $_ }
				       split /\t/, $_, -1 } split /\n/, $tsv;

	is("$from_tsv\n", $csv, '... tsv has what csv has');
	my @objects = split /\n/, output('btexport --format=jsonl gamma');
	my $from_json = join '', map { my $o = decode_json($_);
		join(',', map { $_ // '' } @$o{@names}) . "\n" } @objects;
	is(join(',', @names) . "\n$from_json", $csv, '... and jsonl');
	like(output('btexport --null=NULL --fields=parent --no-header gamma'),
	     qr/\A(?:NULL\n){$IOS}\z/, '... --null');
	refused('btexport --compress=gzip gamma', qr/--compress is for/);
	refused('btexport --null=, gamma', qr/--null: /);
	refused('btexport --format=jsonl --no-header gamma', qr/csv and tsv/);
	refused('btexport --format=xml gamma', qr/--format/);
	refused('btexport', qr/no input/);
}

# What Parquet has at its edges is tests/parquet.t's; here are its rows, by a
# reader of ours.
sub test_parquet
{
	my $tsv = output('btexport --format=tsv gamma');
	my %bytes;

	for my $how (qw(none gzip)) {
		output("btexport -o gamma.parquet --compress=$how gamma");
		is(output("'$HERE/export/parquet-values' gamma.parquet"), $tsv,
		   "... $how has what tsv has");
		$bytes{$how} = slurp("$TOP/gamma.parquet");
	}
	isnt($bytes{gzip}, $bytes{none}, '... packed is something else');
	ok(output('btexport --format=parquet gamma') eq $bytes{gzip},
	   '... and is what it is by itself');
	unlink "$TOP/gamma.parquet";
}

# Answers of all ready queries are tests/sql.t's.
sub test_query
{
	my $got = run('btexport --query=depth gamma');

	SKIP: {
		skip 'built without SQLite', 1
			if $got->{err} =~ /without SQLite/;
		answers($got);
	}
	is(() = output('btexport --query=list') =~ /^\w+ {2,}\S/mg, 12,
		'a list of ready queries');
	refused('btexport --query=latnecy gamma', qr/did you mean latency$/m);
	refused('btexport --query=banana gamma', qr/--query=list prints/);
	refused('btexport --query=depth --table=ios gamma', qr/not with --table/);
	refused('btexport --query=depth --fields=op gamma', qr/not with --table/);
	refused('btexport --query=depth --format=parquet gamma',
		qr/csv, tsv or jsonl, not parquet/);
	refused('btexport --query=depth -o x.sqlite gamma', qr/not sqlite/);
	refused('btexport --query=depth --no-header gamma', qr/--format=csv/);
	refused('btexport --query=depth -o gamma/ gamma', qr/is a directory/);
}

# $got: the depth of gamma as a table
sub answers
{
	my ($got) = @_;
	my $rows = "host,disk,most,mean_milli\ngamma,vda,4,381\n";

	is($got->{out}, "host  disk most mean\ngamma vda     4 0.38\n",
		'an answer is a table');
	is($got->{rc}, 0, '... status 0');
	like($got->{err}, qr/^btexport: $IOS rows, .*; lost: /,
		'... and how much it is of is said');
	is(output('btexport --query=depth --format=csv gamma'), $rows, 'csv');
	is(output('btexport --query=depth --format=tsv --no-header gamma'),
		"gamma\tvda\t4\t381\n", 'tsv');
	is_deeply(decode_json(output(
		'btexport --query=depth --format=jsonl gamma')),
		{ host => 'gamma', disk => 'vda', most => 4,
		  mean_milli => 381 },
		'JSON lines');
	output('btexport --query=depth -o depth.csv gamma');
	is(slurp("$TOP/depth.csv"), $rows, 'a file');
	unlink "$TOP/depth.csv";
	# from the histograms, and of chosen ios
	is(output('btexport --query=merged --format=csv gamma'),
		"disk,op,ios,p50_ns,p99_ns\nvda,read,87,217087,5308415\n" .
		"vda,write,74,242687,4177919\n", 'a query about latency');
	is(output("btexport --query=slo --where='op==read' --format=csv gamma"),
		"host,disk,op,ios,under_1ms_ppm,under_5ms_ppm\n" .
		"gamma,vda,read,87,954022,988505\n", 'with --where');
	# without an io there is no row
	is(output('btexport --query=slo -w 90:91 gamma'),
		"host disk op ios under_1ms under_5ms\n", 'without ios');
	is(run('btexport --query=depth gamma >/dev/full')->{rc}, 1,
		'an answer that cannot be written: status 1');
}

# What is in databases is tests/unit/sqlite's and tests/sql.t's.
sub test_sqlite
{
	my $got = run('btexport -o gamma.sqlite gamma');

	SKIP: {
		skip 'built without SQLite', 3
			if $got->{err} =~ /without SQLite/i;
		is($got->{rc}, 0, 'a database') or diag($got->{err});
		like(slurp("$TOP/gamma.sqlite"), qr/\ASQLite format 3\0/,
		     '... is one');
		refused('btexport -o /dev/null --format=sqlite gamma',
			qr/regular file/);
	}
	refused('btexport --format=sqlite gamma', qr/name a file with -o/);
	unlink "$TOP/gamma.sqlite";
}

# What is in timelines is tests/timeline.t's.
sub test_perfetto
{
	output('btexport -o gamma.pftrace gamma');
	my $file = slurp("$TOP/gamma.pftrace");
	ok($file eq output('btexport --format=perfetto gamma'),
	   '... a file and standard output get the same');
	isnt($file, output('btexport --format=perfetto -a read gamma'),
	     '... and of some ios something else');
	refused('btexport --format=perfetto -o out/ gamma', qr/is a directory/);
	refused('btexport --format=perfetto --fields=op gamma', qr/--fields: /);
	refused('btexport --format=perfetto --table=events gamma',
		qr/I.Os only/);
	my $got = run('btexport --format=perfetto gamma >/dev/full');
	is($got->{rc}, 1, 'a full disk: status 1');
	is(run('script -qec "btexport --format=perfetto gamma" /dev/null')->{rc},
	   1, 'a terminal: status 1');
	unlink "$TOP/gamma.pftrace";
}

# --- replays ------------------------------------------------------------------

# An iolog: of a trace that was recorded long before, and what is put together.
sub test_iolog
{
	output('btexport --where device==dm-0 --target=/dev/loop7 -o a.iolog'
		. ' beta');
	is(slurp("$TOP/a.iolog"),
		read_kept("$HERE/export/golden/alpha.dm-0.iolog"),
		'... is as recorded');
	my $got = run('btexport --format=fio beta');
	is(lines($got->{out}), 1 + 3 * 3 + 346, 'all devices');
	like($got->{err}, qr/a replay does both/, '... which it does twice');
	like(output('btexport --format=fio --at=issue beta'),
		qr{\A(?!.*/dev/dm-0).*/dev/vda open.*/dev/vdb open}s,
		'--at=issue: requests, which dm-0 has none of');
	refused('btexport -o a.iolog --target=x beta',
		qr/x is one device, and .* of several, \S+ too/);
	refused("btexport --format=fio --target='a b' beta", qr/without blanks/);
	refused('btexport --target=x gamma', qr/are for fio, not for csv/);
	refused('btexport --at=issue gamma', qr/are for fio, not for csv/);
	refused('btexport --format=fio --fields=op gamma', qr/--fields: fio/);
	refused('btexport --format=fio --table=meta gamma', qr/has no tables/);
	unlink "$TOP/a.iolog";
}

# an iolog of a pipe grows as soon as nothing earlier can come
sub test_live_iolog
{
	my ($run, $into) = start('--format=fio');

	syswrite $into, read_of(1, 0, 'Q') . read_of(2, 0.001, qw(Q G D C)) .
		read_of(1, 0.002, qw(G D C)) . read_of(3, 0.003, 'Q') .
		read_of(4, 0.004, qw(Q G D C));
	is($run->read_until(qr/read.*read.*\n/s), <<'EOT',
fio version 3 iolog
0 /dev/block/8:0 add
0 /dev/block/8:0 open
0 /dev/block/8:0 read 4096 4096
1000 /dev/block/8:0 read 8192 4096
EOT
		'an iolog of a pipe');
	close $into;
	is($run->finish, 0, 'the end: status 0');
	like($run->text, qr/
		3000\ \S+\ read\ 12288\ 4096\n
		4000\ \S+\ read\ 16384\ 4096\n
		4000\ \S+\ close\n\z/x, '... and the rest');
}

# --- traces of several machines and moments -----------------------------------

# a note of the time of day, Q, D and C of an I/O, and what is left open
sub timed
{
	my ($device, $first, $note, @open) = @_;
	my %f = (device => $device);
	my $number = 0;
	my @ios = ([0, 800, 0x120001], [1000, 800, 0x1420007],
		   [9000, 800, 0x1820008],
		   map { [$open[$_], 80_000 + 8 * $_, 0x120001] } 0 .. $#open);
	my $text = record(%f, number => 0, time => $note->[0],
			  action => 0x04000001, payload => pack 'L L',
			  @$note[1, 2]);

	$text .= record(%f, number => ++$number, time => $first + $_->[0],
			sector => $_->[1], action => $_->[2])
		for sort { $a->[0] <=> $b->[0] } @ios;
	return $text;
}

# The time of day is the same whichever device is named first.
sub test_order_of_names
{
	my $second = 1_000_000_000;

	mkdir "$TOP/timed" or die "$TOP/timed: $!\n";
	spew("$TOP/timed/sda.blktrace.0", timed(8 << 20, 5 * $second,
		[4 * $second, 1_763_900_000, 0]));
	spew("$TOP/timed/sdb.blktrace.0", timed(8 << 20 | 16, 5 * $second + 70,
		[4 * $second + 500_000, 1_763_900_000, 741_000]));
	my ($one, $two) = map { join ' ', sort(split /\n/,
		output("btexport --no-header --fields=dev,unix_ns,trace $_")) }
		'-D timed sda sdb', '-D timed sdb sda';
	is($one, $two, '... the same time of day in either order');
	like($one, qr/8:0,1763900001000241000,/, '... the latest of both notes');
	rename "$TOP/timed/sda.blktrace.0", "$TOP/sda.blktrace.0" or die;
	like(output('cat sda.blktrace.0 | btexport --no-header --fields=host,'
			. 'trace -'),
	     qr/\Aunknown,[0-9a-f]{16}\n\z/,
	     '... a pipe is not of this machine');
	unlink "$TOP/sda.blktrace.0";
}

# the id of a trace, as doc/schema.md says
sub fnv
{
	my $hash = Math::BigInt->from_hex('cbf29ce484222325');

	for my $byte (map { unpack 'C*', "$_\0" } @_) {
		$hash = $hash->bxor($byte)->bmul('0x100000001b3')->bmod(
			Math::BigInt->new(2)->bpow(64));
	}
	return $hash;
}

sub trace_id
{
	my ($host, $boot, $start, @devices) = @_;
	my $sum = Math::BigInt->new(0);

	$sum->badd(fnv($_)) for @devices;
	$sum->bmod(Math::BigInt->new(2)->bpow(64));
	return substr fnv($host, $boot, $start, $sum->bstr)->as_hex =~
		s/\A0x//r =~ s/\A/0 x 16/er, -16;
}

# Two traces of one host in one folder: each has a key, and its rows.
sub test_traces_of_a_host
{
	my @runs = map { "db1-2026-11-22-0$_:00:00" } 1, 2;

	for my $i (0, 1) {
		mkdir "$TOP/$runs[$i]" or die "$TOP/$runs[$i]: $!\n";
		spew("$TOP/$runs[$i]/sda.blktrace.0", timed(8 << 20, 5000,
			[0, 1_763_900_000 + 3600 * $i, 0], 8000));
	}
	output("btexport --table=ios,latency,events,meta,segments -o two/ @runs");
	my %seen;
	for my $file (files_below("$TOP/two")) {
		my ($head, @rows) = split /\n/, slurp("$TOP/two/$file");
		my @names = split /,/, $head;
		my ($at) = grep { $names[$_] eq 'trace' } 0 .. $#names;
		$seen{$file =~ s{/.*}{}r}{(split /,/)[$at]}++ for @rows;
	}
	is(join(' ', map { scalar keys %{$seen{$_}} } sort keys %seen),
	   '2 2 2 2 2', '... two traces in each table');
	my @ids = map { trace_id('db1', '', $_ * 1_000_000_000 + 5000, '/sda') }
		1_763_900_000, 1_763_903_600;
	is(join(' ', sort keys %{$seen{ios}}), join(' ', sort @ids),
	   '... with ids as doc/schema.md says');
	is(output("btexport --query=open --format=csv $runs[0]") =~ s/.*\n//r,
	   "db1,$ids[0],sda,write,,80000,4096,1000,8000\n",
	   '... and what is open, with its age');
	like(output("btexport --fields=ended,total_ns,age_ns,sure $runs[0]"),
	     qr/^C,9000,,1\n(?:.*\n)*open,,1000,1\n/m, '... in rows, too');
}

# What ends in one of several windows is in that one alone.
sub test_windows
{
	for my $set (qw(overflow-b4n2 derived-truncated md-raid1-3dev)) {
		mkdir "$TOP/w-$set" or die "$TOP/w-$set: $!\n";
		unpack_set("$HERE/data/$set", "$TOP/w-$set");
		my $ask = 'btexport --no-header --fields=id,bytes,total_ns,ended'
			. " w-$set";
		my @whole = sort grep { /,(?:C|below)\z/ }
			run($ask)->{out} =~ /.+/g;
		my ($end) = run("btexport --table=meta w-$set")->{out} =~
			/,end_ns,(\d+)/;
		my @cuts = (0, (map { int($end * $_ / 7) } 1, 2, 4, 5),
			    $end + 1);
		my @parts = map { my $i = $_; run($ask . ' -w ' . join(':',
			map { sprintf '%d.%09d', int($_ / 1e9), $_ % 1e9 }
			@cuts[$i, $i + 1]))->{out} =~ /.+/g } 0 .. $#cuts - 1;
		@parts = sort grep { /,(?:C|below)\z/ } @parts;
		is("@parts", "@whole", "$set: windows add up to the whole");
		cmp_ok(scalar @whole, '>', 500, '... which is no small one');
	}
}

# --- counters ------------------------------------------------------------------

# Recorded before five metrics of ours were there: their lines are more.
sub test_prometheus
{
	output('btexport -o a.prom beta');
	my $text = slurp("$TOP/a.prom");
	my $old = read_kept("$HERE/export/golden/alpha.prom");

	is($text =~ s/^.*blktrace_(?:errors_total|ios_total|total_seconds|in_flight|oldest_seconds)
		.*\n//mgrx =~ s{completed I/Os}{completed requests}r,
		$old, '... is as recorded');
	like($text, qr/^blktrace_total_seconds_count\{disk="dm-0",
		op="write"\}\ 82$/mx, '... and has times of ios');
	is(output('btexport --format=prometheus beta'), $text,
		'... on standard output, too');
	like(run('btexport -o a.prom --where op==read beta')->{err},
		qr/182 rows, 1\d\.\dK bytes/, 'some ios');
	unlike(slurp("$TOP/a.prom"), qr/op="write"/, '... and no others');
	refused('btexport --format=prometheus --every=1 beta', qr/--every: /);
	refused('btexport -o a.prom --every=1 beta', qr/--every: /);
	refused('btexport --every=1 -', qr/is for prometheus, not for csv/);
	refused('btexport -o a.prom --every=0 -', qr/--every/);
	refused('btexport -o none/a.prom beta', qr{cannot write none/a\.prom});
	is(run('btexport --format=prometheus beta >/dev/full')->{rc}, 1,
		'a full disk behind standard output: status 1');
	unlink "$TOP/a.prom";
}

# "DISK OP COUNT BYTES" of reads and writes: by the counters, and by btstat
sub counted
{
	my ($text) = @_;
	my %n;

	$n{"$2 $3"}{$1} = $4 while $text =~
		/^blktrace_(ios|bytes)_total\{disk="(.+)",op="(\w+)"\} (\d+)$/mg;
	return join "\n", map { "$_ $n{$_}{ios} $n{$_}{bytes}" }
		grep { / (?:read|write)\z/ } sort keys %n;
}

sub measured
{
	my ($json) = @_;
	return join "\n", sort map {
		"$_->{disk} $_->{op} $_->{measured} $_->{bytes}" }
		grep { $_->{op} =~ /\A(?:read|write)\z/ }
		@{decode_json($json)->{tables}{sums}};
}

# of devices whose I/Os are split, merged, remapped, or commands
sub test_prometheus_agrees
{
	for my $set (qw(md-raid1-3dev split-large ext4-fsync-meta
			scsidbg-passthru)) {
		mkdir "$TOP/$set" or die "$TOP/$set: $!\n";
		unpack_set("$HERE/data/$set", "$TOP/$set");
		is(counted(output("btexport --format=prometheus $set")),
		   measured(output("btstat --format=json $set")),
		   '... counts I/Os as btstat does');
	}
}

# what promtool says of it, where there is one
sub test_promtool
{
	my $odd = 'a"b\\c';

	spew("$TOP/$odd.blktrace.0", slurp("$TOP/gamma/vda.blktrace.0"));
	like(output("btexport --format=prometheus '$odd'"),
		qr/requests_total\{disk="a\\"b\\\\c",op="/, '... with escapes');
	SKIP: {
		skip 'no promtool (Debian: prometheus)', 1
			if system 'promtool --version >/dev/null 2>&1';
		is(output("btexport --format=prometheus beta '$odd' 2>/dev/null |"
			. ' promtool check metrics 2>&1'), '',
			'promtool finds nothing');
	}
}

# a number of a file, once there is one; or undef
sub number_in
{
	my ($path, $metric) = @_;

	for (my $end = deadline(); time < $end;) {
		return $1 if -e $path && slurp($path) =~ /^$metric\S* (\d+)$/m;
		sleep 0.05;
	}
	return undef;
}

# of a pipe a file comes again and again; a signal leaves the last one
sub test_live_prometheus
{
	my $path = "$TOP/files/live.prom";
	my ($run, $into) = start('--every=1', '-o', 'files/live.prom');

	syswrite $into, read_of(1, 0, qw(Q G D C));
	is(number_in($path, 'blktrace_requests_total'), 1, 'a file of a pipe');
	my $first = (stat $path)[1];
	syswrite $into, read_of(2, 1, qw(Q G D C));
	for (my $end = deadline(); time < $end; sleep 0.05) {
		last if (stat $path)[1] != $first;
	}
	is(number_in($path, 'blktrace_requests_total'), 2, '... is written anew');
	# a request that hangs: nothing comes any more
	syswrite $into, read_of(3, 2, qw(Q G D));
	my ($open, $age) = (0, 0);
	for (my $end = deadline(); time < $end && $age <= 0.5; sleep 0.05) {
		($open, $age) = slurp($path) =~
			/^blktrace_in_flight\S*\ (\d+)
			.*^blktrace_oldest_seconds\S*\ ([\d.]+)$/msx
			or ($open, $age) = (0, 0);
	}
	is($open, 1, '... with what hangs');
	cmp_ok($age, '>', 0.5, '... and its age, which grows');
	is(names("$TOP/files"), 'ios.csv live.prom', '... whole each time');
	$run->signal('TERM');
	is($run->finish, 128 + 15, 'SIGTERM ends it');
	is(number_in($path, 'blktrace_requests_total'), 2,
		'... and leaves the last one');
	close $into;
	unlink $path;
}

sub test_described
{
	like(output('btexport --schema'), qr/^ios: .*^events: .*^meta: .*^segments: /ms,
	     '... all tables');
	unlike(output('btexport --schema=text --table=meta'), qr/^ios: /m,
	       '... or some');
	is(decode_json(output('btexport --schema=json'))->{schema}, 2,
	   '... as JSON');
	like(output("btexport --schema=$_ --table=ios"),
	     qr/^CREATE TABLE .*\bios\b/m, '... as SQL') for
		qw(sqlite duckdb clickhouse);
	like(output("btexport --queries=$_"), qr/^-- name: latency$/m,
	     '... ready queries') for qw(sqlite duckdb clickhouse);
	like(output("btexport --upgrade=$_"), qr/^CREATE TABLE segments\b.*^CREATE TABLE .*\bcommits\b/ms,
	     '... what brings tables up to date') for
		qw(sqlite duckdb clickhouse);
	refused('btexport --upgrade=oracle', qr/--upgrade is sqlite, duckdb or clickhouse/);
	my $tables = output('btexport --schema=clickhouse');
	spew($TABLES, $tables) if $ENV{UPDATE};
	is($tables, slurp($TABLES),
		'... as doc/sql has it for ClickHouse');
	my %ttl = map { $_ => output("btexport --schema=$_ --ttl=14") }
		qw(clickhouse replicated);
	is(() = /^    TTL .*\bunix_ns,.* \+ INTERVAL 14 DAY$/mg, 3,
	   '... rows that go after two weeks') for values %ttl;
	like($ttl{replicated}, qr/^\ +SETTINGS\ replicated_deduplication_window\ =
	     \ \d+,\ ttl_only_drop_parts\ =\ 1;$/mx, '... of replicas, too');
	$ttl{clickhouse} =~ s/\n    TTL .*\n    SETTINGS ttl_only.*;$/;/mg;
	is($ttl{clickhouse}, $tables, '... and nothing else differs');
	refused("btexport $_ --ttl=14", qr/--ttl is of --schema=clickhouse/)
		for '--schema=duckdb', '--queries=clickhouse', 'gamma';
	my $got = run('btexport --schema >/dev/full');
	is($got->{rc}, 1, 'a schema that cannot be written: status 1');
}

# by the ending of the file, unless the format is named
sub test_endings
{
	my %begins = (csv => qr/\Ahost,/, tsv => qr/\Ahost\t/,
		      jsonl => qr/\A\{"host":/, txt => qr/\Ahost,/);

	for my $ending (sort keys %begins) {
		output("btexport -o gamma.$ending gamma");
		like(slurp("$TOP/gamma.$ending"), $begins{$ending},
		     "... .$ending");
	}
	output('btexport --format=tsv -o gamma.csv gamma');
	like(slurp("$TOP/gamma.csv"), $begins{tsv}, '... --format counts');
	like(run('btexport -o gamma.csv gamma')->{err}, qr/\Abtexport:\ $IOS\ rows,
	     \ \S+K\ bytes\ in\ \d+\.\d\d\ s;\ lost:\ none\ .*\n\z/x,
	     'the last line');
	unlink map { "$TOP/gamma.$_" } keys %begins;
}

# --- files --------------------------------------------------------------------

sub test_folder
{
	mkdir "$TOP/beta" or die "$TOP/beta: $!\n";
	unpack_set("$HERE/data/dm-linear-3dev", "$TOP/beta");
	output('btexport --table=ios,latency -o out/ gamma beta');
	my $file = 'host=gamma/date=2026-11-20/1795154088833830020-vda.csv';
	my $other = 'host=beta/date=2026-11-20/1795154034922374920-'
		. 'dm-0_vda_vdb.csv';
	my @expected = map { ("$_/$other", "$_/$file") } qw(ios latency);
	is(join(' ', grep { !/^manifest/ } sort(files_below("$TOP/out"))),
	   "@expected",
	   '... a file for each trace and table');
	is(slurp("$TOP/out/ios/$file"), output('btexport gamma'),
	   '... the same rows as in one file');
	my @named = output('btexport --table=meta ./gamma beta/') =~
		/^(.*,trace,.*),/mg;
	is("@named", 'gamma,trace,./gamma beta,trace,beta/',
	   '... each host has its name');
	is(join(' ', output('btexport --table=meta beta/dm-0 beta/vda') =~
		     /,trace,(.*),/),
	   'beta/dm-0 beta/vda', '... or its names');
	output('btexport --table=ios,latency -o out/ gamma');
	is(scalar(my @files = files_below("$TOP/out")), 6,
	   '... again is no more files');
	output('btexport --table=events,ios --no-header -o out -D . gamma');
	is(lines(slurp("$TOP/out/events/$file")), 975,
	   '... events beside ios');
	spew("$TOP/plain", '');
	refused('btexport -o plain/ gamma', qr{ plain/manifest: Not a directory});
	unlink "$TOP/plain";
}

# what --verify says of a folder: status, standard output, messages
sub verified
{
	my ($folder) = @_;
	my $got = run("btexport --verify=$folder");

	return ($got->{rc}, $got->{out}, $got->{err});
}

# a fault is found, and only that
sub found
{
	my ($what, $message) = @_;
	my ($rc, $out, $err) = verified('data');

	is($rc, 1, "$what: status 1");
	like($out, qr/: 1 fault$/m, '... and one fault');
	like($err, qr/\Abtexport: data\S* [^\n]*$message[^\n]*\n\z/,
	     '... which is said');
}

# the files of a folder with their inodes and times, which a new file changes
sub stamps
{
	my ($folder) = @_;

	return join "\n", map { "$_ " . join ' ', (Time::HiRes::stat(
		"$TOP/$folder/$_"))[1, 9] } sort(files_below("$TOP/$folder"));
}

# A folder has a manifest: exporting again changes nothing, what is interrupted
# is completed, and all is verified.
sub test_manifest
{
	my $ios = "$TOP/data/ios/host=gamma/date=2026-11-20/"
		. '1795154088833830020-vda.parquet';
	my $manifest = "$TOP/data/manifest/host=gamma/date=2026-11-20/"
		. '1795154088833830020-vda.parquet.json';

	for my $format (qw(parquet csv tsv jsonl)) {
		output("btexport --format=$format -o data/ gamma beta");
	}
	my $m = decode_json(slurp($manifest));
	is(join(' ', map { "$_->{table}=$_->{rows}" } @{$m->{tables}}),
	   'ios=161 latency=' . lines(output('btexport --table=latency'
			. ' --no-header gamma')) . ' meta=' .
	   lines(output('btexport --table=meta --no-header gamma')) .
	   ' segments=1', 'a manifest has the rows of each table');
	is($m->{tables}[0]{sums}[0]{sum}, sum(map { (split /,/)[0] } split /\n/,
		output('btexport --no-header --fields=bytes gamma')),
	   '... and sums of them');
	my ($rc, $out, $err) = verified('data');
	is($rc, 0, '--verify: status 0');
	like($out, qr/\Adata:\ 8\ manifests,\ 32\ files,\ \d+\ rows,
		\ \S+\ bytes:\ as\ the\ manifests\ say\n\z/x,
	     '... and how much there is');
	my $before = stamps('data');
	my $got = run('btexport --format=parquet -o data/ gamma beta');
	is($got->{err}, join('', map { "btexport: $_: already in data/\n" }
		qw(gamma beta)), 'exporting again says so');
	is(stamps('data'), $before, '... and changes nothing');
	# a copy of the trace, from elsewhere: only meta names its files
	output('cp -r gamma again && touch again/* &&'
		. ' mkdir copy && mv again copy/gamma');
	output('btexport --format=parquet -o data/ copy/gamma');
	is(join("\n", grep { !/^m/ } split /\n/, stamps('data')),
	   join("\n", grep { !/^m/ } split /\n/, $before),
	   '... nor does the same trace from elsewhere');
	# an export that was interrupted before its manifest
	unlink $manifest, $ios or die "$ios: $!\n";
	spew("$TOP/data/latency/host=gamma/.x.parquet.part-1", '');
	is((verified('data'))[0], 1, 'an export that was interrupted: status 1');
	unlink "$TOP/data/latency/host=gamma/.x.parquet.part-1";
	output('btexport --format=parquet -o data/ gamma');
	is((verified('data'))[0], 0, '... and completed by the next');
	# what may go wrong with files
	my $bytes = slurp($ios);
	spew($ios, substr($bytes, 0, -1));
	found('a file cut short', '\d+ bytes, and the manifest says');
	substr($bytes, 100, 1) ^= "\x01";
	spew($ios, $bytes);
	found('a bit that is wrong', 'its checksum is not');
	unlink $ios;
	found('a file that is gone', 'No such file');
	output('btexport --format=parquet -o data/ gamma');
	is((verified('data'))[0], 0, '... all made again');
	spew("$TOP/data/ios/host=gamma/date=2026-11-20/x.csv", '');
	found('a file in no manifest', 'in no manifest');
	unlink "$TOP/data/ios/host=gamma/date=2026-11-20/x.csv";
	# a manifest that tells lies
	my $said = slurp($manifest);
	for my $lie (['"rows":161', '"rows":162', '161 rows'],
		     ['"sum":"', '"sum":"1', 'the sum of bytes is'],
		     ['"manifest":1', '"manifest":2', 'no manifest that'],
		     ['"file":"ios/', '"file":"../ios/', 'not all that'],
		     ['}', '', 'line \d|not all']) {
		spew($manifest, $said =~ s/\Q$lie->[0]\E/$lie->[1]/r);
		my ($status, undef, $why) = verified('data');
		is($status, 1, "a manifest with $lie->[1]: status 1");
		like($why, qr/$lie->[2]/, '... and why');
	}
	spew($manifest, $said);
	refused('btexport --verify=nowhere', qr/nowhere: No such file/);
	refused('btexport --verify=data gamma', qr/--verify/);
	# a part of a trace is not all of it
	output('btexport --format=parquet -o data/ -w 0.01 gamma');
	is(decode_json(slurp($manifest))->{selected}, JSON::PP::true(),
	   'a manifest says that options have selected');
	output('btexport --format=parquet -o data/ gamma');
	is(decode_json(slurp($manifest))->{tables}[0]{rows}, 161,
	   '... so a whole export replaces it');
}

# The old file stands, and nothing is beside it.
sub untouched
{
	my ($what) = @_;
	is(slurp("$TOP/files/ios.csv"), "old\n", "$what: the old file stands");
	is(names("$TOP/files"), 'ios.csv', '... and no other is left');
}

sub test_whole
{
	mkdir "$TOP/files" or die "$TOP/files: $!\n";
	spew("$TOP/files/ios.csv", "old\n");
	my $got = run('(ulimit -f 8; exec btexport -o files/ios.csv gamma)');
	is($got->{rc}, 1, 'no more room: status 1');
	like($got->{err}, qr{cannot write files/ios\.csv: }, '... a message');
	untouched('no more room');
	refused('btexport -o none/ios.csv gamma', qr{cannot write none/ios});
	refused('btexport -o files/ios.csv nothing', qr/nothing: /);
	untouched('no such input');
	$got = run('btexport gamma >/dev/full');
	is($got->{rc}, 1, 'a full disk behind standard output: status 1');
	like($got->{err}, qr/cannot write standard output: No space/,
	     '... a message');
	output('btexport -o files/ios.csv gamma');
	is(lines(slurp("$TOP/files/ios.csv")), $IOS + 1, '... a new file');
	output('btexport -o /dev/null gamma');
	ok(-c '/dev/null', '... what is no file stays what it is');
	spew("$TOP/files/ios.csv", "old\n");
}

# --- pipes --------------------------------------------------------------------

# of reads: categories and action
my %ACTION = (Q => 0x00110001, G => 0x00110004, D => 0x01410007,
	      C => 0x01810008);

my $NOTE_TIME = 0x04000001;
my $MAGIC = 0x65617407;

# a new trace, in which numbers count from 1
my $number;
sub begin { $number = 0 }

# an event of an io of 4 KiB, at a time in seconds
sub event
{
	my ($action, $seconds, $io, $pid, $payload) = @_;
	return pack('L L Q Q L L L L L S S', $MAGIC, ++$number,
		1e9 + int(1e9 * $seconds), 8 * $io, 4096, $action, $pid,
		8 << 20, 0, 0, length $payload) . $payload;
}

# events of a read, by their letters
sub read_of
{
	my ($io, $seconds, @letters) = @_;
	return join '', map { event($ACTION{$_}, $seconds, $io, 100, '') }
		@letters;
}

sub start
{
	my (@options) = @_;
	begin();
	pipe my $in, my $into or die "pipe: $!\n";
	my $run = Process->start(['btexport', @options, '-'], $TOP,
				 $PROGRAMS->{path}, in => $in);
	close $in;
	return ($run, $into);
}

# an io is printed within a second of its completion, also when more comes
# all the time
sub test_live
{
	my ($run, $into) = start('--format=jsonl');
	my $zero = clock_gettime(CLOCK_MONOTONIC);

	syswrite $into, read_of(1, 0, qw(Q G D C));
	like($run->read_until(qr/\n/), qr/\A\{.*\}\n\z/, 'a row comes');
	cmp_ok(clock_gettime(CLOCK_MONOTONIC) - $zero, '<', patience(1),
	       '... within a second');
	my $when;
	for my $n (2 .. 20 * patience(3)) {
		my $now = clock_gettime(CLOCK_MONOTONIC) - $zero;
		syswrite $into, read_of($n, $now, $n == 2 ? qw(Q G D C) : 'Q');
		$run->read_until(qr/\n.*\n/, 0.03 / patience(1));
		$when = clock_gettime(CLOCK_MONOTONIC) - $zero - $now
			if !$when && $run->text =~ /\n.*\n/;
		last if $when;
		sleep 0.02;
	}
	ok($when, 'a row comes while others are under way');
	close $into;
	is($run->finish, 0, 'the end: status 0');
}

# A reader that goes away is no failure to talk about.
sub test_reader_gone
{
	begin();
	my $big = join '', map { read_of($_, $_ / 1e6, qw(Q G D C)) } 1 .. 9999;

	spew("$TOP/big", $big);
	my $got = run('btexport big | head -1');
	is($got->{rc}, 0, 'head -1');
	like($got->{out}, qr/\Ahost,[^\n]*\n\z/, '... has a line');
	is($got->{err}, '', '... and nothing is said');
}

# A signal while a pipe is open: the file that was there stands.
sub test_signals
{
	for my $signal (qw(TERM INT HUP)) {
		my ($run, $into) = start('-o', 'files/ios.csv');
		syswrite $into, read_of(1, 0, qw(Q G D C));
		my $both = qr/\A\.ios\.csv\.part-\d+ ios\.csv\z/;
		for (my $end = deadline(); time < $end; sleep 0.02) {
			last if names("$TOP/files") =~ $both;
		}
		like(names("$TOP/files"), $both,
		     'a file is written beside its place');
		$run->signal($signal);
		is($run->finish,
		   128 + { HUP => 1, INT => 2, TERM => 15 }->{$signal},
		   "SIG$signal ends it");
		untouched("SIG$signal");
		close $into;
	}
}

# A terminal's ^C reaches the pipe's writer, too: if that comes to its end, the
# trace is whole.
sub test_interrupt
{
	my ($run, $into) = start('-o', 'files/new.csv');

	syswrite $into, read_of(1, 0, qw(Q G D));
	$run->wait_for_handler(SIGINT);
	wait_taken($into);
	$run->signal('INT');
	sleep 0.2;
	syswrite $into, read_of(1, 0, 'C');
	close $into;
	is($run->finish, 0, 'SIGINT, then the end: status 0');
	is(lines(slurp("$TOP/files/new.csv")), 2, '... and a whole file');
	unlink "$TOP/files/new.csv";
}

# --- hostile ------------------------------------------------------------------

sub test_names
{
	my @expected = hostile_names();

	spew("$TOP/names", hostile_trace());
	my @json = map { encode('UTF-8', decode_json($_)->{process}) }
		split /\n/, output('btexport --format=jsonl names');
	is_deeply(\@json, \@expected, '... in jsonl');
	my %back = (t => "\t", n => "\n", r => "\r", 0 => "\0");
	my @tsv = map { s/\\(.)/$back{$1} \/\/ $1/ger } split /\n/,
		output('btexport --format=tsv --no-header --fields=process'
		       . ' names');
	is_deeply(\@tsv, \@expected, '... in tsv');
	my $csv = output('btexport --no-header --fields=process names');
	my $quoted = join '', map { /[,"\r\n]/ ? '"' . s/"/""/gr . "\"\n" :
				    "$_\n" } @expected;
	is($csv, $quoted, '... in csv');
	ok(eval { decode('UTF-8', my $copy = $csv, FB_CROAK); 1 },
	   '... all of it is UTF-8');
}

# Events almost three centuries after their time stamp: no clock has counted for
# so long, and they are left out.
sub test_far_away
{
	begin();
	spew("$TOP/far", event($NOTE_TIME, -1, 0, 0,
			       pack 'L L', 1_763_769_600, 5) .
		read_of(1, 9.2e9, qw(Q G D C)));
	my $got = run('btexport --no-header --fields=unix_ns,time_ns far');
	is($got->{rc}, 1, 'impossible times: status 1');
	is($got->{out}, '', '... no row');
	like($got->{err}, qr/^btexport: far: byte \d+: impossible time,/m,
	     '... and a message');
}

# what is damaged or lost is exported as far as it can be read, and counted
sub test_damage
{
	begin();
	spew("$TOP/cut", substr(read_of(1, 0, qw(Q G D C)), 0, -7));
	my $got = run('btexport --no-header --fields=ended cut');
	is($got->{rc}, 1, 'damage: status 1');
	is($got->{out}, "open\n", '... what can be read is there');
	begin();
	spew("$TOP/open", read_of(1, 0, qw(Q G D)));
	is(run('btexport open')->{rc}, 0, 'open ios: status 0');
	is(run('btexport --strict open')->{rc}, 1, '... with --strict 1');
	is(run('btexport --strict gamma')->{rc}, 0, '... of a whole trace 0');
}

test_fields();
test_tables();
test_null_alone();
test_filters();
test_formats();
test_parquet();
test_sqlite();
test_query();
test_perfetto();
test_described();
test_endings();
test_folder();
test_manifest();
test_whole();
test_live();
test_iolog();
test_live_iolog();
test_prometheus();
test_prometheus_agrees();
test_order_of_names();
test_traces_of_a_host();
test_windows();
test_promtool();
test_live_prometheus();
test_reader_gone();
test_signals();
test_interrupt();
test_names();
test_far_away();
test_damage();
done_testing();
