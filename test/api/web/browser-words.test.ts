import { browserInWords } from '../../../web/account/browser-words';

const like = 'AppleWebKit/537.36 (KHTML, like Gecko)';

it.each([
  ['Chrome, Linux', `Mozilla/5.0 (X11; Linux x86_64) ${like} Chrome/156.0.0.0 Safari/537.36`],
  [
    'Chrome, Android',
    `Mozilla/5.0 (Linux; Android 10; K) ${like} Chrome/156.0.0.0 Mobile Safari/537.36`,
  ],
  [
    'Chrome, ChromeOS',
    `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${like} Chrome/156.0.0.0 Safari/537.36`,
  ],
  [
    'Edge, Windows',
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${like} Chrome/156.0.0.0 Safari/537.36 Edg/156.0.0.0`,
  ],
  [
    'Safari, iPhone',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
  ],
  [
    'Chrome, iPhone',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/156.0 Mobile/15E148 Safari/604.1',
  ],
  [
    'Firefox, iPad',
    'Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) FxiOS/156.0 Mobile/15E148 Safari/605.1.15',
  ],
  [
    'Safari, Mac',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15',
  ],
  ['Firefox, Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0'],
  ['A program, by the API', 'affiliate-programme-client-python/1.2.3'],
  ['A program, curl', 'curl/8.5.0'],
  ['A program, node', 'node'],
  ['–', null],
])('a session is that of %s', (words, userAgent) => {
  expect(browserInWords(userAgent)).toBe(words);
});
