import { createParticipant } from '../../../activities/partners/participants';
import { claimToken } from '../../../activities/partners/referral-tokens';
import { newId } from '../../../entities/ids';
import type { Participant } from '../../../entities/tables/partners/participant.entity';
import type { Program } from '../../../entities/tables/programs/program.entity';
import { execute, query, type Tx } from '../../../entities/database/sql';
import { demoPartners, yearDays, type DemoPartner } from './shape';

const dayMs = 86_400_000;

export interface SeededPartner extends DemoPartner {
  participant: Participant;
  linkIds: string[];
}

/** The partners of the year, each with two links and perhaps a promo code; none has a login. */
export async function seedPartners(tx: Tx, program: Program, end: Date): Promise<SeededPartner[]> {
  const seeded: SeededPartner[] = [];
  for (const partner of demoPartners) {
    const now = new Date(end.getTime() - (yearDays - partner.since) * dayMs);
    const email = `${partner.referralCode}@partners.example`;
    const participant = await createParticipant(
      tx,
      { scope: program, now },
      {
        programId: program.id,
        partner: { id: newId(now), name: partner.name, email },
        status: 'approved',
        referralCode: partner.referralCode,
      },
    );
    if (!participant) throw new Error(`${partner.name} is there already`);
    await execute(
      tx,
      'UPDATE participants SET created_at = $2, approved_at = $2, updated_at = $2 WHERE id = $1',
      [participant.id, now],
    );
    await addLink(tx, participant, { token: `${partner.referralCode}-post`, now });
    if (partner.promoCode) await addCode(tx, participant, { code: partner.promoCode, now });
    seeded.push({ ...partner, participant, linkIds: await linksOf(tx, participant.id) });
  }
  return seeded;
}

async function addLink(
  tx: Tx,
  participant: Participant,
  { token, now }: { token: string; now: Date },
): Promise<void> {
  const linkId = newId(now);
  const { workspaceId, mode, programId, id } = participant;
  await execute(
    tx,
    `INSERT INTO tracking_links (id, workspace_id, mode, program_id, participant_id, is_default,
       token, name, target_url, created_at)
     SELECT $1, $2, $3, $4, $5, false, $6, 'Blog post', website_url || '/beans', $7
       FROM programs WHERE id = $4`,
    [linkId, workspaceId, mode, programId, id, token, now],
  );
  const owner = { ...participant, participantId: id };
  await claimToken(tx, owner, { token, kind: 'link', linkId, now });
}

async function addCode(
  tx: Tx,
  { workspaceId, mode, programId, id }: Participant,
  { code, now }: { code: string; now: Date },
): Promise<void> {
  await execute(
    tx,
    `INSERT INTO promo_codes (id, workspace_id, mode, program_id, participant_id, code, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [newId(now), workspaceId, mode, programId, id, code, now],
  );
}

async function linksOf(tx: Tx, participantId: string): Promise<string[]> {
  const rows = await query<{ id: string }>(
    tx,
    'SELECT id FROM tracking_links WHERE participant_id = $1 ORDER BY is_default DESC',
    [participantId],
  );
  return rows.map(({ id }) => id);
}
