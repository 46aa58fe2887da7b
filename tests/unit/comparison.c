/* SPDX-License-Identifier: GPL-2.0-only */
/* What is printed of a comparison, as text, csv and json. */
#include <errno.h>

#include "base/buf.h"
#include "base/histogram.h"
#include "compare/outcome.h"
#include "compare/comparison.h"
#include "make.h"
#include "request/io.h"

static struct comparison *begin(unsigned int a, unsigned int b,
				const char *name)
{
	struct comparison_options o = {
		.compare = { .runs = { a, b }, .least = 0.05 },
		.phase = "Q2C", .name = { name, "nvme0n1" },
	};
	struct comparison *c;

	assert_int_equal(comparison_new(&c, &o), 0);
	return c;
}

/* an io that ends at a time in us, after as many, half of them at the device */
static void add(struct comparison *c, enum compare_side side, unsigned int run,
		enum io_op op, uint64_t bytes, uint64_t end, uint64_t total)
{
	struct io io = {
		.id = 1, .rq = 1, .op = op, .bytes = bytes,
		.time = end * 1000 + 1000000000 - total, .total = total,
		.issued = 0, .served = total / 2,
		.has = 1U << IO_Q2G | 1U << IO_D2C,
	};

	io.phase[IO_Q2G] = total - total / 2;
	io.phase[IO_D2C] = total / 2;
	assert_int_equal(comparison_io(c, side, run, &io, total), 0);
}

/* 100 reads a run, one each ms; B's take longer by that many percent */
static void add_runs(struct comparison *c, enum compare_side side,
		     unsigned int runs, unsigned int percent)
{
	for (unsigned int run = 0; run < runs; run++)
		for (unsigned int i = 0; i < 100; i++)
			add(c, side, run, IO_READ, 4096,
			    i * 1000 + run * i,
			    (100000 + run * 370 % 1000 + i * 100) *
			    percent / 100);
}

static char *end(struct comparison *c, struct buf *b)
{
	assert_int_equal(comparison_end(c), 0);
	assert_int_equal(buf_init(b, -1, 1 << 16), 0);
	return b->data;
}

static void check(struct buf *b, const char *want)
{
	char *got = buf_room(b, 1);

	assert_non_null(got);
	*got = 0;
	if (strcmp(b->data, want))
		fail_msg("got\n%s\nand not\n%s", b->data, want);
	b->len = 0;
}

/* the outcome, and what decides the last row of the first table */
static void check_outcome(struct comparison *c, bool page, const char *want,
			  const char *decides)
{
	const struct compare_result *r;
	struct comparison_options o;
	char text[OUTCOME_DECIDES_MAX];
	struct buf b;

	comparison_get(c, &o, &r);
	assert_int_equal(buf_init(&b, -1, 1 << 12), 0);
	outcome_sentence(&(struct outcome_words){ o.phase, page }, r, &b);
	check(&b, want);
	buf_free(&b);
	if (!r->tables)
		return;
	outcome_decides(&r->table[0], &r->table[0].row[r->table[0].rows - 1],
		       r->unit, text);
	assert_string_equal(text, decides);
}

