#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# btstat --cache: on recorded traces, caches of each size simulated one by one
# serve what it says.
#
#	BIN=DIR prove tests/cache.t
#
# SHARED (../shared) has more traces.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Cwd 'abs_path';
use File::Temp 'tempdir';
use JSON::PP;
use List::Util 'sum0';
use Suite::Run qw(find_programs run_command);
use Suite::Traces 'unpack_traces';
use Test::More;

my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my $TOP = tempdir('cache.XXXXXX', TMPDIR => 1, CLEANUP => 1);
my $FIELDS = 'disk,kind,link,op,sector,bytes,ended,time_ns,id,process';
my $SEEN = qr/^(?:read|write|discard|zero)\z/;
my $ACCESSES = 60_000;		# of a trace that is simulated, at most

my @SEVERAL = qw(virtio-bfq-mixed smp4-mixed-procs);	# in one run
my $APART = 1 << 45;		# numbers of blocks of a disk are below

# disk => [[is a write, block, time, process], ...] of the I/Os that btstat counts, as
# they arrived; a discard is [undef, block, time].  Those of 'all' are of all disks,
# but not what one passes down to another.
sub accesses
{
	my ($traces, $block) = @_;
	my $text = run_command("btexport --format=csv --no-header"
		. " --fields=$FIELDS $traces", $TOP, $PROGRAMS)->{out};
	my (%of, %number);

	for my $line (map { $_->[1] } sort { $a->[0] <=> $b->[0] ||
			$a->[2] <=> $b->[2] }
			map { /^(?:[^,]*,){7}(\d+),(\d+),/ ? [$1, $_, $2] : () }
			split /\n/, $text) {
		my ($disk, $kind, $link, $op, $sector, $bytes, $ended, $time,
			$id, $process) = split /,/, $line, 10;
		next if $kind eq 'flush' || $link eq 'split' ||
			$ended ne 'C' || $op !~ $SEEN ||
			$kind eq 'pass' || !($bytes >> 9);
		my $per = $block / 512;
		my $end = $sector + ($bytes >> 9);
		my $last = int(($end - 1) / $per);
		my @new = map { [$op eq 'write', $_, $time, $process] }
			int($sector / $per) .. $last;
		if ($op =~ /discard|zero/) {
			# whole blocks; of a disk with something in its cache
			next unless $of{$disk};
			@new = map { [undef, $_, $time] }
				int(($sector + $per - 1) / $per) ..
				int($end / $per) - 1;
		}
		push @{$of{$disk}}, @new;
		$number{$disk} //= keys %number;
		push @{$of{all}}, map { my @block = @$_;
			$block[1] += $APART * $number{$disk}; \@block }
			@new if $link ne 'remap';
	}
	return %of;
}

