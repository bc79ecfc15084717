import { decideCommission } from '../../../activities/commissions/decide';
import { completePayout } from '../../../activities/payouts/end-payout';
import { createDatabase } from '../../../entities/database/database';
import { execute, transaction, type Db } from '../../../entities/database/sql';
import { codeOf, contextOf, payoutsOn } from '../../support/build/payouts';
import { buildParticipant } from '../../support/build/programs';
import { useDatabase } from '../../support/data-source';
import { connectionTo } from '../../support/database';

const database = useDatabase(16);
let db: Db;

beforeAll(async () => {
  db = database.source.manager;
});

const { create, complete, cancel, approved, rowOf, refund } = payoutsOn(() => db);

describe('races of payouts', () => {
  it('take a commission once when eight are created together', async () => {
    const anna = await buildParticipant(db);
    await approved(anna);
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => codeOf(create(anna))));
    expect(outcomes.sort()).toEqual([...Array<string>(7).fill('PAYOUT_EMPTY'), 'ok'].sort());
  });

  it('end a payout once, completed or cancelled', async () => {
    for (let round = 0; round < 5; round += 1) {
      const anna = await buildParticipant(db);
      const one = await approved(anna);
      const { id } = await create(anna);
      const outcomes = await Promise.all([
        codeOf(complete(anna, id)),
        codeOf(cancel(anna, id)),
        codeOf(complete(anna, id)),
      ]);
      expect(outcomes.sort()).toEqual(['PAYOUT_NOT_PROCESSING', 'PAYOUT_NOT_PROCESSING', 'ok']);
      const row = await rowOf(one);
      expect(row.owedCents).toBe(row.status === 'paid' ? 0 : 2_000);
    }
  });

  it('wait for an end that takes longer than a lock is waited for', async () => {
    const anna = await buildParticipant(db);
    await approved(anna);
    const { id } = await create(anna);
    const { url, pooler } = connectionTo(database.url);
    const impatient = createDatabase({ url, pooler, poolSize: 1 });
    await execute(impatient, `SET lock_timeout = '50ms'`);
    let second: Promise<string> | undefined;
    await transaction(db, async (tx) => {
      await execute(tx, 'SELECT 1 FROM payouts WHERE id = $1 FOR UPDATE', [id]);
      second = codeOf(completePayout(impatient, contextOf(anna), { payoutId: id }));
      await execute(tx, 'SELECT pg_sleep(0.3)');
    });
    expect(await second).toBe('ok');
    await execute(impatient, 'RESET lock_timeout');
    await impatient.destroy();
  });

  it('leave a commission either rejected or in the payout', async () => {
    for (let round = 0; round < 8; round += 1) {
      const anna = await buildParticipant(db);
      const one = await approved(anna);
      const rejection = decideCommission(db, contextOf(anna), {
        commissionId: one.id,
        decision: 'reject',
        reason: 'no',
      });
      const outcomes = await Promise.all([codeOf(create(anna)), codeOf(rejection)]);
      expect([
        ['ok', 'COMMISSION_IN_PAYOUT'],
        ['PAYOUT_EMPTY', 'ok'],
      ]).toContainEqual(outcomes);
    }
  });

  it('against a refund end in what is due', async () => {
    for (let round = 0; round < 8; round += 1) {
      const anna = await buildParticipant(db);
      const one = await approved(anna);
      const [outcome] = await Promise.all([codeOf(create(anna)), refund(one, 5_000)]);
      expect(outcome).toBe('ok');
      const row = await rowOf(one);
      expect(row).toMatchObject({ amountCents: 1_000, owedCents: 1_000 });
      // The payout owes the rest when it took the commission before the refund, and nothing when it took it after.
      expect([2_000, 1_000]).toContain(row.reservedCents);
    }
  });
});
