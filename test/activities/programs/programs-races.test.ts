import { applyToProgram } from '../../../activities/partners/applications';
import { decideParticipant } from '../../../activities/partners/participant-decisions';
import { deriveMailToken } from '../../../runtime/crypto/mail-tokens';
import { acceptPartnerInvite } from '../../../activities/partners/accept-invite';
import { invitePartner } from '../../../activities/partners/invites';
import { addPromoCode } from '../../../activities/partners/promo-codes';
import { archiveProgram, updateProgram } from '../../../activities/programs/programs';
import { createLink } from '../../../activities/partners/tracking-links';
import { createVault } from '../../../runtime/crypto/vault';
import { newId } from '../../../entities/ids';
import type { Actor } from '../../../entities/rules/values/actor';
import type { Scope } from '../../../entities/rules/values/mode';
import { query, queryOne, transaction } from '../../../entities/database/sql';
import type { Db } from '../../../entities/database/sql';
import { buildPartner } from '../../support/build/accounts';
import { buildParticipant, buildProgram } from '../../support/build/programs';
import { useDatabase } from '../../support/data-source';

const database = useDatabase();
let db: Db;

beforeAll(() => {
  db = database.source.manager;
});

const actor: Actor = { type: 'member', id: newId() };
const cause = { actor, now: new Date() };
const contextOf = ({ workspaceId, mode }: Scope) => ({ ...cause, scope: { workspaceId, mode } });
const key = { id: 'k', key: Buffer.alloc(32, 1) };
const vault = createVault({
  encryptionKeys: [key],
  ipHashKeys: [key],
  contactHashKey: Buffer.alloc(32, 2),
} as Parameters<typeof createVault>[0]);

/** How many went through, and the codes of the others. */
async function outcomes(attempts: Promise<unknown>[]): Promise<{ done: number; codes: string[] }> {
  const settled = await Promise.allSettled(attempts);
  const codes = settled.flatMap((one) =>
    one.status === 'rejected' ? [(one.reason as { code: string }).code] : [],
  );
  return { done: settled.length - codes.length, codes: [...new Set(codes)] };
}