# An LRU cache of SIZE blocks that writes back: reads and writes it serves,
# and writes of blocks that are dirty in it.
sub simulate
{
	my ($size, @accesses) = @_;
	my (%at, @order, %dirty, %served);
	my $first = 0;

	for my $i (0 .. $#accesses) {
		my ($write, $block) = @{$accesses[$i]};
		my $has = defined $at{$block};

		if (!defined $write) {
			$served{saved}++ if $dirty{$block};
			delete $at{$block};
			delete $dirty{$block};
			$order[$i] = -1;
			next;
		}
		$served{$write ? 'writes' : 'reads'}++ if $has;
		$served{saved}++ if $write && $has && $dirty{$block};
		$order[$i] = $block;
		$at{$block} = $i;
		$dirty{$block} = 1 if $write;
		next if keys %at <= $size;
		# the oldest place that is its block's last
		$first++ while ($at{$order[$first]} // -1) != $first;
		delete $at{$order[$first]};
		delete $dirty{$order[$first]};
		$first++;
	}
	return %served;
}

# The same by S3-FIFO (Yang et al., SOSP '23): a small queue of a tenth, a main one,
# and the numbers of those that left the small one.
sub simulate_fifo
{
	my ($size, @accesses) = @_;
	my $small_max = int($size / 10);
	my $main_max = $size - $small_max;
	my (@small, @main, @ghost, %where, %uses, %dirty, %left, %served);
	my ($lefts, $serial) = (0, 0);

	my $evict_main = sub {
		while (defined(my $block = shift @main)) {
			if ($uses{$block}) {
				$uses{$block}--;
				push @main, $block;
				next;
			}
			delete $where{$block};
			delete $dirty{$block};
			return;
		}
	};
	my $evict_small = sub {
		while (defined(my $block = shift @small)) {
			if ($uses{$block} > 1) {
				push @main, $block;
				$where{$block} = 'main';
				$evict_main->() if @main > $main_max;
				next;
			}
			delete $where{$block};
			delete $dirty{$block};
			push @ghost, [$block, ++$serial];
			$left{$block} = $serial;
			$lefts++;
			while ($lefts > $main_max) {
				my ($old, $its) = @{shift @ghost};
				next if ($left{$old} // 0) != $its;
				delete $left{$old};
				$lefts--;
			}
			return;
		}
	};
	for (@accesses) {
		my ($write, $block) = @$_;
		if (!defined $write) {
			$served{saved}++ if $dirty{$block};
			@small = grep { $_ != $block } @small if
				delete $where{$block};
			@main = grep { $_ != $block } @main;
			delete $dirty{$block};
			next;
		}
		if ($where{$block}) {
			$served{$write ? 'writes' : 'reads'}++;
			$served{saved}++ if $write && $dirty{$block};
			$uses{$block}++ if $uses{$block} < 3;
		} else {
			while (@small + @main >= $size) {
				@small >= $small_max ? $evict_small->() :
					$evict_main->();
			}
			$uses{$block} = 0;
			if (delete $left{$block}) {
				$lefts--;
				push @main, $block;
				$where{$block} = 'main';
			} else {
				push @small, $block;
				$where{$block} = 'small';
			}
		}
		$dirty{$block} = 1 if $write;
	}
	return %served;
}

# the share of accesses that the first percent of blocks have
sub top
{
	my ($percent, @counts) = @_;
	my $left = @counts * $percent / 100;
	my ($sum, $all) = (0, 0);

	for my $n (sort { $b <=> $a } @counts) {
		$sum += $n * ($left > 1 ? 1 : $left > 0 ? $left : 0);
		$left--;
		$all += $n;
	}
	return ppm($sum, $all);
}

# what blocks had, and what processes touched, by the names of JSON
sub facts
{
	my (@accesses) = @_;
	my (%count, %written, %fact, %by, $writes);

	for (@accesses) {
		my ($write, $block, $time, $process) = @$_;
		if (defined $write) {
			$count{$block}++;
			$by{$process}{$block} = 1;
			next unless $write;
			$writes++;
		}
		if (defined $written{$block}) {
			my $age = $time - $written{$block};
			$fact{rewritten}++;
			$fact{"rewritten_within_${_}s"} += $age < $_ * 1e9
				for 1, 10, 60;
		}
		$written{$block} = $write ? $time : undef;
	}
	return (blocks => scalar keys %count,
		pairs => sum0(map { scalar keys %$_ } values %by),
		top_1pct_ppm => top(1, values %count),
		top_10pct_ppm => top(10, values %count),
		(map { ("${_}_ppm" => ppm($fact{$_}, $writes)) } 'rewritten',
			map { "rewritten_within_${_}s" } 1, 10, 60),
		processes => join(' ', sort map { "$_=" . keys %{$by{$_}} }
			keys %by));
}

sub ppm
{
	my ($part, $all) = @_;
	return $all ? sprintf('%.0f', 1e6 * ($part // 0) / $all) : undef;
}

# what differs, of the history of blocks and who touched them
sub other_history
{
	my ($c, $block, @all) = @_;
	my %facts = facts(@all);
	my $shown = join ' ', sort map { "$_->{process}="
		. $_->{touched_bytes} / $block } @{$c->{processes}};
	my @other;

	push @other, "processes: $shown, not $facts{processes}"
		if $facts{pairs} <= 4096 &&
		$shown =~ s/(?<!\S)-=/=/r ne $facts{processes};
	for my $fact (grep { /_ppm/ && $facts{blocks} <= 8192 }
		      sort keys %facts) {
		push @other, "$fact: " . ($c->{$fact} // 'none') . ', not '
			. ($facts{$fact} // 'none')
			if defined $c->{$fact} != defined $facts{$fact} ||
			abs(($c->{$fact} // 0) - ($facts{$fact} // 0)) > 1;
	}
	return @other;
}

# what differs of a cache, of all its sizes
sub other_sizes
{
	my ($c, $block, @all) = @_;
	my $writes = grep { $_->[0] } @all;
	my $reads = grep { defined && !$_ } map { $_->[0] } @all;
	my %count = (reads => $reads, writes => $writes, saved => $writes);
	my @other;

	for my $row (@{$c->{sizes}}) {
		my $blocks = $row->{bytes} / $block;
		my %served = simulate($blocks, @all);
		my %fifo = $blocks >= 256 && $blocks <= 32768 ?
			simulate_fifo($blocks, @all) : ();
		$served{"s3fifo_$_"} = $fifo{$_} for keys %fifo;
		for my $curve (keys %count, map { "s3fifo_$_" }
			       %fifo ? keys %count : ()) {
			my $want = ppm($served{$curve},
				$count{$curve =~ s/s3fifo_//r});
			my $got = $row->{"${curve}_ppm"};
			push @other, "$row->{bytes} bytes, $curve: "
				. ($got // 'none') . ', not '
				. ($want // 'none')
				if defined $got != defined $want ||
				abs(($got // 0) - ($want // 0)) > 1;
		}
	}
	return @other;
}

sub test_traces
{
	my ($name, $traces, $block, $all) = @_;
	my $got = run_command("btstat --cache=s3fifo --block=$block --format=json"
		. " $traces", $TOP, $PROGRAMS);
	my $json = eval { decode_json($got->{out}) }
		or return fail("$name: $got->{err}");
	my %accesses = accesses($traces, $block);
	my (@other, $sizes);

	for my $c (@{$json->{caches}}) {
		my @all = @{$accesses{$c->{disk} =~ s{.*/}{}r =~ s/,/:/r} // []};
		next if @all > $ACCESSES;
		push @other, map { "$c->{disk}, $_" }
			other_history($c, $block, @all),
			other_sizes($c, $block, @all);
		$sizes += @{$c->{sizes}};
	}
	for my $c (@{$json->{cache_of_all}}) {
		my @all = @{$accesses{all}};
		next if @all > $ACCESSES;
		push @other, map { "all, $_" } other_sizes($c, $block, @all);
		$sizes += @{$c->{sizes}};
	}
	push @other, 'no cache of all' if $all && !@{$json->{cache_of_all}};
	return unless $sizes;
	is(join("\n", @other[0 .. ($#other < 5 ? $#other : 5)]), '',
	   "$name, blocks of $block: $sizes caches");
}

# Text says what JSON does: a table of all disks comes last, if there are several.
sub test_all_disks
{
	my (@traces) = @_;
	my $one = run_command("btstat --cache $traces[0]", $TOP, $PROGRAMS);
	my $two = run_command("btstat --cache @traces", $TOP, $PROGRAMS);

	unlike($one->{out}, qr/^all disks:/m, 'one disk: no table of all');
	like($two->{out}, qr{^\S*/vda: .*^all disks: a cache of .*^\s+size}ms,
	     'several: a table of all, the last');
	unlike($two->{out} =~ s/.*^all disks: //msr, qr/^process/m,
	       '... without what processes touched');
}

# the rows of a cache that btstat's JSON has, as the table cache has them
sub exported
{
	my ($c) = @_;
	my @rows;

	for my $policy ('lru', 's3fifo') {
		my $prefix = $policy eq 'lru' ? '' : 's3fifo_';

		for my $size (@{$c->{sizes}}) {
			my @shares = map { $size->{"$prefix$_"} // '' }
				map { ("${_}_ppm", "${_}_error_ppm") }
				qw(reads writes saved);

			push @rows, join ',', ($c->{disk} // '') =~ s{.*/}{}r,
				$policy, $size->{bytes}, @$c{qw(block_bytes
				blocks_per_sample touched_bytes read_bytes
				written_bytes)}, @shares if grep { length }
				@shares;
		}
	}
	return @rows;
}

# btexport's table has btstat's numbers.
sub test_export
{
	my ($traces) = @_;
	my $json = decode_json(run_command("btstat --cache=s3fifo --format=json"
		. " $traces", $TOP, $PROGRAMS)->{out});
	my $fields = 'disk,policy,cache_bytes,block_bytes,blocks_per_sample,'
		. 'touched_bytes,read_bytes,written_bytes,reads_ppm,'
		. 'reads_error_ppm,writes_ppm,writes_error_ppm,saved_ppm,'
		. 'saved_error_ppm';

	is(run_command("btexport --table=cache --fields=$fields --no-header"
		. " $traces", $TOP, $PROGRAMS)->{out},
	   join('', map { "$_\n" } map { exported($_) } @{$json->{caches}},
		@{$json->{cache_of_all}}), "btexport --table=cache: $traces");
}

sub test_refused
{
	for my $try (['--cache=2q', 'is lru or s3fifo'],
		     ['--block=4K', 'is for --cache'],
		     ['--cache --block=3000', 'a power of two'],
		     ['--cache --block=2M', 'a power of two'],
		     ['--cache --format=csv', 'has its own tables'],
		     ['--cache --top=5', 'has its own tables'],
		     ['--cache --interval=1', 'has its own tables'],
		     ['--cache --marks', 'stands alone']) {
		my $got = run_command("btstat $try->[0] x", $TOP, $PROGRAMS);
		is($got->{rc}, 1, "btstat $try->[0]: refused");
		like($got->{err}, qr/\Q$try->[1]/, '... and why');
	}
}

my $where = unpack_traces($FindBin::Bin,
	$ENV{SHARED} || "$FindBin::Bin/../../shared", $TOP);
for my $name (grep { !/^derived/ } sort keys %$where) {
	my ($trace) = (glob("\Q$where->{$name}\E/*.bin"), $where->{$name});
	test_traces($name, "'$trace'", 4096);
	test_traces($name, "'$trace'", 65536) if $name =~ /mixed|ext4/;
}
my @two = map { $where->{$_} // die "no trace $_" } @SEVERAL;
test_traces('two directories', "@two", 4096, 1);
test_all_disks(@two);
test_export($_) for @two, "@two";
test_refused();
done_testing();