static void test_runs(void **state)
{
	struct comparison *c = begin(4, 5, "sda");
	struct buf b;

	(void)state;
	add_runs(c, COMPARE_A, 4, 100);
	add_runs(c, COMPARE_B, 5, 150);
	end(c, &b);
	comparison_print(c, &b);
	check(&b,
"A  4 runs sda        1.01k/s  queue depth 0.05      workload: same within 1"
"%\n"
"B  5 runs nvme0n1    1.01k/s  queue depth 0.08      p covers all rows toget"
"her\n"
"Q2C read       A        B    change     95% interval   verdict\n"
"  mean     105us    158us    +50.0%    +49% ..  +51%   slower      p 0.008"
"\n"
"  IO/s     1.01k    1.01k     +0.0%   -0.3% .. +0.2%   same\n"
"  p50      105us    158us    +50.4%    +48% ..  +52%   slower      p 0.008"
"\n"
"  p90      109us    164us    +50.4%    +48% ..  +53%   slower      p 0.008"
"\n"
"  mean: detects 0.83% with these runs\n"
"mean per I/O   A        B    change\n"
"  Q2C          105us    158us   +52.7us\n"
"  Q2G         52.6us   79.0us   +26.3us\n"
"  D2C         52.6us   79.0us   +26.3us\n");
	assert_int_equal(comparison_gate(c), COMPARISON_SLOWER);
	comparison_csv(c, &b, true);
	check(&b,
"key,phase,row,a,b,change,low,high,verdict,p\n"
"read,q2c,mean,105255,157935,0.500499,0.492928,0.507551,slower,0.007937\n"
"read,q2c,IO/s,1008.588,1008.085,-0.000499,-0.002858,0.001658,same,1.000000"
"\n"
"read,q2c,p50,105215,158207,0.503654,0.478517,0.515448,slower,0.007937\n"
"read,q2c,p90,109311,164351,0.503517,0.478884,0.525253,slower,0.007937\n");
	comparison_json(c, &b);
	check(&b,
"{\"phase\":\"q2c\",\"units\":\"runs\",\"a\":{\"name\":\"sda\",\"runs\":4,"
"\"ios\":400,\"seconds\":0.396594004,\"rate\":1008.588,\"depth\":0.053079,"
"\"mean\":105255},\"b\":{\"name\":\"nvme0n1\",\"runs\":5,\"ios\":500,\"seco"
"nds\":0.495990005,\"rate\":1008.085,\"depth\":0.079606,\"mean\":157935},\""
"work\":{\"other\":0.000000,\"other_rate\":false,\"other_depth\":false,\"by"
"_work\":0,\"by_speed\":52680,\"phases\":[{\"phase\":\"q2g\",\"a\":52628,\""
"b\":78968},{\"phase\":\"d2c\",\"a\":52628,\"b\":78967}]},\"rows\":[{\"key"
"\":\"read\",\"phase\":\"q2c\",\"row\":\"mean\",\"a\":105255,\"b\":157935,"
"\"change\":0.500499,\"low\":0.492928,\"high\":0.507551,\"verdict\":\"slowe"
"r\",\"p\":0.007937},{\"key\":\"read\",\"phase\":\"q2c\",\"row\":\"IO/s\","
"\"a\":1008.588,\"b\":1008.085,\"change\":-0.000499,\"low\":-0.002858,\"hig"
"h\":0.001658,\"verdict\":\"same\",\"p\":1.000000},{\"key\":\"read\",\"phas"
"e\":\"q2c\",\"row\":\"p50\",\"a\":105215,\"b\":158207,\"change\":0.503654,"
"\"low\":0.478517,\"high\":0.515448,\"verdict\":\"slower\",\"p\":0.007937},"
"{\"key\":\"read\",\"phase\":\"q2c\",\"row\":\"p90\",\"a\":109311,\"b\":164"
"351,\"change\":0.503517,\"low\":0.478884,\"high\":0.525253,\"verdict\":\"s"
"lower\",\"p\":0.007937}],\"power\":[{\"key\":\"read\",\"units_a\":4,\"unit"
"s_b\":5,\"detects\":0.008311,\"aim\":0.050000,\"needs\":4}]}\n");
	check_outcome(c, true, "B is slower than A: Q2C read mean +50.0% "
		      "(105\u202f\u00b5s to 158\u202f\u00b5s)", "");
	buf_free(&b);
	comparison_free(c);
}

