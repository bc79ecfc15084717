import { createFairPlaces } from '../../../runtime/load/fair-places';
import { placeFor } from '../../../api/http/checks/places';
import type { ApiServices } from '../../../api/http/contract/request';
import { eventually } from '../../support/eventually';

const bound = { places: 2, perOwner: 1, waitingPerOwner: 5, waitingInAll: 5, patienceMs: 20_000 };
const restMs = 300;

function buildServices(): ApiServices {
  return {
    places: createFairPlaces({ ...bound, perOwner: 2 }),
    largeWork: { places: createFairPlaces(bound), duty: { restAfter: () => restMs } },
  } as unknown as ApiServices;
}

it('large work of a workspace runs one at a time and rests, and holds no place meanwhile', async () => {
  const services = buildServices();
  const done: string[] = [];
  const inPlace = placeFor({ services }, 'site', { isLarge: true });
  const note = (what: string) => (): Promise<number> => Promise.resolve(done.push(what));
  const both = [inPlace(note('first')), inPlace(note('second'))];
  await both[0];
  // The answer of the first does not wait for the rest; both places at the database are free.
  const leaves = [await services.places.enter('site'), await services.places.enter('site')];
  expect(done).toEqual(['first']);
  leaves.forEach((leave) => leave());
  await Promise.all(both);
  expect(done).toEqual(['first', 'second']);
});

it('other work does not wait for it', async () => {
  const services = buildServices();
  let finish = (): void => undefined;
  const large = placeFor({ services }, 'site', { isLarge: true })(
    () => new Promise<void>((resolve) => (finish = resolve)),
  );
  await eventually(() => placeFor({ services }, 'site', {})(() => Promise.resolve(true)));
  const another = placeFor({ services }, 'another site', { isLarge: true });
  expect(await another(() => Promise.resolve('done'))).toBe('done');
  finish();
  await large;
});
