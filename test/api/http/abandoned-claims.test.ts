import { createAbandonedClaims } from '../../../api/http/checks/abandoned-claims';
import { until } from '../../support/eventually';

it('claims that an outage left are given up together once it is over, but those that are over by then', async () => {
  let isAway = true;
  const dropped: string[] = [];
  const claimOf = (token: string) => ({ token });
  let tries = 0;
  const drop = (claims: { token: string }[]): Promise<void> => {
    tries += 1;
    if (isAway) return Promise.reject(new Error('away'));
    dropped.push(...claims.map(({ token }) => token));
    return Promise.resolve();
  };
  const claims = createAbandonedClaims(drop, { lastMs: 60_000, everyMs: 1 });
  claims.add(claimOf('one'));
  claims.add(claimOf('two'));
  await until(() => tries > 2);
  expect([claims.find('two'), claims.find('three')]).toEqual([claimOf('two'), undefined]);
  isAway = false;
  await until(() => dropped.length === 2);
  expect(dropped).toEqual(['one', 'two']);
  // The server may have stood still, and write one down now.
  expect(claims.find('one')).toEqual(claimOf('one'));
  claims.add(claimOf('three'));
  await until(() => dropped.length === 3);

  const passing = createAbandonedClaims(drop, { lastMs: 0, everyMs: 1 });
  passing.add(claimOf('four'));
  claims.add(claimOf('five'));
  await until(() => dropped.length === 4);
  expect(dropped).toEqual(['one', 'two', 'three', 'five']);
});
