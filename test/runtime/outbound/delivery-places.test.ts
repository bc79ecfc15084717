import { createDeliveryPlaces, type Recipient } from '../../../runtime/outbound/delivery-places';

const bounds = {
  perEndpoint: 8,
  youngPerWorkspace: 20,
  youngInAll: 40,
  hangingPerWorkspace: 10,
  inAll: 100,
  youngMs: 1_000,
};
let now = 0;
const open = () => createDeliveryPlaces(bounds, () => now);
const at = (workspaceId: string, endpointId: string): Recipient => ({ workspaceId, endpointId });
const fill = (places: ReturnType<typeof open>, recipient: Recipient): number => {
  let count = 0;
  for (; places.room(recipient) > 0; count += 1) places.enter(recipient);
  return count;
};

beforeEach(() => (now = 0));

it('gives an endpoint its few places, and a workspace a share of what is young', () => {
  const places = open();
  expect(['a', 'b', 'c', 'd'].map((id) => fill(places, at('one', id)))).toEqual([8, 8, 4, 0]);
  expect(places.busy().workspaces.get('one')).toBe(0);
  expect(fill(places, at('two', 'e'))).toBe(8);
  expect(places.free()).toBe(40 - 28);
});

it('gives what hangs no more, and the workspace its other endpoints', () => {
  const places = open();
  for (const id of ['a', 'b']) for (let n = 0; n < 6; n += 1) places.enter(at('one', id));
  now = 2_000;
  expect(places.free()).toBe(40);
  expect(places.room(at('one', 'a'))).toBe(0);
  expect(places.busy().endpoints.get('a')).toBe(0);
  expect(places.room(at('one', 'c'))).toBe(8);
});

it('keeps half of all places from whatever hangs', () => {
  const places = open();
  for (let n = 0; n < 50; n += 1) {
    now += 1_000;
    places.enter(at(`workspace ${n}`, `endpoint ${n}`));
  }
  now += 2_000;
  expect(places.room(at('workspace 1', 'endpoint 1'))).toBe(0);
  expect(places.room(at('workspace 1', 'another'))).toBe(8);
  expect(places.room(at('neighbour', 'healthy'))).toBe(8);
});

it('is empty when all have left', async () => {
  const places = open();
  const leave = [places.enter(at('one', 'a')), places.enter(at('one', 'a'))];
  let isEmpty = false;
  const empty = places.empty().then(() => (isEmpty = true));
  leave[0]?.();
  await Promise.resolve();
  expect(isEmpty).toBe(false);
  leave[1]?.();
  await empty;
  expect(places.room(at('one', 'a'))).toBe(8);
});
