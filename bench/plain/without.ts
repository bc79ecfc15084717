import { createRequire } from 'node:module';
import type * as Claims from '../../activities/journal/outbox-claims';
import type * as Semaphores from '../../runtime/load/keyed-semaphore';
import type * as Paces from '../../runtime/load/pace';
import type * as InFlight from '../../workers/dispatcher/in-flight';
import type * as Processing from '../../workers/relay/process-claim';
import { substitute } from './substitute';

// The service without one of the mechanisms that share it between tenants: the one that WITHOUT names.

const load = createRequire(__filename);
const semaphores = '../../runtime/load/keyed-semaphore';

/** A module that finds semaphores without a bound; all others find their own. */
function unboundedIn(module: string): void {
  const file = load.resolve(semaphores);
  const real: unknown = load(file);
  substitute<typeof Semaphores>(semaphores, ({ KeyedSemaphore }) => ({
    KeyedSemaphore: class Unbounded extends KeyedSemaphore {
      override acquire = () => Promise.resolve(() => undefined);
      override assertRoom = () => undefined;
    },
  }));
  load(module);
  const cached = load.cache[file];
  if (cached) cached.exports = real;
}

export const mechanisms: Readonly<Record<string, () => void>> = {
  places: () => unboundedIn('../../api/http/checks/places'),
  hashes: () => unboundedIn('../../runtime/crypto/passwords'),
  exports: () => unboundedIn('../../runtime/connections/row-streams'),
  'stripe-turns': () => unboundedIn('../../activities/billing/events/turns'),
  'recorded-alone': () => unboundedIn('../../workers/dispatcher/attempt-recorder'),
  'claim-shares': () =>
    substitute<typeof Claims>('../../activities/journal/outbox-claims', (real) => ({
      claimWork: (db, claim) => real.claimWork(db, { ...claim, afterWorkspace: null }),
    })),
  'processed-alone': () =>
    substitute<typeof Processing>('../../workers/relay/process-claim', () => ({
      splitClaim: (claim) => ({ together: claim, alone: [] }),
    })),
  paces: () =>
    substitute<typeof Paces>('../../runtime/load/pace', (real) => ({
      createPace: () => real.createPace(0),
    })),
  'webhook-shares': () =>
    substitute<typeof InFlight>('../../workers/dispatcher/in-flight', (real) => ({
      createInFlight: () => {
        const inFlight = real.createInFlight();
        return { ...inFlight, room: inFlight.free, roomOf: () => new Map<string, number>() };
      },
    })),
};

const name = process.env['WITHOUT'];
if (name !== undefined) mechanisms[name]?.();
