#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# btreport's command line and its file: numbers as btstat's, rows and bins that
# say the same, names that hurt, damage, and which file is there when something
# fails.  What the page looks like in a browser is tests/page.t's.
#
#	BIN=DIR prove tests/btreport.t
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Cwd 'abs_path';
use Encode qw(decode FB_CROAK);
use File::Temp 'tempdir';
use JSON::PP;
use List::Util qw(max min sum0);
use Suite::Files qw(slurp spew unpack_set);
use Suite::Made qw(made_ios made_sealed);
use Suite::Report qw(bucket_of page_of rows_of sparse_of);
use Suite::Run qw(find_programs run_command);
use Test::More;

my $HERE = $FindBin::Bin;
my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my $TOP = tempdir('btreport.XXXXXX', TMPDIR => 1, CLEANUP => 1);
my @OPS = qw(read write flush discard);

# traces of all kinds: one device, stacks, masks, holes, damage, zones, v8
my @SETS = qw(cgroup-mqdl dm-linear-3dev k612-dm-errors md-raid1-3dev
	      mask-issue-complete derived-skips derived-truncated
	      discard-zeroes v8-ext4 zoned-basic smp4-merges-kworker
	      scsidbg-passthru overflow-b4n2 k612-loop-xfs-dio
	      ext4-fsync-meta k612-ext4-journal-bfq);

sub unpack_sets
{
	for my $set (grep { !-d "$TOP/$_" } @_) {
		mkdir "$TOP/$set" or die "$TOP/$set: $!\n";
		unpack_set("$HERE/data/$set", "$TOP/$set");
	}
}

sub run
{
	my ($command) = @_;
	return run_command($command, $TOP, $PROGRAMS);
}

# the page that a command writes to standard output
sub page
{
	my ($options, $name) = @_;
	my $got = run("btreport -o - $options $name");

	cmp_ok($got->{rc}, '<=', 1, "btreport $options $name");
	return page_of($got->{out});
}

sub refused
{
	my ($command, $message) = @_;
	my $got = run($command);

	is("$got->{rc} $got->{out}", '1 ', "$command is refused");
	like($got->{err}, $message, '... and it says why');
}

# --- caches -------------------------------------------------------------------