/* too few runs, other work, a long name that is no text */
static void test_few(void **state)
{
	struct comparison *c = begin(1, 2, "/dev/disk/by-id/\033\"quoted\"");
	struct buf b;

	(void)state;
	add_runs(c, COMPARE_A, 1, 100);
	add_runs(c, COMPARE_B, 2, 50);
	for (unsigned int i = 0; i < 100; i++)
		add(c, COMPARE_B, 0, IO_WRITE, 65536, i * 500, 3000000);
	end(c, &b);
	b.terminal = true;
	comparison_print(c, &b);
	check(&b,
"the workloads differ:\n"
"  33% of I/O differs in operation or size\n"
"  IO/s 1.01k in A, 1.51k in B\n"
"  queue depth 0.05 in A, 0.78 in B\n"
"  mean +930us: +974us from different I/O, -43.7us from different speed\n"
"A  1 run /dev/disk/by-id/\\x1b\"quoted\"\n"
"                     1.01k/s  queue depth 0.05\n"
"B  2 runs nvme0n1    1.51k/s  queue depth 0.78\n"
"no verdict: 4 runs per side are needed\n"
"Q2C            A        B    change\n"
"  mean     105us   1.04ms   +886.2%\n"
"  IO/s     1.01k    1.51k    +49.9%\n"
"  p50      105us   53.9us    -48.5%\n"
"  p90      109us   3.00ms  +2663.3%\n"
"  power unknown: use 4 or more runs per side\n"
"Q2C read       A        B    change\n"
"  mean     105us   52.6us    -49.9%\n"
"  IO/s     1.01k    1.01k     +0.0%\n"
"  p50      105us   52.6us    -49.8%\n"
"  p90      109us   54.7us    -49.8%\n"
"  power unknown: use 4 or more runs per side\n"
"mean per I/O   A        B    change\n"
"  Q2C          105us   1.04ms    +930us\n"
"  Q2G         52.5us    518us    +465us\n"
"  D2C         52.5us    518us    +465us\n");
	assert_int_equal(comparison_gate(c), COMPARISON_UNDECIDED);
	comparison_csv(c, &b, false);
	check(&b,
"all,q2c,mean,104950,1035045,8.862268,,,no verdict,\n"
"all,q2c,IO/s,1010.101,1514.394,0.499250,,,no verdict,\n"
"all,q2c,p50,104703,53887,-0.485335,,,no verdict,\n"
"all,q2c,p90,108799,3000000,26.633186,,,no verdict,\n"
"read,q2c,mean,104950,52568,-0.499119,,,no verdict,\n"
"read,q2c,IO/s,1010.101,1009.596,-0.000500,,,no verdict,\n"
"read,q2c,p50,104703,52607,-0.497560,,,no verdict,\n"
"read,q2c,p90,108799,54655,-0.497652,,,no verdict,\n");
	comparison_json(c, &b);
	check(&b,
"{\"phase\":\"q2c\",\"units\":null,\"a\":{\"name\":\"/dev/disk/by-id/\\u001"
"b\\\"quoted\\\"\",\"runs\":1,\"ios\":100,\"seconds\":0.099000001,\"rate\":"
"1010.101,\"depth\":0.053005,\"mean\":104950},\"b\":{\"name\":\"nvme0n1\","
"\"runs\":2,\"ios\":300,\"seconds\":0.198099002,\"rate\":1514.394,\"depth\""
":0.783733,\"mean\":1035045},\"work\":{\"other\":0.333333,\"other_rate\":tr"
"ue,\"other_depth\":true,\"by_work\":973747,\"by_speed\":-43652,\"phases\":"
"[{\"phase\":\"q2g\",\"a\":52475,\"b\":517523},{\"phase\":\"d2c\",\"a\":524"
"75,\"b\":517522}]},\"rows\":[{\"key\":\"all\",\"phase\":\"q2c\",\"row\":\""
"mean\",\"a\":104950,\"b\":1035045,\"change\":8.862268,\"low\":null,\"high"
"\":null,\"verdict\":\"no verdict\",\"p\":null},{\"key\":\"all\",\"phase\":"
"\"q2c\",\"row\":\"IO/s\",\"a\":1010.101,\"b\":1514.394,\"change\":0.499250"
",\"low\":null,\"high\":null,\"verdict\":\"no verdict\",\"p\":null},{\"key"
"\":\"all\",\"phase\":\"q2c\",\"row\":\"p50\",\"a\":104703,\"b\":53887,\"ch"
"ange\":-0.485335,\"low\":null,\"high\":null,\"verdict\":\"no verdict\",\"p"
"\":null},{\"key\":\"all\",\"phase\":\"q2c\",\"row\":\"p90\",\"a\":108799,"
"\"b\":3000000,\"change\":26.633186,\"low\":null,\"high\":null,\"verdict\":"
"\"no verdict\",\"p\":null},{\"key\":\"read\",\"phase\":\"q2c\",\"row\":\"m"
"ean\",\"a\":104950,\"b\":52568,\"change\":-0.499119,\"low\":null,\"high\":"
"null,\"verdict\":\"no verdict\",\"p\":null},{\"key\":\"read\",\"phase\":\""
"q2c\",\"row\":\"IO/s\",\"a\":1010.101,\"b\":1009.596,\"change\":-0.000500,"
"\"low\":null,\"high\":null,\"verdict\":\"no verdict\",\"p\":null},{\"key\""
":\"read\",\"phase\":\"q2c\",\"row\":\"p50\",\"a\":104703,\"b\":52607,\"cha"
"nge\":-0.497560,\"low\":null,\"high\":null,\"verdict\":\"no verdict\",\"p"
"\":null},{\"key\":\"read\",\"phase\":\"q2c\",\"row\":\"p90\",\"a\":108799,"
"\"b\":54655,\"change\":-0.497652,\"low\":null,\"high\":null,\"verdict\":\""
"no verdict\",\"p\":null}],\"power\":[{\"key\":\"all\",\"units_a\":1,\"unit"
"s_b\":2,\"detects\":null,\"aim\":null,\"needs\":null},{\"key\":\"read\",\""
"units_a\":1,\"units_b\":2,\"detects\":null,\"aim\":null,\"needs\":null}]}"
"\n");
	check_outcome(c, false, "No verdict: Q2C mean +886.2% (105us to 1.04ms), "
		      "but 4 runs per side are needed",
		      "4 or more runs per side");
	buf_free(&b);
	comparison_free(c);
}

