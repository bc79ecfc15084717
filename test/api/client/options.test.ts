import { AffiliateClient } from '../../../packages/client/src';

const baseUrl = 'https://api.example.com';
const apiKey = 'sk_test_x';
const create = (options: object | undefined) => () =>
  new AffiliateClient(options as { baseUrl: string });

it.each<[string, object | undefined, RegExp]>([
  ['no options', undefined, /wants its options/],
  ['no baseUrl', { apiKey }, /baseUrl wants the address.*not undefined/],
  ['a baseUrl without its scheme', { apiKey, baseUrl: 'api.example.com' }, /baseUrl wants/],
  ['another scheme', { apiKey, baseUrl: 'ftp://api.example.com' }, /baseUrl wants/],
  ['a baseUrl with a password', { apiKey, baseUrl: 'https://a:b@example.com' }, /password/],
  ['a baseUrl with a query', { apiKey, baseUrl: `${baseUrl}?a=1` }, /query/],
  ['a baseUrl that is none', { apiKey, baseUrl: 'https://' }, /baseUrl wants/],
  ['a key that is not set', { apiKey: undefined, baseUrl }, /apiKey is undefined.*environment/],
  ['a token that is not set', { accessToken: undefined, baseUrl }, /accessToken is undefined/],
  ['a key that is none', { apiKey: 'secret', baseUrl }, /apiKey wants a key/],
  ['a key with a line break', { apiKey: `${apiKey}\n`, baseUrl }, /white space/],
  ['a key beyond Latin-1', { apiKey: `${apiKey}ß€`, baseUrl }, /apiKey wants a key/],
  ['a token with white space', { accessToken: 'a b', baseUrl }, /accessToken has white space/],
  ['no mode that there is', { apiKey, baseUrl, mode: 'prod' }, /mode is 'test' or 'live'/],
  ["another mode than the key's", { apiKey, baseUrl, mode: 'live' }, /apiKey is of test mode/],
  ['a timeout of nothing', { apiKey, baseUrl, timeoutMs: Number.NaN }, /timeoutMs wants/],
  ['a deadline of 0', { apiKey, baseUrl, deadlineMs: 0 }, /deadlineMs wants/],
  ['less than no tries', { apiKey, baseUrl, maxRetries: -1 }, /maxRetries wants/],
])('refuses %s with a sentence', (_, options, sentence) => {
  expect(create(options)).toThrow(TypeError);
  expect(create(options)).toThrow(sentence);
});

it('shows no key that it refuses', () => {
  expect(create({ apiKey: 'hunter2 and more', baseUrl })).not.toThrow(/hunter2/);
});

it.each<[string, object]>([
  ['the mode of the key', { apiKey, mode: 'test' }],
  ['no credential, to sign in', {}],
  ['a token that is asked for', { getAccessToken: () => 'token', mode: 'live' }],
  ['a key or else a token', { apiKey: undefined, accessToken: 'token' }],
])('takes %s', (_, options) => {
  expect(create({ baseUrl, ...options })).not.toThrow();
});

it.each<[string, object, RegExp]>([
  ["a mode that is not the key's", { mode: 'live' }, /of test mode/],
  ['a key beyond ASCII', { idempotencyKey: 'Schlüssel €' }, /idempotencyKey wants/],
  ['a header that cannot be sent', { headers: { 'X-Name': 'a\nb' } }, /header/i],
])('refuses a call with %s at once, and sends nothing', async (_, options, sentence) => {
  const sent = jest.fn();
  const client = new AffiliateClient({ apiKey, baseUrl, fetch: sent });
  const call = client.conversions.list({}, options);
  await expect(Promise.resolve(call)).rejects.toThrow(TypeError);
  await expect(Promise.resolve(client.conversions.list({}, options))).rejects.toThrow(sentence);
  expect(sent).not.toHaveBeenCalled();
});
