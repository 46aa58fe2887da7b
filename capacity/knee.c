/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds knees; see knee.h. */
#include <math.h>
#include <stdbool.h>

#include "base/time.h"
#include "capacity/knee.h"

/* Student's, 7 degrees of freedom, 5% outside */
#define T_7 2.365
/* likelihoods differ by less where they should not, by rounding */
#define SAME 1e-6
/* twice this is exceeded by 5% of chi squared, with one degree of freedom */
#define LIKELY_LOSS 1.92
/* what the method itself may be wrong by, as a share */
#define METHOD 0.03
/* how far levels must reach, from the least to the most */
#define REACH 1.25
/* share of completions in levels that do not count as reached */
#define TAIL 0.005
enum { LEAST_DONE = 100 };

/* all groups together */
struct totals {
	double time[SERVERS_STARTS][SERVERS_KS];
	double done[SERVERS_STARTS];
};

/* what is known of a device, without a group, or all if that is -1 */
struct view {
	const struct servers *servers;
	const struct totals *all;
	const struct knee_row *rows;
	unsigned int count;
	int without;
};

static double sum_of(const double numbers[LEVELS_GROUPS], int without)
{
	double sum = 0;

	for (int i = 0; i < LEVELS_GROUPS; i++)
		sum += i == without ? 0 : numbers[i];
	return sum;
}

static double time_of(const struct view *v, unsigned int row)
{
	return sum_of(v->rows[row].time, v->without);
}

static double done_of(const struct view *v, unsigned int row)
{
	return sum_of(v->rows[row].done, v->without);
}

/* --- fit ------------------------------------------------------------------ */

struct fit {
	double level, slope;
};

static void add_up(struct totals *all, const struct servers *s)
{
	*all = (struct totals){ .done = { 0 } };
	for (int g = 0; g < SERVERS_GROUPS; g++)
		for (int i = 0; i < SERVERS_STARTS; i++) {
			all->done[i] += s->done[g][i];
			for (int k = 0; k < SERVERS_KS; k++)
				all->time[i][k] += s->time[g][i][k];
		}
}

/* what is left of a sum without a part; nothing, but for rounding, is 0 */
static double left_of(double sum, double part)
{
	return sum - part > sum * 1e-9 ? sum - part : 0;
}

/* server time and completions of slices that begin at a class of levels */
static double server_time(const struct view *v, int start, int k)
{
	return v->without < 0 ? v->all->time[start][k] :
	       left_of(v->all->time[start][k],
		       v->servers->time[v->without][start][k]);
}

static double served(const struct view *v, int start)
{
	return v->without < 0 ? v->all->done[start] :
	       left_of(v->all->done[start],
		       v->servers->done[v->without][start]);
}

/* completions per ns of k servers */
static double rate_of(const struct view *v, int k)
{
	double done = 0, time = 0;

	for (int i = 0; i < SERVERS_STARTS; i++) {
		done += served(v, i);
		time += server_time(v, i, k);
	}
	return time > 0 ? done / time : 0;
}

/* the logarithm of the likelihood of k, up to a constant */
static double likelihood(const struct view *v, int k)
{
	double logs = 0, rate = rate_of(v, k);

	for (int i = 0; i < SERVERS_STARTS; i++) {
		double done = served(v, i), time;

		if (done <= 0)
			continue;
		time = server_time(v, i, k);
		logs += time > 0 ? done * log(rate * time) : 0;
	}
	return logs;
}

/* the summit of the parabola through the most likely number and those beside it */
static double summit(double before, double at, double after)
{
	double curve = before - 2 * at + after;

	return curve < 0 ? (before - after) / (2 * curve) : 0;
}

/* The most likely knee, the least if several are. */
static struct fit fit(const struct view *v)
{
	double best = likelihood(v, 0), number, share, slope;
	int at = 0, low;