/* one run each, which says so; one of its operations is too rare to tell */
static void test_slices(void **state)
{
	struct comparison *c = begin(1, 1, "sda");
	struct buf b;

	(void)state;
	for (unsigned int i = 0; i < 20000; i++) {
		unsigned int side = i % 2;
		uint64_t total = 50000 + i * 7919 % 10000 * 10;

		add(c, side, 0, i % 200 < 2 ? IO_WRITE : IO_READ, 4096,
		    i * 100, total * (20 + side) / 20);
	}
	end(c, &b);
	comparison_print(c, &b);
	check(&b,
"A  1 run sda         5.00k/s  queue depth 0.25      workload: same within 1"
"%\n"
"B  1 run nvme0n1     5.00k/s  queue depth 0.26      p covers all rows toget"
"her\n"
"one run per side: this compares two recordings, not two systems\n"
"  (use 4 or more runs per side for that)\n"
"Q2C            A        B    change     95% interval   verdict\n"
"  mean     100us    105us     +5.0%   +4.7% .. +5.4%   slower      p 0.001"
"\n"
"  IO/s     5.00k    5.00k     +0.0%   -0.1% .. +0.1%   same\n"
"  p50      100us    105us     +5.1%   +3.8% .. +5.9%   slower      p 0.001"
"\n"
"  p90      140us    147us     +5.1%   +4.3% .. +6.0%   slower      p 0.001"
"\n"
"  p99      149us    156us     +4.8%   +4.0% .. +5.6%   slower      p 0.001"
"\n"
"  p99.9    150us    157us     +4.8%   +4.0% .. +5.6%   slower      p 0.001"
"\n"
"  mean: detects 0.61% with these runs\n"
"Q2C read       A        B    change     95% interval   verdict\n"
"  mean     100us    105us     +5.0%   +4.7% .. +5.4%   slower      p 0.001"
"\n"
"  IO/s     4.95k    4.95k     +0.0%   -0.2% .. +0.2%   same\n"
"  p50      100us    105us     +5.1%   +3.8% .. +5.9%   slower      p 0.001"
"\n"
"  p90      140us    147us     +5.1%   +4.3% .. +6.0%   slower      p 0.001"
"\n"
"  p99      149us    156us     +4.8%   +4.0% .. +5.6%   slower      p 0.001"
"\n"
"  mean: detects 0.63% with these runs\n"
"Q2C write      A        B    change                    verdict\n"
"  no verdict: latency drifts within a run, or the run is too short\n"
"  mean    99.0us    105us     +6.3%                    no verdict\n"
"  IO/s      50.0     50.0     +0.0%                    no verdict\n"
"  p50     98.0us    104us     +6.3%                    no verdict\n"
"  p90      138us    146us     +5.9%                    no verdict\n"
"  power unknown: use 4 or more runs per side\n"
"mean per I/O   A        B    change\n"
"  Q2C          100us    105us   +5.01us\n"
"  Q2G         50.0us   52.5us   +2.51us\n"
"  D2C         50.0us   52.5us   +2.51us\n");
	check_outcome(c, false, "B is slower than A: Q2C mean +5.0% (100us to "
		      "105us)", "");
	buf_free(&b);
	comparison_free(c);
}

