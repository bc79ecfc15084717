import { erasedEmail } from '../../../entities/rules/erasure/erasure';
import type { Mode } from '../../../entities/rules/values/mode';
import { query } from '../../../entities/database/sql';
import type { Db } from '../../../entities/database/sql';
import { useApp } from '../../support/app';
import { buildMember } from '../../support/build/accounts';
import { buildParticipant } from '../../support/build/programs';
import { callerOf } from '../../support/callers';
import { codeOf } from '../../support/api-client';
import { accept, expired, inviteShops } from '../../support/partners/invites';

const app = useApp();
let db: Db;

beforeAll(async () => {
  db = app.deps.db.manager;
});

const { openShop, invite, partnerCaller } = inviteShops(() => app);

describe.each<Mode>(['test', 'live'])('invites in %s mode', (mode) => {
  it('makes whoever holds the token an approved participant', async () => {
    const shop = await openShop(mode);
    const { token } = await invite(shop);
    const { api, partner } = await partnerCaller(mode);

    const accepted = await api.post(accept, { token });

    expect(accepted.status).toBe(201);
    expect(accepted.headers.get('location')).not.toBeNull();
    expect(accepted.body).toMatchObject({
      programId: shop.program.id,
      partnerGpaId: partner.id,
      partnerName: partner.name,
      partnerEmail: partner.email,
      status: 'approved',
    });
    expect(accepted.body['approvedAt']).not.toBeNull();
    const list = await shop.api.get<{ data: { status: string }[] }>(shop.path);
    expect(list.body.data[0]?.status).toBe('accepted');
    const events = await query(db, 'SELECT type, mode FROM events WHERE object_id = $1', [
      accepted.body['id'],
    ]);
    expect(events).toEqual([{ type: 'participant.approved', mode }]);
  });
});

describe('accepting as somebody who is in the programme', () => {
  it.each(['pending', 'rejected'] as const)(
    'approves a %s participant in place',
    async (status) => {
      const shop = await openShop();
      const { api, partner } = await partnerCaller();
      const participant = await buildParticipant(db, {
        program: shop.program,
        partnerId: partner.id,
        status,
        statusReason: status === 'rejected' ? 'No website' : null,
        referralCode: `code-${status}`,
      });
      const { token } = await invite(shop);
      const accepted = await api.post(accept, { token });
      expect(accepted.status).toBe(200);
      expect(accepted.body).toMatchObject({
        id: participant.id,
        status: 'approved',
        statusReason: null,
        referralCode: `code-${status}`,
      });
    },
  );

  it('changes nothing for an approved one, and spends the invite', async () => {
    const shop = await openShop();
    const { api, partner } = await partnerCaller();
    const participant = await buildParticipant(db, {
      program: shop.program,
      partnerId: partner.id,
    });
    const { token } = await invite(shop);
    const accepted = await api.post(accept, { token });
    expect(accepted.body).toMatchObject({ id: participant.id, status: 'approved' });
    expect(await query(db, 'SELECT 1 FROM events WHERE object_id = $1', [participant.id])).toEqual(
      [],
    );
    const other = await partnerCaller();
    expect(codeOf(await other.api.post(accept, { token }))).toEqual(expired);
  });

  it('never lifts a suspension or an erasure, and does not spend the invite then', async () => {
    const shop = await openShop();
    const { token } = await invite(shop);
    const suspended = await partnerCaller();
    const erased = await partnerCaller();
    await buildParticipant(db, {
      program: shop.program,
      partnerId: suspended.partner.id,
      status: 'suspended',
    });
    await buildParticipant(db, {
      program: shop.program,
      partnerId: erased.partner.id,
      erasedAt: new Date(),
    });

    expect(codeOf(await suspended.api.post(accept, { token }))).toEqual([
      409,
      'PARTICIPANT_INVALID_TRANSITION',
    ]);
    expect(codeOf(await erased.api.post(accept, { token }))).toEqual([409, 'PARTICIPANT_ERASED']);
    const fresh = await partnerCaller();
    expect((await fresh.api.post(accept, { token })).status).toBe(201);
  });

  it('invites the address of an erased participant as any other, and leaves it erased', async () => {
    const shop = await openShop();
    const { partner, api } = await partnerCaller();
    const { id } = await buildParticipant(db, {
      program: shop.program,
      partnerId: partner.id,
      partnerEmail: erasedEmail,
      erasedAt: new Date(),
    });

    // A refusal would reveal whose address the erased participant had.
    const { token } = await invite(shop, partner.email);

    expect(codeOf(await api.post(accept, { token }))).toEqual([409, 'PARTICIPANT_ERASED']);
    const rows = await query(
      db,
      `SELECT erased_at IS NOT NULL AS erased, partner_email AS email,
              (SELECT status FROM partner_invites WHERE program_id = p.program_id) AS invite
         FROM participants AS p WHERE id = $1`,
      [id],
    );
    expect(rows).toEqual([{ erased: true, email: erasedEmail, invite: 'pending' }]);
  });

  it('refuses an invite into a programme that was archived meanwhile', async () => {
    const shop = await openShop();
    const { id, token } = await invite(shop);
    const owner = await buildMember(db, { workspaceId: shop.program.workspaceId });
    const api = await callerOf(app, owner);
    await api.post(`/api/v1/programs/${shop.program.id}/archive`);
    const partner = await partnerCaller();
    expect(codeOf(await partner.api.post(accept, { token }))).toEqual([409, 'PROGRAM_ARCHIVED']);
    expect(codeOf(await api.post(`${shop.path}/${id}/resend`))).toEqual([409, 'PROGRAM_ARCHIVED']);
    expect(codeOf(await api.delete(`${shop.path}/${id}`))).toEqual([409, 'PROGRAM_ARCHIVED']);
  });
});
