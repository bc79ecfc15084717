import type { Scope } from '../../../../entities/rules/values/mode';
import type { Db } from '../../../../entities/database/sql';
import { buildClick } from '../../../support/build/clicks';
import { buildConversion, buildReport, recordConversion } from '../../../support/build/conversions';
import { buildParticipant, buildPromoCode } from '../../../support/build/programs';
import type { BuiltParticipant } from '../../../support/build/programs';
import { useDatabase } from '../../../support/data-source';
import { refusalOf } from '../../../support/answers/refusal';
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

describe('refusals (attribution.md, Refusals)', () => {
  it('store nothing', async () => {
    const participant = await buildParticipant(db);
    const scope = scopeOf(participant);
    const otherMode: Scope = { ...scope, mode: scope.mode === 'live' ? 'test' : 'live' };
    const click = await buildClick(db, { participant, at: daysAgo(1) });

    const none = await refusalOf(recordConversion(db, { scope, now }, buildReport()));
    expect(none.code).toBe('NO_ATTRIBUTION_SIGNAL');
    const mismatch = buildReport({ clickId: click.id, promoCode: 'NOBODYS' });
    const refusal = await refusalOf(recordConversion(db, { scope: otherMode, now }, mismatch));
    expect(refusal.code).toBe('MODE_MISMATCH');
    const early = buildReport({
      clickId: click.id,
      occurredAt: new Date(now.getTime() + 5 * 60_000 + 1),
    });
    expect((await refusalOf(recordConversion(db, { scope, now }, early))).code).toBe(
      'VALIDATION_ERROR',
    );
    expect(await rowsOf(scope)).toEqual(nothing);
  });

  it('a code of the other mode is MODE_MISMATCH, unless this mode has it too', async () => {
    const live = await buildParticipant(db, { mode: 'live' });
    const { workspaceId } = live;
    const { code } = await buildPromoCode(db, live);
    const test: Scope = { workspaceId, mode: 'test' };
    const report = buildReport({ promoCode: code });
    expect((await refusalOf(recordConversion(db, { scope: test, now }, report))).code).toBe(
      'MODE_MISMATCH',
    );

    const own = await buildParticipant(db, { workspaceId, mode: 'test' });
    await buildPromoCode(db, own, { code });
    expect(await recordConversion(db, { scope: test, now }, report)).toMatchObject({
      participantId: own.id,
    });
  });

  it('a duplicate goes before a mode mismatch', async () => {
    const participant = await buildParticipant(db);
    const first = await buildConversion(db, { participant });
    const otherMode: Scope = { workspaceId: participant.workspaceId, mode: 'test' };
    const testPartner = await buildParticipant(db, { ...otherMode });
    const { code } = await buildPromoCode(db, testPartner);
    const again = buildReport({
      externalTransactionId: first.externalTransactionId,
      promoCode: code,
    });
    const refusal = await refusalOf(
      recordConversion(db, { scope: scopeOf(participant), now }, again),
    );
    expect(refusal.code).toBe('CONVERSION_DUPLICATE');
  });
});
