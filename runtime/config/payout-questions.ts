import { dayMs, durationToMs } from '../../entities/rules/values/duration';

/** Questions after 1, 2, 5, 15, 30 and 60 minutes, hourly for three days, every six hours to day 35, then daily. */
export function usualQuestions(): number[] {
  const [minute, hour] = [durationToMs('1m'), durationToMs('1h')];
  const first = [1, 1, 3, 10, 15, 30].map((minutes) => minutes * minute);
  const hourly = Array.from({ length: 71 }, () => hour);
  const sixHourly = Array.from({ length: 128 }, () => 6 * hour);
  return [...first, ...hourly, ...sixHourly, dayMs];
}
