#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# iowatcher -m: what its movies show and when, how large they become, and how a
# browser and ffmpeg play them.
#
#	BIN=DIR prove tests/movie.t
#
# What needs chromium and chromedriver, or ffmpeg, is skipped without them; with
# MOVIES_MUST=1 that is a failure.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Cwd 'abs_path';
use File::Temp 'tempdir';
use List::Util qw(max min);
use Suite::Browser qw(browser_found browser_start);
use Suite::Files qw(slurp spew unpack_set);
use Suite::Made qw(made_ios made_queue);
use Suite::Png qw(png_read pixel);
use Suite::Run qw(find_programs run_command);
use Test::More;

my $HERE = $FindBin::Bin;
my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my $TOP = tempdir('movie.XXXXXX', TMPDIR => 1, CLEANUP => 1);

my ($READS, $WRITES, $OTHERS, $EMPTY) =
	('#0b6fb8', '#d4570a', '#6b7785', '#ffffff');
# the map: where it is, how large, and how many cells it has
my ($LEFT, $TOP_PX, $WIDE, $HIGH, $CELL) = (408, 48, 528, 456, 4);
my ($COLUMNS, $ROWS) = ($WIDE / $CELL, $HIGH / $CELL);
my ($FRAMES, $SECONDS, $FADE) = (600, 30, 0.6);

sub run
{
	my ($command) = @_;
	return run_command($command, $TOP, $PROGRAMS);
}

sub installed
{
	my ($program) = @_;
	return grep { -x "$_/$program" } split /:/, $ENV{PATH};
}

# whether something that is not everywhere is here
sub needed
{
	my ($what, $is_here) = @_;

	die "$what is not installed\n" if !$is_here && $ENV{MOVIES_MUST};
	return $is_here;
}