/* one run per side, in which a change of 1.25% is within chance */
static void test_longer(void **state)
{
	struct comparison *c = begin(1, 1, "sda");
	uint32_t random = 1;
	struct buf b;

	(void)state;
	for (unsigned int i = 0; i < 2000; i++) {
		unsigned int side = i % 2;

		random = random * 1664525 + 1013904223;
		add(c, side, 0, IO_READ, 4096, i * 1000, (50000 +
		    (uint64_t)(random >> 21) * (random >> 21) *
		    (random >> 21) / 50000) * (80 + side) / 80);
	}
	end(c, &b);
	check_outcome(c, false, "No difference shown: Q2C read mean +2.3% "
		      "(92.9us to 95.1us), 95% interval -2.1% .. +6.6%",
		      "runs about 3 times as long");
	buf_free(&b);
	comparison_free(c);
}

/* one run per side that gets slower all the time, and B's four times as slow */
static void test_separated(void **state)
{
	struct comparison *c = begin(1, 1, "sda");
	struct buf b;

	(void)state;
	for (unsigned int i = 0; i < 4000; i++)
		for (unsigned int side = 0; side < 2; side++)
			add(c, side, 0, IO_READ, 4096, i * 1000, (100000 +
			    i * 25 + i * 7919 % 1000) * (1 + 3 * side));
	end(c, &b);
	comparison_print(c, &b);
	check(&b,
"the workloads differ:\n"
"  operations and sizes: same within 1%\n"
"  queue depth 0.08 in A, 0.30 in B\n"
"  mean +451us: +0ns from different I/O, +451us from different speed\n"
"A  1 run sda         1.00k/s  queue depth 0.08\n"
"B  1 run nvme0n1     1.00k/s  queue depth 0.30      p covers all rows toget"
"her\n"
"one run per side: this compares two recordings, not two systems\n"
"  (use 4 or more runs per side for that)\n"
"Q2C read       A        B    change                    verdict\n"
"  no verdict: latency drifts within a run, or the run is too short\n"
"  separated: no slice of one run overlaps the other run's; no p value\n"
"  mean     150us    602us   +300.0%                    separated\n"
"  IO/s     1.00k    1.00k     +0.0%                    no verdict\n"
"  p50      150us    600us   +300.0%                    separated\n"
"  p90      191us    764us   +300.0%                    separated\n"
"  p99      199us    797us   +300.0%                    separated\n"
"  power unknown: use 4 or more runs per side\n"
"mean per I/O   A        B    change\n"
"  Q2C          150us    602us    +451us\n"
"  Q2G         75.2us    301us    +226us\n"
"  D2C         75.2us    301us    +226us\n");
	comparison_gate_print(c, &b);
	check(&b,
"gate: B is slower\n"
"  Q2C read: mean p50 p90 p99\n");
	assert_int_equal(comparison_gate(c), COMPARISON_SLOWER);
	check_outcome(c, false, "B is slower than A: Q2C read mean +300.0% (150us "
		      "to 602us)", "");
	buf_free(&b);
	comparison_free(c);
}

