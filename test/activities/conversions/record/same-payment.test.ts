import type { ConversionRecord } from '../../../../activities/conversions/conversion';
import { AppError } from '../../../../entities/errors';
import type { Scope } from '../../../../entities/rules/values/mode';
import { type Db, transaction } from '../../../../entities/database/sql';
import { buildConversion, buildReport, recordConversion } from '../../../support/build/conversions';
import { buildParticipant, buildPromoCode } from '../../../support/build/programs';
import type { BuiltParticipant } from '../../../support/build/programs';
import { useDatabase } from '../../../support/data-source';
import { refusalOf } from '../../../support/answers/refusal';
import { rowsOfReports } from '../../../support/stored/report-rows';

const database = useDatabase(20);
let db: Db;
const now = new Date();

beforeAll(async () => {
  db = database.source.manager;
});

const scopeOf = ({ workspaceId, mode }: BuiltParticipant): Scope => ({ workspaceId, mode });
const rowsOf = (scope: Scope) => rowsOfReports(db, scope);

describe('the same payment (attribution.md, Duplicates)', () => {
  it('is recorded once, under every id it is known by, also inside an open transaction', async () => {
    const participant = await buildParticipant(db);
    const first = await buildConversion(db, {
      participant,
      source: 'stripe',
      externalTransactionId: 'pi_1',
      aliases: ['cs_1', 'ch_1', 'pi_1'],
    });
    const { code } = await buildPromoCode(db, participant);
    for (const externalTransactionId of ['pi_1', 'cs_1', 'ch_1']) {
      const again = buildReport({ externalTransactionId, promoCode: code });
      const work = transaction(db, (tx) =>
        recordConversion(tx, { scope: scopeOf(participant), now }, again),
      );
      const refusal = await refusalOf(work);
      expect(refusal.code).toBe('CONVERSION_DUPLICATE');
      expect(refusal.headers['Location']).toBe(`/api/v1/conversions/${first.id}`);
    }
    expect(await rowsOf(scopeOf(participant))).toMatchObject({ conversions: 1, commissions: 1 });
  });

  it('reported 100 times at once makes one conversion and 99 duplicates of it', async () => {
    const participant = await buildParticipant(db);
    const { code } = await buildPromoCode(db, participant);
    const report = buildReport({ promoCode: code });
    const results = await Promise.all(
      Array.from({ length: 100 }, () =>
        recordConversion(db, { scope: scopeOf(participant), now }, report).catch(
          (error: unknown) => error,
        ),
      ),
    );
    const recorded = results.filter((result) => !(result instanceof Error)) as ConversionRecord[];
    const refused = results.filter((result) => result instanceof AppError);
    expect([recorded.length, refused.length]).toEqual([1, 99]);
    const location = `/api/v1/conversions/${recorded[0]?.id}`;
    expect(new Set(refused.map((refusal) => refusal.headers['Location']))).toEqual(
      new Set([location]),
    );
    expect(await rowsOf(scopeOf(participant))).toMatchObject({
      conversions: 1,
      commissions: 1,
      ledger_entries: 1,
      events: 2,
    });
  });

  it('reported at once under ids that overlap crosswise is recorded once, without a dead lock', async () => {
    const participant = await buildParticipant(db);
    const { code } = await buildPromoCode(db, participant);
    const ids = ['in_9', 'pi_9', 'ch_9', 'cs_9'];
    const results = await Promise.all(
      Array.from({ length: 40 }, (_, index) => {
        const [externalTransactionId = '', ...aliases] = rotated(ids, index);
        const report = buildReport({ externalTransactionId, aliases, promoCode: code });
        return recordConversion(db, { scope: scopeOf(participant), now }, report).catch(
          (error: unknown) => error,
        );
      }),
    );
    expect(results.filter((result) => !(result instanceof Error))).toHaveLength(1);
    expect(results.filter((result) => result instanceof AppError)).toHaveLength(39);
  });
});

function rotated<T>(list: T[], by: number): T[] {
  const at = by % list.length;
  return [...list.slice(at), ...list.slice(0, at)];
}

it('takes a report again after a lost connection without calling its own first try a duplicate', async () => {
  const participant = await buildParticipant(db);
  const { code } = await buildPromoCode(db, participant);
  const scope = scopeOf(participant);
  // A programme's first commission goes by another statement.
  await recordConversion(db, { scope, now }, buildReport({ promoCode: code }));
  const report = buildReport({ promoCode: code });
  const { flaky, breaks } = breakAfterCommit(db);
  const conversion = await recordConversion(flaky, { scope, now }, report);
  expect(breaks()).toBe(1);
  expect(conversion).toMatchObject({ attributed: true, commission: { amountCents: 2_000 } });
  expect(await rowsOf(scope)).toMatchObject({ conversions: 2, commissions: 2 });
});

/** The connection breaks once, when the write was committed and its answer is on the way. */
function breakAfterCommit(healthy: Db): { flaky: Db; breaks: () => number } {
  let breaks = 0;
  const flaky: Db = {
    ...healthy,
    isOpen: false,
    transaction: (work) => healthy.transaction(work),
    run: async (statement) => {
      const result = await healthy.run(statement);
      if (!statement.name?.startsWith('write_conversions') || breaks > 0) return result;
      breaks += 1;
      throw new Error('Connection terminated unexpectedly');
    },
  };
  return { flaky, breaks: () => breaks };
}