describe('races', () => {
  it.each([
    ['approve', 'pending'],
    ['reject', 'pending'],
    ['suspend', 'approved'],
    ['reinstate', 'suspended'],
  ] as const)('has exactly one winner of many who %s', async (decision, status) => {
    const participant = await buildParticipant(db, { status });
    const { id: participantId, programId } = participant;
    const command = { programId, participantId, decision, reason: 'x' };

    const result = await outcomes(
      Array.from({ length: 8 }, () => decideParticipant(db, contextOf(participant), command)),
    );

    expect(result).toEqual({ done: 1, codes: ['PARTICIPANT_INVALID_TRANSITION'] });
    // The event is what notifies the partner: one of it is one mail.
    expect(
      await query(db, 'SELECT 1 FROM events WHERE object_id = $1', [participantId]),
    ).toHaveLength(1);
  });

  it('never leaves a participant both rejected and suspended', async () => {
    for (let round = 0; round < 5; round += 1) {
      const participant = await buildParticipant(db, { status: 'pending' });
      const { id: participantId, programId } = participant;
      const command = { programId, participantId, reason: 'x' };
      const context = contextOf(participant);
      await outcomes([
        decideParticipant(db, context, { ...command, decision: 'approve' }),
        decideParticipant(db, context, { ...command, decision: 'reject' }),
        decideParticipant(db, context, { ...command, decision: 'suspend' }),
      ]);
      const events = await query<{ type: string }>(
        db,
        'SELECT type FROM events WHERE object_id = $1 ORDER BY seq',
        [participantId],
      );
      const types = events.map((event) => event.type.replace('participant.', '')).join(' ');
      expect([
        'approved',
        'approved suspended',
        'rejected',
        'rejected approved',
        'rejected approved suspended',
      ]).toContain(types);
    }
  });

  it('gives a promo code to one participant', async () => {
    const program = await buildProgram(db);
    const rivals = await Promise.all(
      Array.from({ length: 8 }, () => buildParticipant(db, { program })),
    );
    const result = await outcomes(
      rivals.map(({ id, programId }) =>
        addPromoCode(db, contextOf(program), { programId, participantId: id, code: 'Wanted' }),
      ),
    );
    expect(result).toEqual({ done: 1, codes: ['PROMO_CODE_TAKEN'] });
  });

  it('makes one participant of applications and an accepted invite at once', async () => {
    const program = await buildProgram(db);
    const partner = await buildPartner(db);
    const { id: programId, mode } = program;
    const invite = await invitePartner(db, contextOf(program), { programId, email: partner.email });
    const token = deriveMailToken(vault, { purpose: 'partner_invite', ...invite });
    const who = { partnerId: partner.id, mode };

    const result = await outcomes([
      applyToProgram({ db, vault }, cause, { ...who, programId }),
      acceptPartnerInvite({ db, vault }, cause, { ...who, token }),
      applyToProgram({ db, vault }, cause, { ...who, programId }),
    ]);

    expect(result.codes).toEqual(['APPLICATION_DUPLICATE']);
    const rows = await query<{ status: string }>(
      db,
      'SELECT status FROM participants WHERE program_id = $1',
      [programId],
    );
    expect(rows).toEqual([{ status: 'approved' }]);
  });

  it('keeps one open invite per address, whose last generation alone opens', async () => {
    const program = await buildProgram(db);
    const command = { programId: program.id, email: 'anna@partner.example' };
    const invites = await Promise.all(
      Array.from({ length: 5 }, () => invitePartner(db, contextOf(program), command)),
    );
    expect(new Set(invites.map((invite) => invite.id)).size).toBe(1);
    expect(invites.map((invite) => invite.generation).sort()).toEqual([1, 2, 3, 4, 5]);
  });

  it('gives one referral code to one of several applicants, and the others nothing', async () => {
    const { id: programId, mode } = await buildProgram(db);
    const partners = await Promise.all(Array.from({ length: 6 }, () => buildPartner(db)));
    const result = await outcomes(
      partners.map(({ id: partnerId }) =>
        applyToProgram({ db, vault }, cause, {
          programId,
          mode,
          partnerId,
          referralCode: 'golden',
        }),
      ),
    );
    expect(result).toEqual({ done: 1, codes: ['REFERRAL_CODE_TAKEN'] });
    const counted = await queryOne<{ total: number }>(
      db,
      'SELECT count(*) AS total FROM participants WHERE program_id = $1',
      [programId],
    );
    expect(counted?.total).toBe(1);
  });

  it('lets nothing into a programme after it was archived', async () => {
    for (let round = 0; round < 5; round += 1) {
      const participant = await buildParticipant(db);
      const { programId, id: participantId } = participant;
      const context = contextOf(participant);
      const link = { programId, participantId, targetUrl: 'https://shop.example' };
      await Promise.allSettled([
        archiveProgram(db, context, { programId }),
        createLink(db, context, link),
        updateProgram(db, context, { programId, patch: { name: 'New', status: 'active' } }),
        invitePartner(db, context, { programId, email: 'b@partner.example' }),
      ]);
      const program = await queryOne<{ status: string }>(
        db,
        'SELECT status FROM programs WHERE id = $1',
        [programId],
      );
      expect(program?.status).toBe('archived');
    }
  });
});

describe('an account that changes while it joins', () => {
  it('is copied as it is in the end', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id: programId, mode } = await buildProgram(db);
      const partner = await buildPartner(db, { name: 'Old' });
      const rename = transaction(db, async (tx) => {
        await query(tx, `UPDATE partner_accounts SET name = 'New' WHERE id = $1`, [partner.id]);
        await query(
          tx,
          `UPDATE participants SET partner_name = 'New' WHERE partner_id = $1 AND erased_at IS NULL`,
          [partner.id],
        );
      });
      await Promise.all([
        applyToProgram({ db, vault }, cause, { programId, mode, partnerId: partner.id }),
        rename,
      ]);
      const row = await queryOne<{ name: string }>(
        db,
        'SELECT partner_name AS name FROM participants WHERE partner_id = $1',
        [partner.id],
      );
      expect(row?.name).toBe('New');
    }
  });
});
