import { dryRunConversion } from '../../../../activities/purchases/report-purchase';
import type { ConversionReport } from '../../../../activities/conversions/report';
import type { ConversionRecord } from '../../../../activities/conversions/conversion';
import { newId } from '../../../../entities/ids';
import type { Scope } from '../../../../entities/rules/values/mode';
import { type Db, execute } from '../../../../entities/database/sql';
import { buildClick } from '../../../support/build/clicks';
import { buildReport, recordConversion } from '../../../support/build/conversions';
import { buildParticipant, buildPromoCode } from '../../../support/build/programs';
import type { BuiltParticipant } from '../../../support/build/programs';
import { useDatabase } from '../../../support/data-source';
import { nothing, rowsOfReports } from '../../../support/stored/report-rows';

const database = useDatabase();
let db: Db;
const now = new Date();
const day = 86_400_000;
const daysAgo = (days: number): Date => new Date(now.getTime() - days * day);

beforeAll(async () => {
  db = database.source.manager;
});

const scopeOf = ({ workspaceId, mode }: BuiltParticipant): Scope => ({ workspaceId, mode });
const rowsOf = (scope: Scope) => rowsOfReports(db, scope);

interface Case {
  name: string;
  reason: string;
  /** Gives the signals of a report for a fresh participant. */
  arrange(participant: BuiltParticipant): Promise<Partial<ConversionReport>>;
}

const setStatus = (participant: BuiltParticipant, status: string): Promise<number> =>
  execute(db, 'UPDATE participants SET status = $2 WHERE id = $1', [participant.id, status]);

const cases: Case[] = [
  {
    name: 'a click',
    reason: 'ATTRIBUTED',
    arrange: async (participant) => ({
      clickId: (await buildClick(db, { participant, at: daysAgo(1) })).id,
    }),
  },
  {
    name: 'a code in lower case',
    reason: 'ATTRIBUTED',
    arrange: async (participant) => ({
      promoCode: (await buildPromoCode(db, participant)).code.toLowerCase(),
    }),
  },
  {
    name: 'an unknown click',
    reason: 'CLICK_NOT_FOUND',
    arrange: async () => ({ clickId: newId() }),
  },
  {
    name: 'a text that is no click',
    reason: 'CLICK_NOT_FOUND',
    arrange: async () => ({ clickId: 'x'.repeat(5_000) }),
  },
  {
    name: 'the last id there can be',
    reason: 'CLICK_NOT_FOUND',
    arrange: async () => ({ clickId: 'ffffffff-ffff-7fff-bfff-ffffffffffff' }),
  },
  {
    name: 'an unknown code',
    reason: 'PROMO_CODE_NOT_FOUND',
    arrange: async () => ({ promoCode: 'NOBODYS' }),
  },
  {
    name: 'a text that is no code',
    reason: 'PROMO_CODE_NOT_FOUND',
    arrange: async () => ({ promoCode: "'; DROP TABLE conversions --".repeat(300) }),
  },
  {
    name: 'a click whose window is over',
    reason: 'CLICK_EXPIRED',
    arrange: async (participant) => ({
      clickId: (await buildClick(db, { participant, at: daysAgo(31) })).id,
    }),
  },
  {
    name: 'a click after the conversion',
    reason: 'CLICK_AFTER_CONVERSION',
    arrange: async (participant) => ({
      clickId: (await buildClick(db, { participant, at: daysAgo(1) })).id,
      occurredAt: daysAgo(2),
    }),
  },
  {
    name: 'a partner who is suspended now',
    reason: 'PARTNER_NOT_APPROVED',
    arrange: async (participant) => {
      const click = await buildClick(db, { participant, at: daysAgo(1) });
      await setStatus(participant, 'suspended');
      return { clickId: click.id };
    },
  },
  {
    name: 'a click made before the approval',
    reason: 'PARTNER_NOT_APPROVED',
    arrange: async (participant) => ({
      clickId: (await buildClick(db, { participant, at: daysAgo(1), creditable: false })).id,
    }),
  },
  {
    name: 'an erased partner',
    reason: 'PARTNER_ERASED',
    arrange: async (participant) => {
      const promoCode = (await buildPromoCode(db, participant)).code;
      await execute(db, 'UPDATE participants SET erased_at = $2 WHERE id = $1', [
        participant.id,
        now,
      ]);
      return { promoCode };
    },
  },
  {
    name: 'a paused programme',
    reason: 'PROGRAM_NOT_ACTIVE',
    arrange: async (participant) => {
      const promoCode = (await buildPromoCode(db, participant)).code;
      await execute(db, `UPDATE programs SET status = 'paused' WHERE id = $1`, [
        participant.programId,
      ]);
      return { promoCode };
    },
  },
  {
    name: "a partner's own purchase, where that is rejected",
    reason: 'FRAUD_REJECTED',
    arrange: async (participant) => {
      await execute(
        db,
        `INSERT INTO program_fraud_rules (program_id, workspace_id, mode, rules, updated_at)
         VALUES ($1, $2, $3, $4, now())`,
        [
          participant.programId,
          participant.workspaceId,
          participant.mode,
          { self_referral_email: { action: 'reject', threshold: null } },
        ],
      );
      return {
        promoCode: (await buildPromoCode(db, participant)).code,
        prospect: { email: participant.partnerEmail.toUpperCase(), hash: 'hash' },
      };
    },
  },
];

describe.each(cases)('a reason not to credit: $name', ({ reason, arrange }) => {
  it(`is told as ${reason}, by the dry run and the report alike`, async () => {
    const participant = await buildParticipant(db);
    const scope = scopeOf(participant);
    const report = buildReport(await arrange(participant));

    const dry = await dryRunConversion(db, { scope, now }, report);
    expect(await rowsOf(scope)).toEqual(nothing);

    const real = await recordConversion(db, { scope, now }, report);
    expect(real).toMatchObject({ reason, attributed: reason === 'ATTRIBUTED' });
    expect(withoutIds(dry.record)).toEqual(withoutIds(real));
    expect(await rowsOf(scope)).toMatchObject({
      conversions: 1,
      attribution_decisions: 1,
      commissions: reason === 'ATTRIBUTED' ? 1 : 0,
    });
  });
});

function withoutIds(record: ConversionRecord): unknown {
  const { id: _id, commission, ...rest } = record;
  return { ...rest, commission: commission && { ...commission, id: '' } };
}