# the text of a movie
sub movie
{
	my ($options, %want) = @_;
	my $got = run("iowatcher $options -o out.svg");

	is($got->{rc}, $want{rc} // 0, "iowatcher $options");
	like($got->{err}, $want{err} // qr/\A\z/, '... and what it says');
SKIP: {
		skip 'xmllint is not installed', 1 unless installed('xmllint');
		is(`xmllint --noout --huge '$TOP/out.svg' 2>&1`, '',
		   '... well-formed');
	}
	return slurp("$TOP/out.svg");
}

# the groups of paths: { color, width, paths => [{ at, d }] }
sub flashes
{
	my ($svg) = @_;
	my @groups;

	while ($svg =~ m{<g\ fill="none"\ stroke="(\#\w+)"\ stroke-width="(\d+)">
			 (.*?)</g>}gsx) {
		my ($color, $width, $inside) = ($1, $2, $3);
		my @paths = map { { d => $_->[0], at => $_->[1] } }
			map { [/d="([^"]*)".*begin="l\.begin\+([\d.]+)s"/] }
			split /\n/, $inside;
		push @groups, { color => $color, width => $width,
				paths => [grep { defined $_->{at} } @paths] };
	}
	return @groups;
}

sub has_text
{
	my ($svg, $text) = @_;
	return $svg =~ m{>\Q$text\E</text>};
}

# --- each I/O is in one cell, at its time ------------------------------------

# all over 1 GiB and 10 s; no two of them near each other
my $GIB = 2 ** 21;
my @IOS = map { { time => $_ / 20, sector => 8 * int($_ * 73 % 200 / 200 *
							($GIB - 8) / 8),
		  op => $_ % 3 ? 'R' : 'W' } } 0 .. 199;
spew("$TOP/cells.dump", made_ios(@IOS));
my $end = 199 / 20 + 0.001 + 1e-9;
my $last = max(map { $_->{sector} + 8 } @IOS);

# where the middle of a cell is
sub cell_of
{
	my ($io) = @_;
	my $cell = int(($io->{sector} + 4) / $last * $COLUMNS * $ROWS);

	return ($cell % $COLUMNS, int($cell / $COLUMNS));
}

sub near
{
	my ($one, $other) = @_;
	return abs($one - $other) <= 1;
}

my @groups = flashes(movie('-t cells.dump -mrect'));
is(join(' ', map { "$_->{color} $_->{width}" } @groups),
   "$WRITES 4 $READS 4", 'writes below reads, in cells of 4 px');
my ($wrong, $found) = (0, 0);
my %at = map { my $color = $_->{color};
	       map { ("$color $_->{at}" => $_->{d}) } @{$_->{paths}} } @groups;

for my $io (@IOS) {
	my $frame = int($io->{time} / $end * $FRAMES);
	my $color = $io->{op} eq 'R' ? $READS : $WRITES;
	my ($column, $row) = cell_of($io);
	# a frame begins and ends within a column of time
	my ($d) = grep { defined } map {
		$at{sprintf '%s %.2f', $color, ($frame + $_) / 20}
	} 0, -1, 1;

	$found++ if defined $d;
	my ($x, $y) = ($d // '') =~ /\AM([\d.]+) ([\d.]+)h4\z/;
	$wrong++ unless defined $x && near(($x - $LEFT) / 4, $column) &&
		near(($y - $TOP_PX - 2) / 4, $row);
}
is($found, 200, 'each I/O lights up at its time');
is($wrong, 0, '... in the cell where it is, and nowhere else');
is(scalar(keys %at), 200, '... and nothing else does');

my $disc = movie('-t cells.dump -mspindle');
is(scalar(map { @{$_->{paths}} } flashes($disc)), 200, 'as many on a disc');
like($disc, qr/type="rotate"/, '... which turns');

# --- what is around ----------------------------------------------------------

my $plain = movie('-t cells.dump -m -T "a <title>"');
ok(has_text($plain, $_), "it says $_")
	for 'a &lt;title&gt;', 'Reads', 'Writes', '0 s', '9.951 s',
	'Throughput', 'IOPs', 'Queue Depth';
ok(!has_text($plain, 'Others'), '... but no colour that is not there');
is(() = $plain =~ /type="translate"/g, 3, 'a line moves in each graph');
is(() = $plain =~ /begin="0s;l\.end"/g, 1, 'it begins again and again');
unlike($plain, qr/<(?:script|style|image|filter|foreignObject)\b|href/,
       'no script, and nothing from elsewhere');
is(movie('-t cells.dump -m -T "a <title>"'), $plain,
   'the same trace, the same bytes');

spew("$TOP/title", "]]><x a='\"&\x01\xff\xed\xa0\x80");
movie('-t cells.dump -m -T "$(cat title)"');

spew("$TOP/devices.dump", made_ios(
	map { ({ time => $_, sector => 2048 * $_, op => 'W', device => 8 },
	       { time => $_, sector => 2048 * $_, op => 'R', device => 9 },
	       { time => $_, sector => 2048 * $_, op => 'D', device => 10 })
	} 0 .. 9));
my $three = movie('-t devices.dump -mrect');
like($three, qr/; devices one after the other</, 'three devices are told');
is(join(' ', map { "$_->{color} " . @{$_->{paths}} } flashes($three)),
   "$OTHERS 10 $WRITES 10 $READS 10", '... and all are there');
my %rows = map { my $d = $_->{paths}[0]{d};
		 $_->{color} => $d =~ /M\S+ ([\d.]+)/ } flashes($three);
ok($rows{$WRITES} < $rows{$READS} && $rows{$READS} < $rows{$OTHERS},
   '... each behind the one before');

my @late = flashes(movie('-t cells.dump -mrect -x 5:'));
cmp_ok(scalar(map { @{$_->{paths}} } @late), '==', 100, '-x: a part of them');
cmp_ok(min(map { $_->{at} } map { @{$_->{paths}} } @late), '<', 0.1,
       '... from the begin on');

mkdir "$TOP/lossy" or die "mkdir: $!\n";
unpack_set("$HERE/data/derived-skips", "$TOP/lossy");
like(movie('-t lossy -m', err => qr/records lost$/m),
     qr/>\d+ records lost</, 'what is missing is told');

# --- how it is asked for -----------------------------------------------------

is(run("iowatcher -t cells.dump $_ -o way.svg")->{rc}, 0, $_)
	for '--m', '--movie=rect', '--cod=mpeg4 -m', '--k -m';
like(run('iowatcher -t cells.dump --co=x -m')->{err}, qr/ambiguous/,
     '--co is not clear');
like(run('iowatcher -t cells.dump -m rect')->{err},
     qr/Extra arguments 'rect'/, 'a style follows at once');
is(run('iowatcher -t cells.dump -m --json=x.json')->{rc}, 0, '-m and --json');
ok(-s "$TOP/trace.svg" && -s "$TOP/x.json", '... both are written');
spew("$TOP/bw.log", "0, 5, 0, 4096\n");
like(run('iowatcher -F bw.log -m -o no.svg')->{err},
     qr/nothing to draw/, 'a log has no movie');
ok(!-e "$TOP/no.svg", '... and none is made');
is((stat "$TOP/way.svg")[2] & 07777, 0600, 'a new file is its owner\'s');

# --- how large it becomes ----------------------------------------------------

my ($seed, @many) = (1);
for my $n (0 .. 299999) {
	$seed = ($seed * 1103515245 + 12345) % 2147483648;
	push @many, { time => $n / 1000, op => $seed & 1024 ? 'R' : 'W',
		      sector => 8 * (($seed >> 11) + ($n % 95 << 15)) };
}
spew("$TOP/many.dump", made_queue(@many));
@many = ();
for my $style (qw(rect spindle)) {
	my $svg = movie("-t many.dump -m$style");
	my @all = flashes($svg);
	my $lines = 0;

	$lines += () = $_->{d} =~ /M/g for map { @{$_->{paths}} } @all;
	cmp_ok($all[0]{width}, '>', 4, "300,000 I/Os, $style: larger cells");
	cmp_ok($lines, '<=', 250000, '... so that there are not too many');
	cmp_ok($lines, '>', 20000, '... and not too few');
	cmp_ok(length $svg, '<', 1e7, '... nor is it too large');
	is(scalar(map { @{$_->{paths}} } @all), 2 * $FRAMES,
	   '... in all frames');
}

# --- in a browser ------------------------------------------------------------

# a pixel at a time of the movie
sub shown
{
	my ($browser, $time, $x, $y) = @_;

	$browser->js('document.documentElement.pauseAnimations();'
		     . 'document.documentElement.setCurrentTime(arguments[0])',
		     $time);
	return pixel(png_read($browser->picture()), $x, $y);
}

# where a path begins, and a px further
sub place_of
{
	my ($path) = @_;
	my ($x, $y) = $path->{d} =~ /M([\d.]+) ([\d.]+)/;
	return (int($x) + 1, int $y);
}

sub play
{
	my ($style, $path, $color) = @_;
	my $browser = browser_start();
	my ($x, $y) = place_of($path);

	$browser->resize(960, 540);
	$browser->post('url', { url => "file://$TOP/play-$style.svg" });
	is(shown($browser, $path->{at} - 0.02, $x, $y), $EMPTY,
	   "$style: nothing before");
	is(shown($browser, $path->{at} + 0.001, $x, $y), $color,
	   '... it lights up');
	isnt(shown($browser, $path->{at} + 0.5, $x, $y), $color, '... fades');
	is(shown($browser, $path->{at} + $FADE + 0.01, $x, $y), $EMPTY,
	   '... and is gone');
	is(shown($browser, $SECONDS + $path->{at} + 0.001, $x, $y), $color,
	   '... until the next round');
	is(join('', $browser->complaints(), $browser->requests()), '',
	   'nothing is complained of, or asked for');
}

SKIP: {
	skip 'no chromium and chromedriver', 12
		unless needed('a browser', browser_found());
	for my $style (qw(rect spindle)) {
		run("iowatcher -t cells.dump -m$style -o play-$style.svg");
		my ($group) = grep { $_->{color} eq $READS }
			flashes(slurp("$TOP/play-$style.svg"));
		play($style, $group->{paths}[60], $READS);
	}
}

# --- as video ----------------------------------------------------------------

# how far apart two colours are, in the channel where they are most
sub distance
{
	my ($one, $other) = map { [map { hex } /(\w\w)/g] } @_;
	return max(map { abs $one->[$_] - $other->[$_] } 0 .. 2);
}

# what there is in what a command writes
sub probed
{
	my ($command) = @_;
	my $got = run("$command | ffprobe -v error -i - -count_frames"
		      . ' -show_entries'
		      . ' stream=width,height,r_frame_rate,nb_read_frames'
		      . ' -of csv=p=0');
	return $got->{out} =~ s/\s+\z//r . $got->{err};
}

SKIP: {
	skip 'no ffmpeg', 10 unless needed('ffmpeg', installed('ffprobe'));
	my $name = '-$(touch gone) x.avi';
	my $got = run("iowatcher -t cells.dump -mrect -C mpeg4 -o '$name'");

	is($got->{rc}, 0, 'ffmpeg makes a video') or diag($got->{err});
	is($got->{err}, '', '... in silence');
	ok(!-e "$TOP/gone" && -s "$TOP/$name", '... of just that name');
	like(probed("cat ./'$name'"), qr{^960,540,20/1,600}, '... with all frames');
	unlink "$TOP/$name";
	like(probed('iowatcher -t cells.dump -mrect -o -'),
	     qr{^960,540,20/1,600}, 'the stream itself has as many');
	my ($group) = grep { $_->{color} eq $READS }
		flashes(movie('-t cells.dump -mrect'));
	my $path = $group->{paths}[60];
	my ($x, $y) = place_of($path);

	run('iowatcher -t cells.dump -mrect -o - | ffmpeg -v error -i -'
	    . " -vf 'select=eq(n\\,@{[int($path->{at} * 20 + 0.5)]})'"
	    . ' -frames:v 1 frame.png');
	my $png = png_read(slurp("$TOP/frame.png"));
	cmp_ok(distance(pixel($png, $x + 1, $y), $READS), '<', 8,
	       'what lights up in the SVG does so in the video');
	cmp_ok(distance(pixel($png, $x + 1, $y + 12), $EMPTY), '<', 8,
	       '... and what does not is dark');
}

done_testing();
