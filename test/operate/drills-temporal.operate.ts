import { until } from '../support/eventually';
import {
  buildDrillShop,
  newOrders,
  sizeOf,
  withoutLifecycle,
  type DrillShop,
} from '../support/operate/drill-shop';
import { startDrillStack, type DrillStack } from '../support/operate/drill-stack';
import { stopwatch } from '../support/operate/stopwatch';
import { age, beginWork, endOutages, expectOnce, leftOf } from '../support/operate/under-way';

jest.setTimeout(600_000);

/** A server of Temporal's that is busy loses an answer now and then: the attempt times out after 2 minutes. */
const patienceMs = 170_000;

let stack: DrillStack;
let shop: DrillShop;
/** Ids of events that the receiver has answered with 200. */
const taken: string[] = [];

beforeAll(async () => {
  stack = await startDrillStack('in a file');
  shop = await buildDrillShop(stack);
  await stack.startProcesses();
});
afterAll(() => stack.close());

async function untilNothingIsLeft(work: Parameters<typeof leftOf>[1]): Promise<void> {
  let left: string[] = [];
  await until(async () => {
    left = await leftOf(stack, work);
    return left.length === 0;
  }, patienceMs).catch(() => undefined);
  expect(left).toEqual([]);
}

function receive(): void {
  endOutages(stack);
  stack.sink.answer(({ headers }, response) => {
    taken.push(headers['webhook-id'] ?? '');
    response.end('ok');
  });
}

describe('a Temporal that came back as it was earlier', () => {
  it('goes on with rows that went further, and does nothing twice', async () => {
    const work = await beginWork(stack, shop);
    await stack.stopTemporal();
    stack.copyTemporal('temporal', 'temporal-old');
    await stack.startTemporal('temporal');

    receive();
    for (const id of work.commissions.slice(0, 3)) {
      const at = `/programs/${shop.program.id}/commissions/${id}/approve-override`;
      expect(await shop.ask('PATCH', at, { reason: 'A drill' })).toMatchObject({ status: 200 });
    }
    const later = newOrders(5);
    await Promise.all(later.map(shop.sell));
    await untilNothingIsLeft(work);

    const watch = stopwatch(`Temporal old (${await sizeOf(stack)})`);
    await stack.stopTemporal();
    await stack.startTemporal('temporal-old');
    watch.lap('the old store serves');
    await until(async () => (await withoutLifecycle(stack)).length === 0, patienceMs);
    watch.lap('every pending commission has its workflow');
    await untilNothingIsLeft(work);
    watch.lap('every other run has ended');
    await expectOnce(stack, { ...work, orders: [...work.orders, ...later] });
    expect(taken).toEqual([...new Set(taken)]);
  });
});

describe('a Temporal without its data', () => {
  it('has all that was under way again, by aps migrate and a start of the workers', async () => {
    const work = await beginWork(stack, shop);
    await age(stack);

    const watch = stopwatch(`Temporal empty (${await sizeOf(stack)})`);
    await stack.stopTemporal();
    await stack.startTemporal('temporal-empty');
    await stack.stopProcesses();
    await stack.operate('migrate');
    await stack.startProcesses();
    watch.lap('namespace made, API and worker answer');
    receive();
    await until(async () => (await withoutLifecycle(stack)).length === 0, patienceMs);
    watch.lap('every pending commission has its workflow');
    await untilNothingIsLeft(work);
    watch.lap('mail, webhooks, the Stripe event and the erasure are over');
    await expectOnce(stack, work);
    expect(taken).toEqual([...new Set(taken)]);
  });
});