/* the same runs pass; runs that differ more than the sides do decide nothing */
static void test_gate(void **state)
{
	struct comparison *c = begin(4, 4, "sda");
	struct buf b;

	(void)state;
	add_runs(c, COMPARE_A, 4, 100);
	add_runs(c, COMPARE_B, 4, 100);
	end(c, &b);
	assert_int_equal(comparison_gate(c), COMPARISON_PASSED);
	comparison_gate_print(c, &b);
	check(&b,
"gate: B is the same or faster\n");
	check_outcome(c, false, "B is the same as A: Q2C read mean +0.0% (105us to "
		      "105us), 95% interval -0.5% .. +0.6%", "");
	buf_free(&b);
	comparison_free(c);
	c = begin(4, 4, "sda");
	add_runs(c, COMPARE_A, 4, 100);
	add_runs(c, COMPARE_B, 2, 80);
	for (unsigned int i = 0; i < 200; i++)
		add(c, COMPARE_B, 2 + i % 2, IO_READ, 4096, i / 2 * 1000,
		    120000 + i * 100);
	end(c, &b);
	assert_int_equal(comparison_gate(c), COMPARISON_UNDECIDED);
	comparison_gate_print(c, &b);
	check(&b,
"gate: undecided whether B is slower\n"
"  Q2C read: mean p50 p90\n");
	check_outcome(c, false, "No difference shown: Q2C read mean +1.7% (105us "
		      "to 107us), 95% interval -28% .. +35%",
		      "about 20 runs per side");
	buf_free(&b);
	comparison_free(c);
}

/* of what was saved, depth and phases are not known */
static void test_saved(void **state)
{
	struct comparison *c = begin(4, 4, "sda");
	struct histogram h = { 0 };
	struct buf b;

	(void)state;
	for (unsigned int i = 0; i < 100; i++)
		assert_int_equal(histogram_add(&h, 1000 + i * i), 0);
	for (unsigned int run = 0; run < 8; run++)
		assert_int_equal(comparison_histogram(c, run % 2, run / 2,
			IO_WRITE, 0, 1000000000, &h), 0);
	end(c, &b);
	comparison_print(c, &b);
	check(&b,
"A  4 runs sda          100/s  queue depth -         workload: same within 1"
"%\n"
"B  4 runs nvme0n1      100/s  queue depth -         p covers all rows toget"
"her\n"
"Q2C write      A        B    change     95% interval   verdict\n"
"  mean    4.28us   4.28us     +0.0%   +0.0% .. +0.0%   same\n"
"  IO/s       100      100     +0.0%   +0.0% .. +0.0%   same\n"
"  p50     3.40us   3.40us     +0.0%   -0.8% .. +0.8%   same\n"
"  p90     8.93us   8.93us     +0.0%   -0.8% .. +0.8%   same\n"
"  mean: detects <0.1% with these runs\n");
	buf_free(&b);
	histogram_free(&h);
	comparison_free(c);
}

static void test_nothing(void **state)
{
	struct comparison_options o = { .compare = { .runs = { 0, 1 } } };
	struct comparison *c;
	struct buf b;

	(void)state;
	assert_int_equal(comparison_new(&c, &o), -EINVAL);
	c = begin(1, 1, "sda");
	add(c, COMPARE_A, 0, IO_READ, 512, 1, 1000);
	end(c, &b);
	comparison_print(c, &b);
	check(&b,
"the workloads differ:\n"
"  50% of I/O differs in operation or size\n"
"  IO/s 1.00G in A, 0 in B\n"
"  queue depth 500.00 in A, - in B\n"
"  mean -1.00us: -1.00us from different I/O, +0ns from different speed\n"
"A  1 run sda         1.00G/s  queue depth 500.00\n"
"B  1 run nvme0n1         0/s  queue depth -         p covers all rows toget"
"her\n"
"one run per side: this compares two recordings, not two systems\n"
"  (use 4 or more runs per side for that)\n"
"no operation occurs on both sides\n");
	comparison_csv(c, &b, true);
	check(&b,
"key,phase,row,a,b,change,low,high,verdict,p\n");
	check_outcome(c, false, "No verdict: no operation occurs on both sides",
		      "");
	buf_free(&b);
	comparison_free(c);
	comparison_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_runs),
		cmocka_unit_test(test_few),
		cmocka_unit_test(test_slices),
		cmocka_unit_test(test_longer),
		cmocka_unit_test(test_separated),
		cmocka_unit_test(test_gate),
		cmocka_unit_test(test_saved),
		cmocka_unit_test(test_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
