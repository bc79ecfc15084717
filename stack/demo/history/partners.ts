import { createParticipant } from '../../../activities/partners/participants';
import { takeToken } from '../../../activities/partners/referral-tokens';
import { findOne } from '../../../entities/database/find';
import { newId } from '../../../entities/ids';
import { Participant } from '../../../entities/tables/partners/participant.entity';
import type { Program } from '../../../entities/tables/programs/program.entity';
import { execute, query, type Tx } from '../../../entities/database/sql';
import { ava, demoPartners, startOf, type DemoPartner } from './shape';
import { dayMs } from '../../../entities/rules/values/duration';

export interface SeededPartner extends DemoPartner {
  participant: Participant;
  linkIds: string[];
}

/** The partners of a history, each with two links and perhaps a promo code; of them Ava alone has a login. */
export async function seedPartners(
  tx: Tx,
  program: Program,
  { end, days }: { end: Date; days: number },
): Promise<SeededPartner[]> {
  const seeded: SeededPartner[] = [];
  const known = await findOne(tx, Participant, {
    where: { programId: program.id, referralCode: ava.referralCode },
  });
  for (const partner of known ? [ava, ...demoPartners] : demoPartners) {
    const now = new Date(end.getTime() - (days - startOf(partner, days)) * dayMs);
    const participant = partner === ava ? known : await join(tx, program, { partner, now });
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

/** Undefined when the programme has such a partner. */
function join(
  tx: Tx,
  program: Program,
  { partner: { name, referralCode }, now }: { partner: DemoPartner; now: Date },
): Promise<Participant | undefined> {
  return createParticipant(
    tx,
    { scope: program, now },
    {
      programId: program.id,
      partner: { id: newId(now), name, email: `${referralCode}@partners.example` },
      status: 'approved',
      referralCode,
    },
  );
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
  await takeToken(tx, owner, { token, kind: 'link', linkId, now });
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
