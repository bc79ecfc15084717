import { lockSubject } from '../../../activities/erasure/lock';
import { createPayout } from '../../../activities/payouts/payouts';
import { newId } from '../../../entities/ids';
import { systemActor } from '../../../entities/rules/values/actor';
import { queryOne } from '../../../entities/database/sql';
import { openTestDataSource, type TestDataSource } from '../../support/data-source';
import { buildPartner } from '../../support/build/accounts';
import { buildCommission } from '../../support/build/commissions';
import { buildParticipant, buildProgram } from '../../support/build/programs';

let database: TestDataSource;
beforeAll(async () => {
  database = await openTestDataSource(10);
});
afterAll(() => database.close());

const vault = { encrypt: (text: string) => text, decrypt: (text: string) => text } as never;

async function buildStory() {
  const db = database.source.manager;
  const program = await buildProgram(db);
  const partner = await buildPartner(db);
  const participant = await buildParticipant(db, { program, partnerId: partner.id });
  await buildCommission(db, { participant, program, status: 'approved' });
  return { program, partner, participant };
}

const lockOf = (kind: 'account' | 'participant', subjectId: string) =>
  lockSubject(
    { db: database.source, vault },
    { erasureId: newId(), kind, subjectId, actor: systemActor },
    new Date(),
  );

it('never has an erased partner in a running payout, whoever comes first', async () => {
  const outcomes = new Set<string>();
  for (let round = 0; round < 20; round += 1) {
    const { program, participant } = await buildStory();
    const scope = { workspaceId: program.workspaceId, mode: program.mode };
    const command = { program, reference: null };
    const context = { scope, actor: systemActor, now: new Date() };
    const results = await Promise.allSettled([
      createPayout(database.source.manager, context, command),
      lockOf('participant', participant.id),
    ]);
    const [paid, erased] = results.map(({ status }) => status === 'fulfilled');
    expect([paid, erased].filter(Boolean)).toHaveLength(1);
    outcomes.add(paid ? 'paid' : 'erased');
    const both = await queryOne(
      database.source.manager,
      `SELECT 1 FROM participants p JOIN payout_items i ON i.participant_id = p.id
         JOIN payouts o ON o.id = i.payout_id
        WHERE p.id = $1 AND p.erased_at IS NOT NULL AND o.status = 'processing'`,
      [participant.id],
    );
    expect(both).toBeUndefined();
  }
  expect(outcomes.size).toBeGreaterThan(0);
});

it('lets one of several erasures of a subject begin, and an account take its participations', async () => {
  const { partner, participant } = await buildStory();
  const results = await Promise.allSettled([
    lockOf('account', partner.id),
    lockOf('participant', participant.id),
    lockOf('account', partner.id),
    lockOf('participant', participant.id),
  ]);
  const codes = results.map((result) =>
    result.status === 'fulfilled' ? 'begun' : (result.reason as { code: string }).code,
  );
  expect([codes[0], codes[2]].sort()).toEqual(['ALREADY_ERASED', 'begun']);
  expect(codes.filter((code) => code !== 'begun')).toEqual(
    codes.filter((code) => code === 'ALREADY_ERASED'),
  );
  const row = await queryOne<{ erased: boolean }>(
    database.source.manager,
    'SELECT erased_at IS NOT NULL AS erased FROM participants WHERE id = $1',
    [participant.id],
  );
  expect(row).toEqual({ erased: true });
});