	for (int k = 1; k < SERVERS_KS; k++) {
		double is = likelihood(v, k);

		if (is > best + SAME) {
			best = is;
			at = k;
		}
	}
	number = at;
	if (at && at < SERVERS_KS - 1)
		number += summit(likelihood(v, at - 1), best,
				 likelihood(v, at + 1));
	low = (int)number;
	share = number - low;
	slope = (1 - share) * rate_of(v, low);
	if (share > 0)
		slope += share * rate_of(v, low + 1);
	return (struct fit){ servers_of(number), slope * NS_PER_SECOND };
}

const char *knee_state_name(enum knee_state state)
{
	static const char *const names[] = {
		[KNEE_NONE] = "too_few", [KNEE_FOUND] = "found",
		[KNEE_ABOVE] = "above", [KNEE_BELOW] = "below",
		[KNEE_NO_RANGE] = "no_range", [KNEE_DOUBTFUL] = "doubtful",
	};

	return names[state];
}

double knee_rate(const struct knee *k, double level, int group)
{
	double slope = group < 0 ? k->slope : k->slopes[group];
	double knee = group < 0 ? k->level.is : k->levels[group];

	return slope * fmin(level, knee);
}

/* --- ranges --------------------------------------------------------------- */

/* of logarithms, as none is below 0 */
struct knee_range knee_range_of(double is, const double without[LEVELS_GROUPS],
				double share)
{
	double mean = 0, squares = 0, off;

	for (int i = 0; i < LEVELS_GROUPS; i++)
		if (!(without[i] > 0))
			return (struct knee_range){ is, 0, INFINITY };
	for (int i = 0; i < LEVELS_GROUPS; i++)
		mean += log(without[i]) / LEVELS_GROUPS;
	for (int i = 0; i < LEVELS_GROUPS; i++)
		squares += pow(log(without[i]) - mean, 2);
	squares *= (LEVELS_GROUPS - 1.0) / LEVELS_GROUPS;
	off = sqrt(T_7 * T_7 * squares + share * share);
	return (struct knee_range){ is, is * exp(-off), is * exp(off) };
}

/* the level that this share of completions is below */
static double quantile(const struct view *v, double share)
{
	double all = 0, sum = 0;

	for (unsigned int i = 0; i < v->count; i++)
		all += done_of(v, i);
	for (unsigned int i = 0; i < v->count; i++) {
		sum += done_of(v, i);
		if (sum >= share * all)
			return v->rows[i].level;
	}
	return v->rows[v->count - 1].level;
}

/* Completions of all slices that begin at a class of levels. */
static void measure_misfit(struct knee *k, const struct view *v)
{
	double low = floor(SERVERS_PARTS * log2(k->level.is)), off = 0, all = 0;
	double share = SERVERS_PARTS * log2(k->level.is) - low;
	int at = (int)low;

	for (int i = 0; i < SERVERS_STARTS; i++) {
		double time = (1 - share) * server_time(v, i, at);

		if (share > 0)
			time += share * server_time(v, i, at + 1);
		off += fabs(served(v, i) - time * k->slope / NS_PER_SECOND);
		all += served(v, i);
	}
	k->misfit = off / all;
}

/* --- what is known -------------------------------------------------------- */

/* How many times more completions vary than at random, by which a likelihood is
 * worth less. */
static double dispersion(const struct view *v, int k)
{
	double sum = 0, rate = rate_of(v, k);
	int count = 0;

	for (int i = 0; i < SERVERS_STARTS; i++)
		for (int g = 0; g < SERVERS_GROUPS; g++) {
			double want = rate * v->servers->time[g][i][k];

			if (want < 1)
				continue;
			sum += pow(v->servers->done[g][i] - want, 2) / want;
			count++;
		}
	return count > 2 ? sum / (count - 2) : 1;
}

/* The range of all numbers that are nearly as likely, of the whole trace. */
static struct knee_range likely(const struct view *v, double level)
{
	int at = (int)lround(SERVERS_PARTS * log2(level)), low = at, high = at;
	double least = likelihood(v, at) -
		       LIKELY_LOSS * fmax(1, dispersion(v, at));

