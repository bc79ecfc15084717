import { durationToMs } from '../../../entities/rules/values/duration';

it.each([
  ['250ms', 250],
  ['3s', 3_000],
  ['5m', 300_000],
  ['2h', 7_200_000],
  ['2d', 172_800_000],
  ['0s', 0],
  ['5', Number.NaN],
  ['m', Number.NaN],
  ['5 m', Number.NaN],
  ['5w', Number.NaN],
  ['-5m', Number.NaN],
  ['1234567890s', Number.NaN],
  ['', Number.NaN],
])('%p is %p milliseconds', (text, expected) => {
  expect(durationToMs(text)).toBe(expected);
});
