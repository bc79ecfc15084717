import { QueryFailedError } from 'typeorm';
import { createFairBatch } from '../../activities/runtime/batching/fair-batch';
import { eventually } from '../support/eventually';

const locked = () =>
  new QueryFailedError('', [], Object.assign(new Error('locked'), { code: '55P03' }));

it('an item that was refused for its wait leaves no rejection behind', async () => {
  const unhandled: unknown[] = [];
  const onUnhandled = (error: unknown): void => void unhandled.push(error);
  process.on('unhandledRejection', onUnhandled);
  let commits = 0;
  let release: (() => void) | undefined;
  const batch = createFairBatch<string, string>({
    maxItems: 10,
    maxInFlight: 1,
    maxWaiting: 100,
    patienceMs: 30,
    ownerOf: (item) => item,
    errorIn: () => undefined,
    async commit() {
      commits += 1;
      if (commits > 1) throw new Error('the part failed');
      await new Promise<void>((resolve) => (release = resolve));
      throw locked();
    },
  });
  await expect(batch.submit('one')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  release?.();
  await eventually(async () => (commits === 2 ? true : undefined));
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', onUnhandled);
  expect(unhandled).toEqual([]);
});
