import { createAbandonedClaims } from '../../../api/http/checks/abandoned-claims';
import { until } from '../../support/eventually';

it('claims that an outage left are given up together once it is over, but those that are over by then', async () => {
  let isAway = true;
  const dropped: string[] = [];
  let tries = 0;
  const drop = (claims: string[]): Promise<void> => {
    tries += 1;
    if (isAway) return Promise.reject(new Error('away'));
    dropped.push(...claims);
    return Promise.resolve();
  };
  const claims = createAbandonedClaims<string>(drop, { lastMs: 60_000, everyMs: 1 });
  claims.add('one');
  claims.add('two');
  await until(() => tries > 2);
  isAway = false;
  await until(() => dropped.length === 2);
  expect(dropped).toEqual(['one', 'two']);
  claims.add('three');
  await until(() => dropped.length === 3);

  const passing = createAbandonedClaims<string>(drop, { lastMs: 0, everyMs: 1 });
  passing.add('four');
  claims.add('five');
  await until(() => dropped.length === 4);
  expect(dropped).toEqual(['one', 'two', 'three', 'five']);
});
