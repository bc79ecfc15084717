import { routes } from '../../api/routes';
import { newId } from '../../entities/ids';
import { startTestApp, type TestApp } from '../support/app';
import {
  openBackendKiller,
  type BackendKiller,
  type Death,
} from '../support/faults/backend-killer';
import type { Effect } from '../support/faults/effects';
import {
  changingRequests,
  emailWebhookSecret,
  providerRequests,
  send,
  unchanging,
  untried,
  type Setup,
} from '../support/faults/changing-requests';
import { startPayPalStandIn, type PayPalStandIn } from '../support/paypal/stand-in';
import { isNightly } from '../support/run/nightly';

const operations = routes.filter(({ method }) => method !== 'get');
type Operation = (typeof operations)[number];
const requests = { ...changingRequests, ...providerRequests };
const changing = operations.filter(({ name }) => name in requests);

let app: TestApp;
let killer: BackendKiller;
let paypal: PayPalStandIn;

beforeAll(async () => {
  paypal = await startPayPalStandIn();
  app = await startTestApp({
    PAYPAL_API_BASE: paypal.url,
    EMAIL_WEBHOOK_SECRET: emailWebhookSecret,
    INVITES_PER_DAY: '0',
    WAITLIST_TOTAL: '100000',
  });
  killer = await openBackendKiller(app.deps.config.databaseUrl);
  // Temporal takes whatever it is asked, and a reset has ended at once: what its workflows do has
  // tests of its own.
  app.deps.temporal.within = async <T>() => {
    await killer.quietly(endResets);
    return { erasedAt: new Date().toISOString() } as T;
  };
}, 60_000);
afterAll(async () => {
  await killer.close();
  await app.close();
  await paypal.close();
});

it('every operation that is no GET has a request here, or a reason', () => {
  const known = [...Object.keys(requests), ...Object.keys(unchanging), ...untried];
  expect(operations.map(({ name }) => name).sort()).toEqual(known.sort());
});

const nothing = { programs: 0, participants: 0, clicks: 0, conversions: 0, commissions: 0 };
const endResets = `
  UPDATE test_data_resets SET status = 'completed', deleted = '${JSON.stringify(nothing)}',
         started_at = now(), closed_at = now(), finished_at = now() WHERE status = 'queued'`;

/** A repeat with the same key gives the first answer; without one it is another request. */
const isKeyed = ({ method, spec }: Operation): boolean =>
  method === 'post' && spec.auth.kind !== 'open';

const maxStatements = 60;

/** `npm test` takes the last statement of each operation, `npm run test:nightly` every one. */

interface Try {
  operation: Operation;
  setup: Setup;
  effect: Effect;
  death: Death;
}

/** Lets the connection of this statement die; returns whether there was one. */
async function dieAt(statement: number, { operation, setup, effect, death }: Try) {
  const request = await setup(app);
  const key = newId();
  const before = await killer.effects.mark();
  killer.arm(statement, death);
  const answer = await send(app, operation, request, key);
  const { died } = killer.disarm();
  if (answer.status >= 300) expectOutage(answer, statement);
  const first = await killer.effects.since(before);
  const isDone = Object.keys(first).length > 0;
  // All or nothing, whatever was answered; and the repeat adds what is missing, once.
  if (isDone || answer.status < 300) expect([statement, first]).toEqual([statement, effect]);
  if (isDone && !isKeyed(operation)) return died;
  const again = await send(app, operation, request, key);
  expect([statement, again.status < (isKeyed(operation) ? 300 : 500)]).toEqual([statement, true]);
  const all = await killer.effects.since(before);
  expect([statement, all]).toEqual([statement, effect]);
  return died;
}

/** A second request may need fewer statements than the first, never none. */
async function dieAtLatestAt(statement: number, attempt: Try): Promise<void> {
  for (let at = statement; at >= 1; at -= 1) {
    if (await dieAt(at, attempt)) return;
  }
  throw new Error(`${attempt.operation.name} needs no statement`);
}

async function dieAtEach(attempt: Try): Promise<void> {
  let statement = 1;
  for (let died = true; died && statement < maxStatements; statement += 1) {
    died = await dieAt(statement, attempt);
  }
  expect(statement).toBeGreaterThan(attempt.death === 'gone' ? 2 : 1);
  expect(statement).toBeLessThan(maxStatements);
}

describe('a connection that is gone, or its answer lost, in the course of', () => {
  it.each(changing.map((operation) => [operation.name, operation] as const))(
    '%s is 503, and a repeat has the effect once',
    async (name, operation) => {
      const setup = requests[name] as Setup;
      const clean = await setup(app);
      const untouched = await killer.effects.mark();
      killer.arm(Infinity, 'gone');
      const { status, text } = await send(app, operation, clean, newId());
      const { counted } = killer.disarm();
      expect([status < 300, text]).toEqual([true, text]);
      const effect = await killer.effects.since(untouched);

      const attempt = { operation, setup, effect };
      if (isNightly) {
        await dieAtEach({ ...attempt, death: 'gone' });
        return dieAtEach({ ...attempt, death: 'lost' });
      }
      // The connection dies before the last statement, and after the last commit, whose answer is lost.
      await dieAtLatestAt(counted.gone, { ...attempt, death: 'gone' });
      await dieAtLatestAt(counted.lost, { ...attempt, death: 'lost' });
    },
  );
});

function expectOutage(answer: Awaited<ReturnType<typeof send>>, statement: number): void {
  const code = answer.body['code'];
  expect([statement, answer.status, code]).toEqual([statement, 503, 'SERVICE_UNAVAILABLE']);
  expect(answer.headers.get('retry-after')).toBeTruthy();
}
