import { createExportEntry } from '../../../runtime/connections/export-entry';

const refused = { code: 'RATE_LIMIT_EXCEEDED', headers: { 'Retry-After': '10' } };

const ann = { accountId: 'ann', workspaceId: 'acme' };
const ben = { accountId: 'ben', workspaceId: 'bolt' };

it('lets one export of an account begin, and another one after its end', async () => {
  const enter = createExportEntry(1);
  const leave = await enter(ann);
  const leaveOther = await enter(ben);
  await expect(enter(ann)).rejects.toMatchObject(refused);
  leave();
  leave();
  (await enter(ann))();
  leaveOther();
});

it('lets one that waits begin as soon as the one before ends', async () => {
  const enter = createExportEntry(1);
  const leave = await enter(ann);
  const waiting = enter(ann);
  leave();
  (await waiting)();
});

it('lets one of those that wait begin, however many there are', async () => {
  const enter = createExportEntry(1);
  const leave = await enter(ann);
  const waiting = Array.from({ length: 5 }, () => enter(ann));
  leave();
  const outcomes = await Promise.allSettled(waiting);
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const atOnce = await Promise.allSettled([enter(ben), enter(ben)]);
  expect(atOnce.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
});

it('counts up to the given number', async () => {
  const enter = createExportEntry(2);
  const leaves = await Promise.all([enter(ann), enter(ann)]);
  await expect(enter(ann)).rejects.toMatchObject(refused);
  leaves.forEach((leave) => leave());
  await Promise.all([enter(ann), enter(ann)]);
});

it('bounds no account at 0, and the process all the same', async () => {
  const enter = createExportEntry(0);
  const leaves = await Promise.all(
    Array.from({ length: 100 }, (_one, n) => enter({ ...ann, workspaceId: `w${n}` })),
  );
  await expect(enter(ann)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  leaves[0]?.();
  await enter(ben);
});

it.each([
  ['a workspace', 10, (n: number) => ({ ...ann, accountId: `member ${n}` })],
  ['all partners together', 30, (n: number) => ({ accountId: `partner ${n}` })],
])('leaves others room, whatever accounts of %s ask for', async (_whose, most, exporter) => {
  const enter = createExportEntry(1);
  const leaves = await Promise.all(Array.from({ length: most }, (_one, n) => enter(exporter(n))));
  await expect(enter(exporter(most))).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    headers: { 'Retry-After': '10' },
  });
  await enter(ben);
  leaves[0]?.();
  await enter(exporter(most));
});
