import { anonymiseSubject } from '../../../activities/erasure/anonymise';
import { lockSubject } from '../../../activities/erasure/lock';
import { acceptPartnerInvite } from '../../../activities/partners/accept-invite';
import { addPartner } from '../../../activities/partners/add-partner';
import { applyToProgram } from '../../../activities/partners/applications';
import { invitePartner } from '../../../activities/partners/invites';
import { createPayout } from '../../../activities/payouts/payouts';
import { deriveMailToken } from '../../../runtime/crypto/mail-tokens';
import { createVault } from '../../../runtime/crypto/vault';
import { newId } from '../../../entities/ids';
import { systemActor } from '../../../entities/rules/values/actor';
import { query, queryOne } from '../../../entities/database/sql';
import type { Program } from '../../../entities/tables/programs/program.entity';
import { useDatabase } from '../../support/data-source';
import { buildPartner, type BuiltPartner } from '../../support/build/accounts';
import { buildCommission } from '../../support/build/commissions';
import { codeOf } from '../../support/build/payouts';
import { buildParticipant, buildProgram } from '../../support/build/programs';

const database = useDatabase(10);

const key = { id: 'k', key: Buffer.alloc(32, 1) };
const vault = createVault({
  encryptionKeys: [key],
  ipHashKeys: [key],
  contactHashKey: Buffer.alloc(32, 2),
} as Parameters<typeof createVault>[0]);
const cause = { actor: systemActor, now: new Date() };

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
    { ...cause, now: new Date() },
    { erasureId: newId(), kind, subjectId },
  );

it.each([
  ['the payout', ['ok', 'ERASURE_BLOCKED_PAYOUT']],
  ['the erasure', ['PAYOUT_EMPTY', 'ok']],
])('refuses the second of a payout and an erasure when %s comes first', async (first, codes) => {
  const { program, partner } = await buildStory();
  const scope = { workspaceId: program.workspaceId, mode: program.mode };
  const context = { scope, actor: systemActor, now: new Date() };
  const command = { program, reference: null };
  const pay = () => codeOf(createPayout(database.source.manager, context, command));
  const erase = () => codeOf(lockOf('account', partner.id));
  if (first === 'the payout') expect([await pay(), await erase()]).toEqual(codes);
  else expect([await erase(), await pay()].reverse()).toEqual(codes);
});

it('never has an erased partner in a running payout, when both come at once', async () => {
  for (let round = 0; round < 20; round += 1) {
    const { program, partner, participant } = await buildStory();
    const scope = { workspaceId: program.workspaceId, mode: program.mode };
    const command = { program, reference: null };
    const context = { scope, actor: systemActor, now: new Date() };
    const results = await Promise.allSettled([
      createPayout(database.source.manager, context, command),
      lockOf('account', partner.id),
    ]);
    const done = results.filter(({ status }) => status === 'fulfilled');
    expect(done).toHaveLength(1);
    const both = await queryOne(
      database.source.manager,
      `SELECT 1 FROM participants p JOIN payout_items i ON i.participant_id = p.id
         JOIN payouts o ON o.id = i.payout_id
        WHERE p.id = $1 AND p.erased_at IS NOT NULL AND o.status = 'processing'`,
      [participant.id],
    );
    expect(both).toBeUndefined();
  }
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

const ways = ['an application', 'an accepted invite'] as const;

async function join(way: (typeof ways)[number], program: Program, partner: BuiltPartner) {
  const db = database.source.manager;
  const { id: programId, workspaceId, mode } = program;
  if (way === 'an application') {
    const command = { programId, mode, partnerId: partner.id };
    return () => applyToProgram({ db, vault }, cause, command);
  }
  const context = { ...cause, scope: { workspaceId, mode } };
  const invite = await invitePartner(db, context, { programId, email: partner.email });
  const token = deriveMailToken(vault, { purpose: 'partner_invite', ...invite });
  const command = { token, partnerId: partner.id, mode };
  return () => acceptPartnerInvite({ db, vault }, cause, command);
}

describe.each(ways)('an erasure that meets %s', (way) => {
  it('of the account takes the new participation too, or refuses it', async () => {
    for (let round = 0; round < 10; round += 1) {
      const db = database.source.manager;
      const program = await buildProgram(db);
      const partner = await buildPartner(db);
      const joining = await join(way, program, partner);

      const [joined, erased] = await Promise.allSettled([joining(), lockOf('account', partner.id)]);

      expect(erased.status).toBe('fulfilled');
      if (joined.status === 'rejected') {
        expect(joined.reason).toMatchObject({ code: 'PARTICIPANT_ERASED' });
      }
      const rows = await query<{ erased: boolean }>(
        db,
        'SELECT erased_at IS NOT NULL AS erased FROM participants WHERE partner_id = $1',
        [partner.id],
      );
      expect(rows).toEqual(joined.status === 'fulfilled' ? [{ erased: true }] : []);
    }
  });

  it('of the participation is never undone by it', async () => {
    for (let round = 0; round < 10; round += 1) {
      const db = database.source.manager;
      const program = await buildProgram(db);
      const partner = await buildPartner(db);
      const { id } = await buildParticipant(db, {
        ...{ program, partnerId: partner.id, status: 'pending' },
      });
      const joining = await join(way, program, partner);

      const [joined, erased] = await Promise.allSettled([joining(), lockOf('participant', id)]);

      expect(erased.status).toBe('fulfilled');
      const row = await queryOne<{ erased: boolean; status: string }>(
        db,
        'SELECT erased_at IS NOT NULL AS erased, status FROM participants WHERE id = $1',
        [id],
      );
      const status = joined.status === 'fulfilled' ? 'approved' : 'pending';
      expect(row).toEqual({ erased: true, status });
      const codes = ['PARTICIPANT_ERASED', 'APPLICATION_DUPLICATE'];
      if (joined.status === 'rejected') {
        expect(codes).toContain((joined.reason as { code: string }).code);
      }
      await expect(joining()).rejects.toMatchObject({ code: 'PARTICIPANT_ERASED' });
    }
  });
});

it('clears an account that nobody claimed, or lets it be added elsewhere at the same moment', async () => {
  const deps = { db: database.source, vault };
  const db = database.source.manager;
  for (let round = 0; round < 20; round += 1) {
    const email = `${newId()}@added.example`;
    const [here, elsewhere] = [await buildProgram(db), await buildProgram(db)];
    const add = ({ id: programId, workspaceId, mode }: Program) =>
      addPartner(
        { db, vault },
        { scope: { workspaceId, mode }, actor: systemActor, now: new Date() },
        { programId, email, name: 'Ada' },
      );
    const { participantId: subjectId } = await add(here);
    const erasureId = newId();
    await lockSubject(deps, cause, { erasureId, kind: 'participant', subjectId });
    const [, added, again] = await Promise.all([
      anonymiseSubject(deps, cause, erasureId),
      add(elsewhere),
      codeOf(add(here)),
    ]);
    expect(again).toBe('PARTICIPANT_ERASED');
    const account = await queryOne<{ email: string; erased: boolean }>(
      db,
      `SELECT a.email, a.erased_at IS NOT NULL AS erased
         FROM participants AS p JOIN partner_accounts AS a ON a.id = p.partner_id
        WHERE p.id = $1 AND p.erased_at IS NULL`,
      [added.participantId],
    );
    expect(account).toEqual({ email, erased: false });
    const known = await query(db, 'SELECT 1 FROM partner_accounts WHERE email = $1', [email]);
    expect(known).toHaveLength(1);
  }
});