# Shares are those of btstat --cache, for each device and for all of them.
sub test_caches
{
	my ($names) = @_;
	my $got = run("btstat --cache=s3fifo --format=json $names");
	my $stat = decode_json($got->{out});
	my $page = run("btreport --cache=s3fifo --json c.json -o - $names")->{out};
	my $meta = decode_json(slurp("$TOP/c.json"));
	my @rows = map { my $policy = $_; map { ("${policy}${_}_ppm",
		"${policy}${_}_error_ppm") } qw(reads writes saved) }
		'', 's3fifo_';
	my %want = map { ($_->{disk} // 'all') => $_ } @{$stat->{caches}},
		@{$stat->{cache_of_all}};

	is(scalar @{$meta->{caches}}, keys %want, "$names: as many caches");
	for my $c (@{$meta->{caches}}) {
		my $name = defined $c->{device} ?
			$meta->{devices}[$c->{device}]{name} : 'all';
		my $its = $want{$name};

		is_deeply([@$c{qw(block share touched read written)}],
			  [@$its{qw(block_bytes blocks_per_sample touched_bytes
			   read_bytes written_bytes)}], "... $name: footprint");
		is_deeply($c->{sizes}, [map { my $s = $_; [$s->{bytes},
			  map { $s->{$_} } @rows] } @{$its->{sizes}}],
			  "... $name: shares");
		$name = 'all disks' if $name eq 'all';
		like($page, qr{<h2>A\ cache\ in\ front\ of\ \Q$name\E</h2>\n
			<p\ class="sentence">(?:A|No|Nothing)\ [^<]*</p>
			.*?<polyline}sx, '... and its panel');
	}
}

sub test_no_caches
{
	my $page = page('', 'ext4-fsync-meta');

	ok(!exists $page->{meta}{caches}, 'without --cache: no caches');
	unlike(run('btreport -o - ext4-fsync-meta')->{out},
	       qr/A cache in front/, '... and no panel');
	refused('btreport --cache=2q -o - ext4-fsync-meta', qr/lru or s3fifo/);
	refused('btreport --cache --compare ext4-fsync-meta v8-ext4',
		qr/--cache and --capacity take one run/);
}

# --- numbers ------------------------------------------------------------------

# { "device phase" => [n, min, max, mean] } of btstat, flushes left out; D2C of
# ios without a Q are no part of a report where others have one
sub of_btstat
{
	my ($options, $name) = @_;
	my $got = run("btstat --format=json --by=device,op --phases=q2c,d2c"
		      . " $options $name");
	my %found;

	for my $row (@{decode_json($got->{out})->{tables}{phases}}) {
		next if !$row->{count} ||
			$row->{op} =~ /^(?:flush|passthrough)$/;
		my $to = $found{"$row->{disk} $row->{phase}"} //= [0];
		$to->[1] = min grep { defined } $to->[1], $row->{min_ns};
		$to->[2] = max grep { defined } $to->[2], $row->{max_ns};
		$to->[0] += $row->{count};
		$to->[3] += $row->{sum_ns};
	}
	return \%found;
}

sub of_report
{
	my ($meta) = @_;
	my %found;

	for my $row (@{$meta->{tables}{devices}}) {
		my $name = $meta->{devices}[$row->{device}]{name};
		for my $phase (grep { $row->{$_} } qw(q2c d2c)) {
			my $d = $row->{$phase};
			$found{"$name $phase"} = [@{$d}{qw(n min max)},
						  $d->{mean} * $d->{n}];
		}
	}
	return \%found;
}

sub same_numbers
{
	my ($meta, $options, $name) = @_;
	my ($mine, $theirs) = (of_report($meta), of_btstat($options, $name));

	is(join(', ', sort keys %$mine), join(', ', sort keys %$theirs),
	   '... has the devices and phases that btstat has');
	for my $key (sort keys %$mine) {
		my ($m, $t) = ($mine->{$key}, $theirs->{$key} || next);
		next if $name eq 'derived-skips' && $key =~ /d2c/;
		is("@$m[0 .. 2]", "@$t[0 .. 2]", "... $key: n, min, max");
		cmp_ok(abs($m->[3] - $t->[3]), '<=', 1e-5 * $t->[3] + 1,
		       "... $key: mean");
	}
}

# number ceil(p n) of n in order, as all percentiles are
sub percentile
{
	my ($p, @sorted) = @_;
	my $rank = int((@sorted * $p + 999) / 1000) || 1;
	return $sorted[$rank - 1];
}

sub same_span
{
	my ($what, $span, $dist, @rows) = @_;
	my @ns = sort { $a <=> $b } grep { defined } map { $_->{$span} } @rows;

	return is($dist, undef, "... $what: no $span") unless @ns;
	is(join(' ', @{$dist}{qw(n min max)}, @{$dist->{p}}),
	   join(' ', scalar @ns, @ns[0, -1],
		map { percentile($_, @ns) } 500, 900, 990, 999),
	   "... $what: $span as its rows have it");
	cmp_ok(abs(sum0(@ns) / @ns - $dist->{mean}), '<=',
	       1e-5 * $dist->{mean} + 0.5, "... $what: mean");
}

# a row of a table is what rows of streams are that it is about
sub same_row
{
	my ($what, $row, @rows) = @_;

	@rows = grep { $_->{end} } @rows;
	is($row->{n}, scalar @rows, "... $what: n");
	my @moving = defined $row->{operation} ? @rows :
		     grep { $_->{of}[1] <= 1 } @rows;
	is("$row->{bytes} $row->{moved}", 512 *
	   sum0(map { $_->{blocks} } @moving) . ' ' . @moving,
	   "... $what: bytes of reads and writes, or of one operation");
	same_span($what, $_, $row->{$_}, @rows) for qw(q2c d2c q2d);
	return unless $row->{q2c} && $row->{q2c}{n} == $row->{n};
	cmp_ok(abs(sum0(@{$row->{phases}}) - $row->{q2c}{mean}), '<=',
	       1e-4 * $row->{q2c}{mean} + 0.5, "... $what: phases add up");
}

# by the numbers of streams: [device, operation, process]
sub test_tables
{
	my ($page) = @_;
	my $meta = $page->{meta};
	my @rows = map { $_->{of} = $meta->{streams}[$_->{s}]; $_ }
		rows_of($page);
	my @on = grep { $meta->{devices}[$_->{of}[0]]{on} } @rows;
	my @moving = grep { $_->{of}[1] != 2 } @on;

	same_row('all', $meta->{tables}{all}, @moving);
	for my $row (@{$meta->{tables}{operations}}) {
		my $op = $row->{operation};
		same_row("operation $op", $row,
			 grep { $_->{of}[1] == $op } @on);
	}
	for my $row (@{$meta->{tables}{processes}}) {
		my $process = $row->{process};
		same_row("process $process", $row,
			 grep { $_->{of}[2] == $process } @moving);
	}
	for my $row (@{$meta->{tables}{devices}}) {
		my $device = $row->{device};
		same_row("device $device", $row, grep {
			$_->{of}[0] == $device && $_->{of}[1] != 2 } @rows);
	}
}

# The phases of a row lie in order: none ends behind the next one's end.
sub test_rows
{
	my ($page) = @_;
	my @bad = grep {
		$_->{q2g} > $_->{q2i} ||
		($_->{issued} && $_->{q2i} > $_->{issued} - 1) ||
		($_->{end} && !$_->{issued} && $_->{q2i} > $_->{end} - 1)
	} rows_of($page);
	is(scalar @bad, 0, '... phases of rows are in order');
	my $t = $page->{columns}{t};
	is(scalar(grep { $t->[$_] < $t->[$_ - 1] } 1 .. $#$t), 0,
	   '... rows are in order of time');
}

sub test_numbers
{
	for my $set (@SETS) {
		my $page = page('', $set);

		ok($page->{meta}{exact}, '... has all rows');
		same_numbers($page->{meta}, '', $set);
		test_tables($page);
		test_rows($page);
	}
	my $part = page('-w 0.05:0.5', 'smp4-merges-kworker');
	same_numbers($part->{meta}, '-w 0.05:0.5', 'smp4-merges-kworker');
	test_tables($part);
}

# --- queue depth and I/Os in flight ------------------------------------------

# the queue depth is that of btstat: requests at the device
sub test_queue_depth
{
	for my $set (qw(ext4-fsync-meta smp4-merges-kworker discard-zeroes)) {
		my $meta = page('', $set)->{meta};
		my $json = decode_json(run("btstat --format=json --by=device"
					   . " $set")->{out});
		my $wanted = sum0(map { $_->{depth_ns} }
				  @{$json->{tables}{sums}});
		my $got = $meta->{queueDepthAll}{mean} * $meta->{duration};

		cmp_ok(abs($got - $wanted), '<=', 1e-4 * $wanted + 1,
		       "... the queue depth is btstat's");
	}
}

# A disk that stops to answer: what is open is named, and counts in the queue
# depth to the end.
sub test_in_flight
{
	my @ios = map { { time => 0.1 * $_, sector => 8 * $_, op => 'R',
			  pid => 9, hangs => 1 } } 1 .. 4;

	$ios[0]{name} = 'post<gres' . "\0" x 7;
	mkdir "$TOP/hung" or die "$TOP/hung: $!\n";
	spew("$TOP/hung/sda.blktrace.0",
	     made_sealed(made_ios(@ios), 0, 1, 5.1));
	my $got = run('btreport -o - hung');
	my $meta = page_of($got->{out})->{meta};

	like($got->{out}, qr{class="tile\ bad"\ data-tile="flight".*
		note">at\ the\ end:\ in\ flight\ 4,\ oldest\ 5.00 s[ ]
		\(read,\ sector\ 8,\ post&lt;gres\)<}x,
	     'what is open at the end has a tile');
	is($meta->{queueDepth}[0]{inFlight}, 4, '... and is counted');
	is($meta->{queueDepth}[0]{max}, 4, '... at the device');
	cmp_ok(abs($meta->{queueDepthAll}{mean} -
		   (5 + 4.9 + 4.8 + 4.7) / 5), '<', 0.001,
	       '... up to the end of the trace');
	like($got->{out}, qr{<span class="head">sda: .*in flight 4},
	     '... and is a finding');
	like($got->{out}, qr{<section\ id="t-open">.*?In\ flight\ at\ the\ end
		.*?data-open="0">.*?read.*?post&lt;gres.*?5\x{e2}\x80\xafs
		.*?data-open="3"}sx, '... and has a table, the oldest first');
}

# meta and tiles of files by CPU
sub page_of_cpus
{
	my ($name, %files) = @_;

	mkdir "$TOP/$name" or die "$TOP/$name: $!\n";
	spew("$TOP/$name/sda.blktrace.$_", $files{$_}) for keys %files;
	my $got = run("btreport -o - $name");
	my %tiles = $got->{out} =~
		m{data-tile="(\w+)">.*?class="value">(.*?</div>.*?)</div>}g;
	return (page_of($got->{out})->{meta}, \%tiles, $got->{out});
}

# Depth and busy time that may be more are bounds; the page says what is lost.
sub test_missing
{
	my @writes = map { { time => $_ / 1000, op => 'W', sector => 8 * $_,
			     took => 0.0001 } } 0 .. 9999;
	my ($meta, $tiles, $html) = page_of_cpus('whole', 0 =>
		made_sealed(made_ios(@writes), 0, 1, 10));

	is(sprintf('%.2f', $meta->{depthAll}{mean}), '0.10', 'a whole trace');
	ok($meta->{depthAll}{exact} && $meta->{queueDepthAll}{exact},
	   '... has exact depths');
	is($meta->{complete}, undef, '... and all of it');
	$writes[1000]{hangs} = 1;
	($meta, $tiles) = page_of_cpus('one', 0 => made_ios(@writes));
	is(join(' ', map { sprintf '%.2f', $meta->{$_}{mean} }
		qw(depthAll queueDepthAll)), '0.10 0.10',
	   'one completion that is not there makes no depth');
	like($tiles->{$_}, qr/^\x{e2}\x89\xa5\x{e2}\x80\xaf0\.1<.*/,
	     "... $_ is a bound")
		for qw(depth flight);
	like($tiles->{flight}, qr/in flight 1, oldest 9\.00 s .*; some may/,
	     '... and names the I/O');
	my %changes = run('btreport --compare whole one -o -')->{out} =~
		/data-tile="(\w+)"><div class="label">[^<]*<b class="change">(.*?)</g;
	is($changes{ios} . $changes{depth} . $changes{flight}, '+0.0%',
	   '... and is compared with nothing');
	my $half = made_sealed(made_ios(@writes[5000 .. 9999]), 1, 2, 10);
	($meta, $tiles, $html) = page_of_cpus('half', 0 =>
		made_sealed(made_ios(@writes[0 .. 999]), 0, 2, 10),
		1 => substr $half, 0, 88 + 3 * 48 * 2500);
	like($html, qr{<ol><li\ class="problem"><span\ class="head">The\ trace
		\ is\ cut</span>.*?CPU\ 1\ ends\ 2\.500\ s}x,
	     'a CPU that ends early is the first finding');
	like($tiles->{coverage}, qr/^&lt;100%<.*CPU 1 ends 2\.50\d s before/,
	     '... is in the tile of the coverage');
	like($tiles->{depth}, qr/max \x{e2}\x89\xa5.*busy \x{e2}\x89\xa5/,
	     '... and the depth is a bound');
	cmp_ok(abs($meta->{complete} - 7.5e9), '<', 1e7,
	       '... the page has from when on');
}

# what adds up over windows that follow each other
sub sums_of
{
	my ($meta) = @_;
	my ($tables, $about) = @{$meta}{qw(tables about)};
	my %sums = (open => $about->{open}, pass => $about->{passthrough},
		    flushes => $about->{flushes}, ns => $meta->{duration});

	for my $row ($tables->{all}, @{$tables->{operations}},
		     @{$tables->{devices}}) {
		my $device = $meta->{devices}[$row->{device} // 0]{number};
		my $key = "operation " . ($row->{operation} // '') .
			" device " . (defined $row->{device} ? $device : '');
		$sums{"$key $_"} += $row->{$_} for qw(n bytes errors merged);
	}
	for my $span (grep { $tables->{all}{$_} } qw(q2c d2c)) {
		my $all = $tables->{all}{$span};
		$sums{$span} = int($all->{n} * $all->{mean} + 0.5);
	}
	$sums{$_} = int($meta->{queueDepthAll}{$_} * $meta->{duration} + 0.5)
		for qw(mean busy);
	return \%sums;
}

# Windows (-w) share no I/O, and leave none and no time out (T5).
sub test_slices
{
	for my $set (@_) {
		my $whole = page('', $set)->{meta};
		my @at = (map({ sprintf '%.7f', $whole->{duration} / 1e9 * $_ }
			      0, 0.1, 0.33, 0.5, 0.77), 1000);
		my (%sums, @wrong);

		for my $i (0 .. $#at - 1) {
			my $part = sums_of(page("-w $at[$i]:$at[$i + 1]",
						$set)->{meta});
			$sums{$_} += $part->{$_} for keys %$part;
		}
		my $wanted = sums_of($whole);
		# means have six digits; operations that never came have no row
		for my $key (keys %{{%$wanted, %sums}}) {
			my ($w, $s) = map { $_->{$key} // 0 } $wanted, \%sums;
			my $most = $key =~ /^(?:q2c|d2c|mean|busy|ns)$/ ?
				1e-5 * $w + 10 : 0;
			push @wrong, "$key: $s, not $w" if abs($w - $s) > $most;
		}
		is("@wrong", '', "... slices of $set add up to it");
	}
}

# --- flushes ------------------------------------------------------------------

# The kernel's own flush requests, which serve those of callers, count nowhere.
sub test_own_flushes
{
	my $got = run('btexport --fields=kind,op --format=csv ext4-fsync-meta');
	my $wanted = () = $got->{out} =~ /^io,flush$/mg;
	my $meta = page('', 'ext4-fsync-meta')->{meta};
	my ($row) = grep { $_->{operation} == 2 }
		@{$meta->{tables}{operations}};
	my ($lane) = grep { $_->{kind} eq 'F' } @{$meta->{lanes}};
	my ($said) = map { $_->{text} =~ /^(\d+) in all/ }
		grep { $_->{head} =~ /flushes per second/ } @{$meta->{findings}};

	ok($wanted, 'the trace has flushes');
	is("$row->{n} $lane->{n} $meta->{about}{flushes} $said",
	   join(' ', ($wanted) x 4), '... which count once everywhere');
}

# --- when findings are true ---------------------------------------------------

sub test_spans
{
	my ($burst, $stall) = @{page("", "$HERE/../doc/examples/database")->{meta}{findings}};
	my ($cut) = @{page("-w 30:40", "$HERE/../doc/examples/database")->{meta}{findings}};
	my @begin = map { int $_->[0] / 1e9 } @{$burst->{spans}};

	is("$burst->{rule} @begin", 'burst 14 35 51', 'a change has its times');
	is("$stall->{rule} " . @{$stall->{spans}}, 'stall 1', '... and a stall');
	ok(!(grep { $_->[0] < 0 || $_->[1] > 10e9 || $_->[0] >= $_->[1] }
	     @{$cut->{spans}}), '... within a window');
}

# --- discards -----------------------------------------------------------------

# Data are what is read and written: discards have a place of their own.
sub test_discards
{
	my $got = run('btreport -o - smp4-ext4-discard-mount');
	my %bytes;

	for (split /\n/, run('btexport --fields=op,bytes --format=csv'
			     . ' smp4-ext4-discard-mount')->{out}) {
		my ($op, $n) = split /,/;
		$bytes{$op} += $n if $n =~ /^\d/;
	}
	my $data = $bytes{read} + $bytes{write};
	my $tables = page_of($got->{out})->{meta}{tables};
	my ($row) = grep { $_->{operation} == 3 } @{$tables->{operations}};

	cmp_ok($bytes{discard}, '>', $data, 'most is discarded');
	is($tables->{all}{bytes}, $data, '... and is no data');
	is(sum0(map { $_->{bytes} } @{$tables->{processes}}), $data,
	   '... of any process');
	is($row->{bytes}, $bytes{discard}, '... but in the row of discards');
	like($got->{out}, qr{data-tile="data".*; 114.{1,3}MiB discarded<},
	     '... and beside the tile of data');
	unlike($got->{out}, qr{fstrim moves}, '... fstrim moves nothing');
}

# --- bins ---------------------------------------------------------------------

# what sparse counts would be, of rows: by the bin of a time and a key
sub counted
{
	my ($time, $width, $key, @rows) = @_;
	my %found;

	for my $row (@rows) {
		my $k = $key->($row) // next;
		$found{int(max(0, $row->{$time}) / $width) . " $k"}++;
	}
	return \%found;
}

sub class_of { return int(log($_[0]) / log(2) + 1e-9) }

sub same_scalars
{
	my ($page, @rows) = @_;
	my ($c, $width) = ($page->{columns}, $page->{meta}{bins}{width});
	my (%wanted, %found);
	my $at = 0;

	for my $row (grep { $_->{end} } @rows) {
		my $w = $wanted{int($row->{c} / $width) . " $row->{s}"} //= {};
		$w->{ios}++;
		$w->{blocks} += $row->{blocks};
		$w->{$_} = max($w->{$_} // 0, $row->{$_} // 0) for qw(q2c d2c);
	}
	for my $bin (0 .. $#{$c->{'scal.n'}}) {
		my $stream = 0;
		for (1 .. $c->{'scal.n'}[$bin]) {
			$stream += $c->{'scal.s'}[$at];
			$found{"$bin $stream"} = { map {
				$_ => $c->{"scal.$_"}[$at] }
				qw(ios blocks q2c d2c) };
			# that is busy only
			delete $found{"$bin $stream"}
				unless $c->{'scal.ios'}[$at];
			$at++;
		}
	}
	is_deeply(\%found, \%wanted, '... sums by bin and stream');
}

# All that bins say is what rows say, of a trace whose streams are not folded.
sub test_bins
{
	my ($size, $set) = @_;
	my ($exact, $page) = map { page($_, $set) } '', "--size=$size";
	my @rows = rows_of($exact);
	my $meta = $page->{meta};
	my $bins = $meta->{bins};

	ok(!$meta->{exact}, '... has bins');
	is_deeply($meta->{streams}, $exact->{meta}{streams},
		  '... has the same streams');
	for my $span (qw(q2c d2c q2d)) {
		is_deeply(sparse_of($page, $span), counted('c',
			$bins->{width}, sub {
				my $ns = $_[0]{$span} // return undef;
				return $_[0]{s} * $bins->{buckets} +
					bucket_of($ns) - $bins->{first};
			}, @rows), "... $span");
	}
	is_deeply(sparse_of($page, 'size'),
		  counted('c', $meta->{sizes}{width}, sub {
			my ($row) = @_;
			return undef unless $row->{end} && $row->{blocks};
			return $row->{s} * 32 + class_of($row->{blocks});
		}, @rows), '... sizes');
	same_scalars($page, @rows);
	same_offsets($page, @rows);
	same_depths($page, @rows);
	same_stretches($page, @rows);
	same_open($page, @rows);
	same_tables($meta->{tables}, $exact->{meta}{tables});
}

# A capture that goes on for long after its last I/O has begun: three hang, and
# nothing completes that was issued long after: they are not doubtful.
sub make_hang
{
	my @ios = map { { time => 0.0001 * $_, sector => 8 * ($_ * 7 % 6007),
			  op => $_ % 3 ? 'R' : 'W', pid => 100 + $_ % 2,
			  took => 0.00005 * (1 + $_ % 7) } } 0 .. 6000;
	push @ios, map { { time => 0.53 + 0.02 * $_, sector => 80000 * $_,
			   op => 'W', pid => 100, hangs => 1 } } 1 .. 3;
	$ios[0]{name} = 'postgres';
	mkdir "$TOP/hang" or die "$TOP/hang: $!\n";
	spew("$TOP/hang/sda.blktrace.0",
	     made_sealed(made_ios(@ios), 0, 1, 4));
}

# Percentiles may be those of a histogram's cells, half of 1/128 wide.
sub same_tables
{
	my ($tables, $exact) = @_;
	my (@one, @other);

	for my $all ([$tables, \@one], [$exact, \@other]) {
		for my $row ($all->[0]{all}, map { @{$all->[0]{$_}} }
			     qw(operations processes devices cgroups)) {
			push @{$all->[1]}, splice @{$row->{$_}{p}}
				for grep { $row->{$_} } qw(q2c d2c q2d);
		}
	}
	is_deeply($tables, $exact, '... tables are as exact');
	is(scalar(grep { abs($one[$_] - $other[$_]) > $other[$_] / 250 }
		  0 .. $#other), 0, '... percentiles nearly so');
}

sub same_offsets
{
	my ($page, @rows) = @_;
	my ($meta, $o) = ($page->{meta}, $page->{meta}{offsets});

	for my $device (grep { exists $page->{columns}{"offs$_.n"} }
			0 .. $#{$meta->{devices}}) {
		my $place = $o->{devices}[$device];
		is_deeply(sparse_of($page, "offs$device"),
			  counted('t', $o->{width}, sub {
				my ($row) = @_;
				return undef unless $row->{blocks} && $device ==
					$meta->{streams}[$row->{s}][0];
				return $row->{s} * $o->{rows} +
					int(($row->{sector} - $place->{base}) /
					    $place->{row});
			}, @rows), "... offsets of device $device");
	}
}

# Stretches have all rows that ended in them, each in order of time; the slowest
# is in one of them.
sub same_stretches
{
	my ($page, @rows) = @_;
	my @kept = rows_of($page);
	my @stretches = @{$page->{meta}{stretches}};
	my $text = sub { join ' ', @{$_[0]}{qw(t s sector blocks flags c)} };
	my ($slowest) = sort { $b <=> $a } map { $_->{q2c} // 0 } @rows;

	ok(scalar @stretches, '... has stretches of rows');
	for my $stretch (@stretches) {
		my ($from, $to, $first, $end) = @$stretch;
		my @in = map { $text->($_) } @kept[$first .. $end - 1];
		is(join("\n", sort @in), join("\n", sort map { $text->($_) }
			grep { $_->{end} && $_->{c} >= $from && $_->{c} < $to }
			@rows), "... all that ended from $from to $to");
	}
	ok(scalar(grep { ($_->{q2c} // 0) == $slowest } @kept),
	   '... one of them has the slowest');
}

# whether a row that is open counts in depths: it is not waiting to be issued
sub open_counts
{
	my ($meta, $row) = @_;
	my $device = $meta->{devices}[$meta->{streams}[$row->{s}][0]];

	return $row->{open} && ($row->{issued} || !$device->{issues});
}

# What is in flight at the end has rows in any page, and its device's time.
sub same_open
{
	my ($page, @rows) = @_;
	my ($meta, $c) = @{$page}{qw(meta columns)};
	my $text = sub { join ' ', @{$_[0]}{qw(t s sector issued flags)} };
	my @open = grep { $_->{open} } @rows;
	my $wanted = sum0(map { $_->{until} - $_->{t} -
		($_->{issued} ? $_->{issued} - 1 : 0) }
		grep { open_counts($meta, $_) } @open);
	my $ended = sum0(map { $_->{c} - $_->{t} -
		($_->{issued} ? $_->{issued} - 1 : 0) } grep { $_->{end} } @rows);

	is(join("\n", map { $text->($_) } grep { $_->{open} } rows_of($page)),
	   join("\n", map { $text->($_) } @open),
	   '... rows of ' . @open . ' in flight');
	is(scalar(@open), sum0(map { $_->{inFlight} } @{$meta->{queueDepth}}),
	   '... which are all');
	cmp_ok(abs(sum0(@{$c->{'scal.busy'}}) * 1000 - $wanted - $ended), '<',
	       1000 * @{$c->{'scal.busy'}}, '... busy up to the end');
}

# Least, greatest and mean depth in each bin: I/Os from D, or without one from
# their begin, to C or the end of the trace; at one moment ends count first.
sub same_depths
{
	my ($page, @rows) = @_;
	my ($meta, $c) = @{$page}{qw(meta columns)};
	my $width = $meta->{bins}{width};
	my @moments = sort { $a->[0] <=> $b->[0] || $a->[1] <=> $b->[1] } map {
		[$_->{t} + ($_->{issued} ? $_->{issued} - 1 : 0), 1],
		[$_->{until} // $_->{c}, -1]
	} grep { ($_->{end} || open_counts($meta, $_)) &&
		 $meta->{streams}[$_->{s}][1] != 2 } @rows;
	my ($at, $depth, @found) = (0, 0);

	for my $moment (@moments, [$meta->{duration}, 0]) {
		while ($at < $moment->[0]) {
			my $bin = $found[$at / $width] //= [1e9, 0, 0];
			my $end = min($moment->[0],
				      (int($at / $width) + 1) * $width);
			$bin->[0] = min($bin->[0], $depth);
			$bin->[1] = max($bin->[1], $depth);
			$bin->[2] += $depth * ($end - $at);
			$at = $end;
		}
		$depth += $moment->[1];
	}
	$_->[2] = int(16 * $_->[2] / $width + 0.5) for @found;
	is_deeply([map { my $n = $_; [map { $_->[$n] } @found] } 0 .. 2],
		  [map { [@{$c->{"depth0.$_"}}[0 .. $#found]] }
		   qw(min max mean)], '... depths');
}

# --- two runs -----------------------------------------------------------------

# rows of btstat --compare, as btreport has them
sub verdicts_of_btstat
{
	my ($a, $b) = @_;
	my $got = run("btstat --phases=q2c,d2c --format=json"
		      . " --compare $a -- $b");
	my @all = @{decode_json($got->{out})->{comparisons}};

	return { work => $all[0]{work}, map { map {
		("$_->{phase} $_->{key} $_->{row}" => $_) } @{$_->{rows}} }
		@all };
}

sub near
{
	my ($x, $y) = @_;
	return !defined $y unless defined $x;
	return defined $y && abs($x - $y) <= 1e-5 * abs($y) + 1e-3;
}

# numbers and words of verdicts are btstat's
sub same_verdicts
{
	my ($meta, $a, $b) = @_;
	my $theirs = verdicts_of_btstat($a, $b);
	my $work = delete $theirs->{work};
	my (%mine, @wrong);

	for my $table (@{$meta->{verdicts}}) {
		$mine{join ' ', lc $table->{phase}, $table->{key}, $_->{row}} =
			$_ for @{$table->{rows}};
	}
	is(join(',', sort keys %mine), join(',', sort keys %$theirs),
	   '... has the rows that btstat has');
	for my $key (sort keys %mine) {
		my ($m, $t) = ($mine{$key}, $theirs->{$key} || {});

		push @wrong, $key if ($m->{verdict} // '') ne
			($t->{verdict} // '') ||
			grep { !near($m->{$_}, $t->{$_}) }
				grep { !/^[ab]\z/ || $m->{$_} < 1e5 }
				qw(a b change low high p);
	}
	is("@wrong", '', '... with their numbers and verdicts');
	ok(near($meta->{work}{other}, $work->{other}) &&
	   near($meta->{work}{byWork} / 1e6, $work->{by_work} / 1e6),
	   '... and what it says of the work');
}

# what a page of that trace alone has, but for what depends on the other
sub same_side
{
	my ($side, $name, $options) = @_;
	my $alone = page($options, $name)->{meta};

	for my $meta ($side, $alone) {
		delete @{$meta}{qw(findings title)};
		delete $meta->{about}{command};
	}
	is_deeply($side, $alone, "... $name is as it is alone");
}

# the rules of findings that btstat prints of each side only
sub contrasts
{
	my ($a, $b) = @_;
	my $got = run("btstat --format=json --compare $a -- $b");
	return @{decode_json($got->{out})->{findings}};
}

# the tiles count the I/Os that the verdicts are about: no flushes (T15)
sub test_flushes
{
	my ($a, $b) = @_;
	my $json = run("btstat --format=json --compare $a -- $b")->{out};
	my $all = decode_json($json)->{comparisons}[0];
	my $html = run("btreport --compare $a $b -o -")->{out};
	my ($tile) = $html =~ /data-tile="ios">(.*?)<div class="tile"/s;
	my @shown = $tile =~ /class="value">(\d+)</g;

	is("@shown", "719 135", "tiles of $a and $b count I/Os");
	is("@{[map { $all->{$_}{ios} } qw(a b)]}", "@shown",
	   '... as many as verdicts do');
	same_rates($html, $all->{rows}, "$a and $b");
}

# over the same time, whatever was before the first I/O and after the last
sub same_rates
{
	my ($html, $rows, $what) = @_;
	my ($tile) = $html =~ /data-tile="rate">(.*?)<div class="tile"/s;
	my @shown = map { s/[^\d.]//gr } $tile =~ /class="value">(.*?)</g;
	my ($row) = grep { $_->{row} eq 'IO/s' } @$rows;

	ok(abs($shown[$_] / $row->{qw(a b)[$_]} - 1) < 2e-3,
	   "... rate of $what: $shown[$_], as in its table") for 0, 1;
}

sub test_pair
{
	my ($a, $b) = @_;
	my $got = run("btreport --compare $a $b -o pair.html"
		      . ' --json=pair.json --size=1M');
	my $meta = decode_json(slurp("$TOP/pair.json"));
	my $html = slurp("$TOP/pair.html");

	cmp_ok($got->{rc}, '<=', 1, "btreport --compare $a $b");
	is("@{$meta->{names}}", "$a $b", '... names both');
	same_verdicts($meta, $a, $b);
	my @found = contrasts($a, $b);
	for my $i (0, 1) {
		my $letter = qw(a b)[$i];
		my @mine = grep { $_->{text} =~ /^For details/ }
			@{$meta->{sides}[$i]{findings}};
		my @theirs = grep { $_->{side} eq $letter &&
				    $_->{rule} ne 'lost' } @found;
		is(scalar @mine, min(scalar @theirs, 8),
		   "... what is found in \U$letter\E only");
	}
	same_side($meta->{sides}[0], $a, '--size=512K');
	same_side($meta->{sides}[1], $b, '--size=512K');
	my ($json) = $html =~ m{id="meta">(.*?)</script>}s;
	is($json, slurp("$TOP/pair.json") =~ s/\n\z//r,
	   '... and the page has the same');
	my @rows = $html =~ /<tr data-op="R" data-side="(\w+)"/g;
	is("@rows", @rows ? 'a b change' : '', '... rows of three');
}

sub test_pairs
{
	test_pair('smp4-merges-kworker', 'cgroup-mqdl');
	test_pair('md-raid1-3dev', 'dm-linear-3dev');
	test_pair('derived-skips', 'mask-issue-complete');
	test_pair('derived-truncated', 'v8-ext4');
	test_flushes('ext4-fsync-meta', 'k612-ext4-journal-bfq');
	my $html = slurp("$TOP/pair.html");
	like($html, qr{<h2><b class="side-a">A</b> only</h2>\s*<ol>.*?damaged}s,
	     '... damage is said of the side that has it');
	my $got = run('btreport --compare cgroup-mqdl mask-issue-complete'
		      . ' -o -');
	like($got->{out}, qr/No Q2C, Q2D on this side/,
	     'what a mask has left out is said');
	like($got->{out}, qr/Q2C: no operation occurs on both sides/,
	     '... and that it cannot be compared');
	is(run('btreport --compare cgroup-mqdl v8-ext4')->{rc}, 0,
	   '--compare without -o');
	ok(-s "$TOP/cgroup-mqdl-compared.html", '... is named for A');
	refused("btreport --compare $_->[0]", $_->[1]) for
		['cgroup-mqdl', qr/--compare takes two traces/],
		['a b c', qr/--compare takes two traces/],
		['--csv=x cgroup-mqdl v8-ext4', qr/--csv takes one run/],
		['-o x - -', qr/standard input can be read only once/],
		['none cgroup-mqdl', qr/none: no such file or trace/];
}

# --- the page -----------------------------------------------------------------

# a page without the command that made it
sub commandless
{
	my ($html) = @_;
	return $html =~ s/"command":"[^"]*"//r =~ s{<dt>Command</dt>.*\n}{}r;
}

sub test_page
{
	my $got = run('btreport cgroup-mqdl');
	is("$got->{rc} $got->{out}$got->{err}", '0 ', 'btreport cgroup-mqdl');
	my $html = slurp("$TOP/cgroup-mqdl.html");

	like($html, qr/\A<!DOCTYPE html>/, '... writes cgroup-mqdl.html');
	like($html, qr/Content-Security-Policy" content="default-src 'none';/,
	     '... which may fetch nothing');
	unlike($html, qr{https?://|\bsrc=|\bhref="[^#]}, '... and does not');
	for my $id (qw(head tiles findings bar graphs tables about meta
		       t-operations t-processes t-devices t-cgroups
		       t-slowest)) {
		is(scalar(() = $html =~ /\bid="\Q$id\E"/g), 1, "... #$id");
	}
	like($html, qr{data-tile="ios">.*?<div class="value">161<}s,
	     '... says how many without a script');
	is(run('btreport cgroup-mqdl')->{rc}, 0, 'once more');
	is(slurp("$TOP/cgroup-mqdl.html"), $html, '... the same bytes');
	my $out = run('btreport -o - cgroup-mqdl')->{out};

	is(commandless($out), commandless($html),
	   '... also on standard output');
	is(page_of($out)->{meta}{about}{command}, 'btreport -o - cgroup-mqdl',
	   '... which is the command that it has');
	isnt(run('btreport -o - -w 0.01 cgroup-mqdl')->{out}, $html,
	     '... of a part others');
}

sub test_options
{
	is(run('btreport -o x.html --json=x.json --title "A & B"'
	       . ' --theme=dark md-raid1-3dev')->{rc}, 0, 'options');
	my $html = slurp("$TOP/x.html");
	my $json = slurp("$TOP/x.json");

	is_deeply(decode_json($json), page_of($html)->{meta},
		  '--json has the numbers of the page');
	like($html, qr{<title>A &amp; B</title>}, '--title is the title');
	like($html, qr{<html lang="en" data-theme="dark">}, '--theme is there');
	my $all = page('-t x', 'md-raid1-3dev')->{meta};
	is($all->{title}, 'x', '-t is the title, too');
	my ($one) = map { $_->{name} } $all->{devices}[1];
	my $some = page("-d $one", 'md-raid1-3dev')->{meta};
	is(join(' ', map { $_->{name} } @{$some->{devices}}), $one,
	   '-d has that device only');
	my $number = $all->{devices}[1]{number};
	$all = page("--devices=$number,none", 'md-raid1-3dev')->{meta};
	is_deeply($all->{tables}, $some->{tables},
		  '--devices, by its number, is the same');
	refused("btreport $_->[0] cgroup-mqdl", $_->[1]) for
		['--size=1', qr/--size=1: a number of bytes/],
		['--size=1G', qr/--size=1G: a number of bytes/],
		['--size=-4M', qr/--size=-4M: a number of bytes/],
		['--theme=blue', qr/light|dark/], ['-d ,', qr/no device/],
		['-o a --json=a', qr/the same file/];
	my $list = qr/recorded: (?:\w+, )+\w+$/m;
	refused('btreport -d none,99:0 -o none.html md-raid1-3dev', $_)
		for qr/^btreport: -d none: no such device; $list/m,
		    qr/^btreport: -d 99:0: no such device; $list/m;
	refused('btreport --compare -d none -o none.html md-raid1-3dev '
		. 'md-raid1-3dev', $list);
	ok(!-e "$TOP/none.html", '... and there is no page');
	spew("$TOP/idle.blktrace.0", '');
	is(run('btreport -d idle -o idle.html idle')->{rc}, 0,
	   'a device without I/O is one');
	refused('btreport -', qr/name: use -o/);
	refused('btreport', qr/no input is named/);
	refused('btreport none', qr/none: no such file or trace/);
}

# a file of CSV without quotes, as rows of names and values
sub sheet
{
	my ($name) = @_;
	my ($head, @rows) = split /\n/, slurp("$TOP/csv/$name.csv");
	my @names = split /,/, $head;
	return map { my %row; @row{@names} = split /,/, $_, -1; \%row } @rows;
}

sub test_csv
{
	is(run('btreport -o x.html --csv=csv smp4-merges-kworker')->{rc}, 0,
	   '--csv');
	my $meta = page_of(slurp("$TOP/x.html"))->{meta};
	my @ops = sheet('operations');
	is_deeply([map { [@{$_}{qw(name ios bytes q2c_p99_ns d2c_max_ns)}] }
		   @ops],
		  [map { [$OPS[$_->{operation}], @{$_}{qw(n bytes)},
			  $_->{q2c} ? $_->{q2c}{p}[2] : '',
			  $_->{d2c} ? $_->{d2c}{max} : ''] }
		   @{$meta->{tables}{operations}}],
		  '... operations.csv is the table');
	is(sum0(map { $_->{ios} } sheet('series')),
	   sum0(map { $_->{ios} } @ops), '... series.csv has all of them');
	is(scalar(sheet('processes')), scalar @{$meta->{tables}{processes}},
	   '... processes.csv');
	is(scalar(sheet('devices')), 1, '... devices.csv');
	is(scalar(sheet('cgroups')), scalar @{$meta->{tables}{cgroups}},
	   '... cgroups.csv');
	is((sheet('slowest'))[0]{q2c_ns}, $meta->{tables}{all}{q2c}{max},
	   '... slowest.csv');
	is(run('btreport -o x.html --csv=x.html/y cgroup-mqdl')->{rc}, 1,
	   '... no directory: status 1');
	is(run('btreport -o - --size=64K --csv=csv overflow-b4n2')->{rc}, 0,
	   '... of bins');
	is(sum0(map { $_->{ios} } sheet('series')),
	   sum0(map { $_->{ios} } sheet('operations')), '... the same');
}

# the first completion in a file of records is 2 us later; whether there is one
sub delay_one
{
	my ($path) = @_;
	my $bytes = slurp($path);
	my $at = 0;

	while ($at < length $bytes) {
		my ($time, $action, $more) =
			unpack 'x8 Q x12 L x14 S', substr $bytes, $at;
		if (($action & 0xff) == 8 && !($action >> 26 & 1)) {
			substr $bytes, $at + 8, 8, pack 'Q', $time + 2000;
			spew($path, $bytes);
			return 1;
		}
		$at += 48 + $more;
	}
	return 0;
}

# One event is another: numbers are others, and no more than have to be.
sub test_change
{
	my @files = glob "$TOP/cgroup-mqdl/*";
	my $before = page('', 'cgroup-mqdl')->{meta}{tables}{all};

	ok(scalar(grep({ delay_one($_) } @files)), 'a completion is later');
	my $after = page('', 'cgroup-mqdl')->{meta}{tables}{all};
	is($after->{n}, $before->{n}, '... as many I/Os');
	cmp_ok($after->{q2c}{mean}, '>', $before->{q2c}{mean},
	       '... which took longer');
	is($after->{bytes}, $before->{bytes}, '... for as much');
}

# which counts at first, and which stands on which
sub test_tree
{
	my $devices = page('', 'dm-linear-3dev')->{meta}{devices};

	is_deeply([map { [@{$_}{qw(name level over)}, $_->{on} ? 1 : 0] }
		   @$devices],
		  [['dm-0', 0, [1, 2], 0], ['vda', 1, [], 1],
		   ['vdb', 1, [], 1]],
		  'dm-0 stands on two disks, and does not count');
}

# --- files --------------------------------------------------------------------

sub test_files
{
	mkdir "$TOP/files" or die "$TOP/files: $!\n";
	spew("$TOP/files/x.html", "old\n");
	is(run('btreport -o files/none/x.html cgroup-mqdl')->{rc}, 1,
	   'no such directory: status 1');
	is(run('btreport -o - cgroup-mqdl >/dev/full')->{rc}, 1,
	   'a full disk: status 1');
	is(run('ulimit -f 8; trap "" XFSZ; btreport -o files/x.html'
	       . ' cgroup-mqdl')->{rc}, 1, 'a limit: status 1');
	is(slurp("$TOP/files/x.html"), "old\n", '... what was there stands');
	opendir my $in, "$TOP/files" or die;
	is(join(' ', sort grep { !/^\.\.?$/ } readdir $in), 'x.html',
	   '... and nothing else is there');
	my $got = run('btreport -o - cgroup-mqdl | head -1');
	is("$got->{rc} $got->{err}", '0 ', 'a reader that goes away: no word');
}

sub test_empty
{
	spew("$TOP/empty.blktrace.0", '');
	my $got = run('btreport -o - empty');
	is($got->{rc}, 0, 'a trace without events');
	my $meta = page_of($got->{out})->{meta};
	is($meta->{tables}{all}{n}, 0, '... has no I/O');
	like($meta->{findings}[0]{head}, qr/No I\/O/, '... and says so');
	my ($static) = $got->{out} =~ /<body>(.*?)<script/s;
	unlike($static, qr/\bnan\b|\binf\b/i, '... and has no odd numbers');
}

sub test_damage
{
	my $got = run('btreport -o - derived-truncated');
	is($got->{rc}, 1, 'damage: status 1');
	my $meta = page_of($got->{out})->{meta};
	like($meta->{findings}[0]{head}, qr/damaged/, '... is said first');
	like($meta->{damage}[0], qr/byte \d+: /, '... and where');
	$got = run('btreport -o - derived-skips');
	is($got->{rc}, 0, 'lost records: status 0');
	$meta = page_of($got->{out})->{meta};
	like($meta->{findings}[0]{head}, qr/^242 records lost/, '... are told');
	is(sum0(map { $_->[2] } @{$meta->{gaps}}), $meta->{lost},
	   '... each gap has its part of them');
	is(scalar(grep { $_->[0] > $_->[1] } @{$meta->{gaps}}), 0,
	   '... from one time to a later one');
	cmp_ok($meta->{coverage}, '<', 1, '... coverage is below 1');
}

# --- hostile ------------------------------------------------------------------

# a record of version 7, in this machine's order
my ($NOTE_PROCESS, %ACTION) = (0x04000000,
	Q => 0x00510001, G => 0x00410004, D => 0x00410007, C => 0x00810008);

my $sequence = 0;

sub event
{
	my ($action, $time, $sector, $pid, $payload) = @_;
	$action |= 0x00010000 if $action != $NOTE_PROCESS;
	$sequence++ if $action != $NOTE_PROCESS;
	return pack('L L Q Q L L L L L S S', 0x65617407, $sequence,
		    1000 * $time, $sector, 4096, $action, $pid, 8 << 20, 0, 0,
		    length $payload) . $payload;
}

# events of that many devices, on each of which that many processes read
sub crowd
{
	my ($devices, $processes) = @_;
	my ($bytes, $time) = ('', 0);

	for my $pid (1 .. $processes) {
		$bytes .= event($NOTE_PROCESS, 0, 0, $pid, pack 'a16',
				"process-$pid");
		for my $device (1 .. $devices) {
			for my $action (qw(Q G D C)) {
				my $event = event($ACTION{$action}, ++$time,
						  8 * $pid, $pid, '');
				substr $event, 36, 4, pack 'L',
					8 << 20 | $device;
				$bytes .= $event;
			}
		}
	}
	return $bytes;
}

# Whatever is in a page, the file has no more bytes than its --size and 150 KiB;
# where that cannot be, there is none.
sub test_sizes
{
	spew("$TOP/crowd.blktrace.0", crowd(2, 500));
	spew("$TOP/town.blktrace.0", crowd(1, 12000));
	for my $name (qw(crowd overflow-b4n2 k612-dm-errors)) {
		for my $size (64, 100, 150, 4096) {
			my $got = run("btreport --size=${size}K -o - $name");
			is($got->{rc}, 0, "--size=${size}K of $name");
			cmp_ok(length $got->{out}, '<=', ($size + 150) << 10,
			       '... is kept to');
		}
	}
	refused('btreport --size=64K -o - town', qr/--size: too small/);
	is(run('btreport -o - town')->{rc}, 0, '... but with more there is');
}

my %NAMES = (
	'</script><im s>' => '</script><im s>', 'a&b"c\'' => 'a&b"c\'',
	"a\nb\x01" => "a\x{fffd}b\x{fffd}", "bad\xff" => "bad\x{fffd}",
	'<!--' => '<!--', '@META@' => '@META@', '${x}`' => '${x}`',
);

sub test_names
{
	my ($bytes, $pid) = ('', 0);

	for my $name (sort keys %NAMES) {
		$pid++;
		$bytes .= event($NOTE_PROCESS, 0, 0, $pid, pack 'a16', $name);
		$bytes .= event($ACTION{$_}, $pid, 8 * $pid, $pid, '')
			for qw(Q G D C);
	}
	spew("$TOP/<b>&.blktrace.0", $bytes);
	my $got = run("btreport -o - -t '</title><i>' '<b>&'");
	is($got->{rc}, 0, 'names that hurt') or diag $got->{err};
	my $meta = page_of($got->{out})->{meta};

	is_deeply([sort map { $_->{name} } @{$meta->{processes}}],
		  [sort values %NAMES], '... are whole in the numbers');
	unlike($got->{out}, qr{<im s>|<b>|<i>|<!--(?! SPDX)},
	       '... and nowhere elements');
	like($got->{out}, qr{&lt;/script&gt;&lt;im s&gt;},
	     '... but text in the tables');
	is($meta->{title}, '</title><i>', '... the title, too');
	is(scalar(() = $got->{out} =~ m{</script>}g),
	   scalar(() = $got->{out} =~ m{<script}g), '... scripts end once');
	run("btreport -o x.html --csv=csv '<b>&'");
	ok(eval { decode('UTF-8', slurp("$TOP/csv/processes.csv"), FB_CROAK) },
	   '... and CSV is UTF-8');
}

unpack_sets(@SETS);
test_numbers();
unpack_sets(qw(ext4-fsync-meta smp4-ext4-discard-mount));
test_caches($_) for 'dm-linear-3dev', 'discard-zeroes',
	'ext4-fsync-meta smp4-merges-kworker';
test_no_caches();
test_own_flushes();
test_spans();
test_queue_depth();
test_in_flight();
test_missing();
test_discards();
test_bins('64K', 'overflow-b4n2');
make_hang();
test_bins('64K', 'hang');
test_slices(qw(hang dm-linear-3dev scsidbg-passthru smp4-merges-kworker
	       k612-ext4-journal-bfq md-raid1-3dev));
test_pairs();
test_page();
test_options();
test_csv();
test_change();
test_tree();
test_files();
test_empty();
test_damage();
test_names();
test_sizes();
done_testing();
