import { createExportEntry } from '../../activities/runtime/connections/export-entry';

const refused = { code: 'RATE_LIMIT_EXCEEDED', headers: { 'Retry-After': '10' } };

it('lets one export of an account begin, and another one after its end', async () => {
  const enter = createExportEntry(1);
  const leave = await enter('ann');
  const leaveOther = await enter('ben');
  await expect(enter('ann')).rejects.toMatchObject(refused);
  leave();
  leave();
  (await enter('ann'))();
  leaveOther();
});

it('lets one that waits begin as soon as the one before ends', async () => {
  const enter = createExportEntry(1);
  const leave = await enter('ann');
  const waiting = enter('ann');
  leave();
  (await waiting)();
});

it('lets one of those that wait begin, however many there are', async () => {
  const enter = createExportEntry(1);
  const leave = await enter('ann');
  const waiting = Array.from({ length: 5 }, () => enter('ann'));
  leave();
  const outcomes = await Promise.allSettled(waiting);
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const atOnce = await Promise.allSettled([enter('ben'), enter('ben')]);
  expect(atOnce.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
});

it('counts up to the given number', async () => {
  const enter = createExportEntry(2);
  const leaves = await Promise.all([enter('ann'), enter('ann')]);
  await expect(enter('ann')).rejects.toMatchObject(refused);
  leaves.forEach((leave) => leave());
  await Promise.all([enter('ann'), enter('ann')]);
});

it('bounds no account at 0, and the process all the same', async () => {
  const enter = createExportEntry(0);
  const leaves = await Promise.all(Array.from({ length: 100 }, () => enter('ann')));
  await expect(enter('ann')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  leaves[0]?.();
  await enter('ben');
});
