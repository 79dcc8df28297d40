// Package stats holds the statistics of the reports: means with bootstrap intervals, quantiles, distribution curves, Dolan–Moré
// profiles, penalised times and paired tests. It knows nothing of schedules. A number that the data cannot support is NaN, never
// a stand-in; callers show it as missing. Bootstrap is its main type. Packages summary, compare and plots call it.
package stats

// MinSample is the smallest sample for which an interval or a paired test is given. With five pairs the smallest
// two-sided p-value of the sign and the signed-rank test is 2/2⁵ = 0.0625, so nothing below six can reach 0.05; a
// bootstrap of so few values mostly repeats them.
const MinSample = 6
