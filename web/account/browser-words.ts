import { text } from '../text/en';

type Signs = readonly (readonly [sign: string, words: string])[];

/** The browsers by the sign in their user agent; those that call themselves by others' names too come first. */
const browsers: Signs = [
  ['Edg', 'Edge'],
  ['OPR', 'Opera'],
  ['SamsungBrowser', 'Samsung Internet'],
  ['Firefox', 'Firefox'],
  ['FxiOS', 'Firefox'],
  ['CriOS', 'Chrome'],
  ['Chrome', 'Chrome'],
  ['Safari', 'Safari'],
];

/** The systems: Android calls itself Linux, too, and a telephone of Apple says that it is like a Mac. */
const systems: Signs = [
  ['Windows', 'Windows'],
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Mac OS X', 'Mac'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
];

/** The browser in words, such as `Chrome, Linux`; what is no browser goes by the name that it gives itself. */
export function browserInWords(userAgent: string | null): string {
  if (userAgent === null) return text.nothing;
  const wordsIn = (signs: Signs): string | undefined =>
    signs.find(([sign]) => userAgent.includes(sign))?.[1];
  if (userAgent.startsWith('affiliate-programme-client')) return text.personal.byApi;
  const browser = wordsIn(browsers);
  if (browser === undefined) return text.personal.byProgram(nameOf(userAgent));
  return [browser, wordsIn(systems)].filter(Boolean).join(', ');
}

/** The name that a program gives itself, such as `curl` of `curl/8.5.0`. */
const nameOf = (userAgent: string): string => userAgent.split(/[/\s]/, 1)[0] || userAgent;
