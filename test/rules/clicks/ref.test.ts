import { readingsOf } from '../../../entities/rules/clicks/ref';

describe('a ref (clicks.md, Links as they are pasted)', () => {
  it.each([
    ['acme', ['acme']],
    [' \u200bacme\ufeff', ['acme']],
    ['acme/', ['acme/', 'acme']],
    ['acme).', ['acme).', 'acme']],
    ['acme.', ['acme.', 'acme']],
    ['acme-_~.', ['acme-_~.', 'acme']],
    ['a.b~c-d_', ['a.b~c-d_', 'a.b~c-d']],
    ['acme?utm_source=x', ['acme?utm_source=x', 'acme']],
    ['acme.&amp;utm=1', ['acme.&amp;utm=1', 'acme.', 'acme']],
    ['acme#top', ['acme#top', 'acme']],
    ['/acme', ['/acme']],
    ['..', ['..']],
    ['', []],
  ])('of %j may mean %j', (ref, readings) => expect(readingsOf(ref)).toEqual(readings));
});
