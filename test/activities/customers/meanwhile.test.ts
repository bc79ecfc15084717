import { unbindByHand } from '../../../activities/purchases/bind-by-hand';
import { writeConversions } from '../../../activities/conversions/insert-with-commission';
import {
  OutOfOrderError,
  planReport,
  readFacts,
  recordAll,
  submissionOf,
} from '../../../activities/conversions/record';
import { RowsLockedError } from '../../../entities/database/errors';
import { transaction } from '../../../entities/database/sql';
import { useDeps } from '../../support/app';
import { buildReport, recordConversion } from '../../support/build/conversions';
import { buildSetting, contextOf, dayOf, type Setting } from './setting';
import { tell } from './steps';

const deps = useDeps();
const db = () => deps.db.manager;

describe('a sale by the customer, while a member unbinds them', () => {
  /** Reads everything before the unbinding is committed, and tries once. */
  const sell = async (setting: Setting, id: string) => {
    const sale = buildReport({ customerId: 'user', externalTransactionId: setting.id(id) });
    const at = { occurredAt: dayOf(1, 1) };
    const [outcome] = await recordAll(db(), [submissionOf(contextOf(setting), { ...sale, ...at })]);
    return outcome;
  };
  const unbindAround = (setting: Setting, work: () => Promise<void>) =>
    transaction(db(), async (tx) => {
      const command = { programId: setting.shop.program.id, name: 'user' };
      await unbindByHand(tx, contextOf(setting, dayOf(1, 2)), command);
      await work();
    });
  /**
   * The refusal of a sale that was paid before the unbinding, and told after it: it is theirs whose
   * the customer was.
   */
  const outOfOrder = { error: expect.any(OutOfOrderError) as unknown };
  const sellInOrder = (setting: Setting, id: string) =>
    recordConversion(db(), contextOf(setting), {
      ...buildReport({ customerId: 'user', externalTransactionId: setting.id(id) }),
      occurredAt: dayOf(1, 1),
    });

  it('is read again when it is the first payment', async () => {
    const setting = await buildSetting(deps, { recurring: true, recurringMonths: null });
    await tell(setting, { kind: 'signUp', n: 0 });
    await unbindAround(setting, async () => {
      expect(await sell(setting, 'a')).toEqual({ error: expect.any(RowsLockedError) as unknown });
    });
    expect(await sell(setting, 'a')).toEqual(outOfOrder);
    expect(await sellInOrder(setting, 'a')).toMatchObject({ attributed: true });
  });

  it('is read again when it is a later payment, which is counted with theirs', async () => {
    const setting = await buildSetting(deps, { recurring: true, recurringMonths: null });
    await tell(setting, { kind: 'signUp', n: 0 });
    await tell(setting, { kind: 'saleByCustomer', n: 0 });
    await unbindAround(setting, async () => {
      expect(await sell(setting, 'a')).toEqual({ error: expect.any(RowsLockedError) as unknown });
    });
    expect(await sell(setting, 'a')).toEqual(outOfOrder);
    expect(await sellInOrder(setting, 'a')).toMatchObject({ attributed: true });
  });

  it.each<[string, (setting: Setting) => Promise<unknown>]>([
    ['a member binds them anew', (setting) => tell(setting, { kind: 'rebind', n: 4 })],
    [
      'a payment before their first is recorded',
      (setting) =>
        recordConversion(db(), contextOf(setting), {
          ...buildReport({ customerId: 'user', occurredAt: dayOf(0, 3), amountCents: 100 }),
          clickId: setting.clicks.partner,
        }),
    ],
  ])('writes nothing by what it read before %s', async (_, happen) => {
    const setting = await buildSetting(deps, { recurring: true, recurringMonths: null });
    await tell(setting, { kind: 'signUp', n: 0 });
    await tell(setting, { kind: 'saleByCustomer', n: 0 });
    // A lead: what is no payment writes nothing of the customer, and is not counted.
    const late = buildReport({ customerId: 'user', occurredAt: dayOf(6, 1), amountCents: 0 });
    const submission = submissionOf(contextOf(setting), late);
    const plan = async () => planReport(submission, (await readFacts(db(), [submission]))[0]);
    const before = await plan();
    await happen(setting);

    const written = await writeConversions(db(), [before], { waits: false });
    expect(written).toEqual({ isWritten: false, locked: new Set() });
    const again = await writeConversions(db(), [await plan()], { waits: false });
    expect(again).toEqual({ isWritten: true, locked: new Set() });
  });
});