	while (low > 0 && likelihood(v, low - 1) >= least)
		low--;
	while (high < SERVERS_KS - 1 && likelihood(v, high + 1) >= least)
		high++;
	return (struct knee_range){
		level, low < at ? servers_of(low) : level,
		high > at ? servers_of(high) : level,
	};
}

/* Widens the ranges by what they are without a group. */
static void leave_out(struct knee *k, struct view v)
{
	double rates[LEVELS_GROUPS];
	struct knee_range level;

	for (v.without = 0; v.without < LEVELS_GROUPS; v.without++) {
		struct fit f = fit(&v);

		k->slopes[v.without] = f.slope;
		k->levels[v.without] = f.level;
		rates[v.without] = f.slope * f.level;
	}
	level = knee_range_of(k->level.is, k->levels, METHOD);
	k->level.low = fmax(1, fmin(k->level.low, level.low));
	k->level.high = fmax(k->level.high, level.high);
	k->rate = knee_range_of(k->slope * k->level.is, rates, METHOD);
}

static enum knee_state state_of(const struct knee *k)
{
	/* of those who wait for a request only one may be there: its process
	 * submits no more, so levels do not have to go far */
	bool above = k->level.high > k->most;
	bool below = k->least > 1 && k->level.low < k->least;

	if (k->most < REACH * k->least || (above && below))
		return KNEE_NO_RANGE;
	return above ? KNEE_ABOVE : below ? KNEE_BELOW : KNEE_FOUND;
}

/* The rate of the highest levels that together have a tenth of all completions. */
static void take_least(struct knee *k, const struct view *v)
{
	double done = 0, time = 0, all = 0;
	unsigned int i = v->count;

	for (unsigned int row = 0; row < v->count; row++)
		all += done_of(v, row);
	while (i && done < fmax(all / 10, LEAST_DONE)) {
		i--;
		done += done_of(v, i);
		time += time_of(v, i);
	}
	k->rate = (struct knee_range){ done / time, done / time, INFINITY };
	k->level.is = k->level.high = INFINITY;
}

/* whether there is enough to say anything */
static bool is_enough(const struct view *v)
{
	double all = 0;

	for (int g = 0; g < LEVELS_GROUPS; g++) {
		double done = 0;

		for (unsigned int i = 0; i < v->count; i++)
			done += v->rows[i].done[g];
		if (done <= 0)
			return false;
		all += done;
	}
	return all >= LEAST_DONE;
}

void knee_find(struct knee *k, const struct servers *servers,
	       const struct knee_row *rows, unsigned int count)
{
	struct totals all;
	struct view v = { servers, &all, rows, count, -1 };
	struct knee_range near;
	struct fit f;

	*k = (struct knee){ .state = KNEE_NONE };
	if (!is_enough(&v))
		return;
	add_up(&all, servers);
	f = fit(&v);
	k->level = near = likely(&v, f.level);
	k->slope = f.slope;
	k->least = quantile(&v, TAIL);
	k->most = quantile(&v, 1 - TAIL);
	measure_misfit(k, &v);
	k->state = state_of(k);
	leave_out(k, v);
	if (k->state == KNEE_FOUND)
		k->state = state_of(k);
	if (k->state == KNEE_BELOW)
		k->level = (struct knee_range){ near.is, 1, near.high };
	if (k->state == KNEE_ABOVE || k->state == KNEE_NO_RANGE)
		take_least(k, &v);
}

void knee_of(struct knee *k, const struct levels *l)
{
	struct knee_row rows[LEVELS_ROWS];
	unsigned int count = 0;

	for (unsigned int i = 1; i < LEVELS_ROWS; i++) {
		const struct level *level = levels_at(l, i);
		struct knee_row *row = &rows[count];

		if (!level || !level_sum(level->time))
			continue;
		row->level = level_mean(level, i);
		for (int g = 0; g < LEVELS_GROUPS; g++) {
			row->time[g] = (double)level->time[g] / NS_PER_SECOND;
			row->done[g] = (double)level->done[g];
		}
		count++;
	}
	knee_find(k, levels_servers(l), rows, count);
}
