import { query } from '../../../entities/database/sql';
import { newId } from '../../../entities/ids';
import { useApp } from '../../support/app';
import { asOwner } from '../../support/database';
import { buildMember, buildPartner, signIn } from '../../support/build/accounts';
import { buildCommission, buildPayout } from '../../support/build/commissions';
import {
  buildLink,
  buildParticipant,
  buildProgram,
  buildPromoCode,
} from '../../support/build/programs';

const app = useApp();

async function buildStory() {
  const db = app.deps.db.manager;
  const owner = await buildMember(db);
  const partner = await buildPartner(db, { name: 'Pat Example' });
  const identity = {
    partnerId: partner.id,
    partnerName: partner.name,
    partnerEmail: partner.email,
  };
  const build = async (name: string) => {
    const program = await buildProgram(db, { workspaceId: owner.workspaceId, name });
    const participant = await buildParticipant(db, { program, ...identity });
    await buildLink(db, participant, { name: `Link of ${name}` });
    await buildPromoCode(db, participant);
    const commission = await buildCommission(db, { participant, program });
    const due = await buildCommission(db, { participant, program, status: 'approved' });
    await buildPayout(db, [due]);
    return { program, participant, commission };
  };
  const tea = await build('Tea');
  const coffee = await build('Coffee');
  const merchant = app.client.as((await signIn(app.deps, owner)).accessToken, 'live');
  const self = app.client.as((await signIn(app.deps, partner)).accessToken, 'live');
  return { partner, tea, coffee, merchant, self };
}

/** Copies of a commission under these ids, each of a conversion of its own. */
async function multiply(id: string, ids: readonly string[]): Promise<void> {
  const columns = await query<{ name: string }>(
    app.deps.db.manager,
    `SELECT attname AS name FROM pg_attribute
      WHERE attrelid = 'commissions'::regclass AND attnum > 0 AND attgenerated = ''
        AND NOT attisdropped`,
  );
  const names = columns.map(({ name }) => name);
  const values = names.map((name) => {
    if (name === 'id') return 'copy.id';
    return name === 'conversion_id' ? 'gen_random_uuid()' : `c.${name}`;
  });
  await asOwner(
    app.deps.config.databaseUrl,
    `INSERT INTO commissions (${names.join(', ')}) SELECT ${values.join(', ')}
       FROM commissions AS c CROSS JOIN unnest($2::uuid[]) AS copy(id) WHERE c.id = $1`,
    [id, ids],
  );
}

interface Refused {
  code?: string;
  details?: { field: string }[];
}

interface Bundle {
  account: Record<string, unknown>;
  participant: { id: string };
  links: { name: string | null }[];
  promoCodes: object[];
  commissions: { id: string; externalTransactionId?: string }[];
  payouts: { status: string }[];
}

describe("a merchant's export of a partner (erasure.md, Export)", () => {
  it('has the rows of this programme, and of the account only name and address', async () => {
    const { partner, tea, merchant } = await buildStory();
    const path = `/api/v1/programs/${tea.program.id}/partners/${tea.participant.id}/export`;
    const { status, body } = await merchant.post<Bundle>(path);
    expect(status).toBe(200);
    expect(body.account).toEqual({ name: partner.name, email: partner.email });
    expect(body.participant.id).toBe(tea.participant.id);
    expect(body.links.map(({ name }) => name)).toEqual([null, 'Link of Tea']);
    expect(body.promoCodes).toHaveLength(1);
    expect(body.commissions).toHaveLength(2);
    expect(body.commissions.map(({ id }) => id)).toContain(tea.commission.id);
    expect(body.payouts).toMatchObject([{ status: 'processing' }]);
  });

  it('is whole and in order over many pages', async () => {
    const { tea, merchant } = await buildStory();
    const many = Array.from({ length: 2_300 }, () => newId());
    await multiply(tea.commission.id, many);
    const path = `/api/v1/programs/${tea.program.id}/partners/${tea.participant.id}/export`;
    const { body } = await merchant.post<Bundle>(path);
    const ids = body.commissions.map(({ id }) => id);
    expect(ids).toHaveLength(2_302);
    expect(ids).toEqual([...new Set(ids)].sort());
    expect(body.payouts).toHaveLength(1);
  });

  it('checks the form of an Idempotency-Key, and reads again for one that came before', async () => {
    const { tea, merchant, self } = await buildStory();
    const path = `/api/v1/programs/${tea.program.id}/partners/${tea.participant.id}/export`;
    const headers = (key: string) => ({ headers: { 'Idempotency-Key': key } });
    for (const send of [
      (key: string) => merchant.post<Refused>(path, undefined, headers(key)),
      (key: string) =>
        self.post<Refused>('/api/v1/partner/account/export', undefined, headers(key)),
    ]) {
      const refused = await send('x'.repeat(256));
      expect([refused.status, refused.body.details?.[0]?.field]).toEqual([400, 'Idempotency-Key']);
      for (const key of ['one', 'one']) {
        const answer = await send(key);
        expect([answer.status, answer.headers.get('idempotent-replayed')]).toEqual([200, null]);
      }
    }
  });

  it('is for admins of the workspace', async () => {
    const { tea, coffee } = await buildStory();
    const { merchant } = await buildStory();
    const path = `/api/v1/programs/${tea.program.id}/partners/${tea.participant.id}/export`;
    const refused = await merchant.post(path);
    expect([refused.status, refused.body['code']]).toEqual([403, 'EXPORT_FORBIDDEN']);
    const wrong = `/api/v1/programs/${tea.program.id}/partners/${coffee.participant.id}/export`;
    expect((await merchant.post(wrong)).body['code']).toBe('EXPORT_FORBIDDEN');
  });

  it('refuses what is over 50 MB before a byte is sent', async () => {
    const { tea, merchant } = await buildStory();
    await asOwner(
      app.deps.config.databaseUrl,
      `UPDATE commissions SET terms = jsonb_build_object('note', repeat('x', 51000000))
        WHERE id = $1`,
      [tea.commission.id],
    );
    const path = `/api/v1/programs/${tea.program.id}/partners/${tea.participant.id}/export`;
    const refused = await merchant.post(path);
    expect([refused.status, refused.body['code']]).toEqual([422, 'EXPORT_TOO_LARGE']);
  });
});

describe("a partner's own export", () => {
  it('has both modes, erased participations and all that is kept of the person', async () => {
    const { partner, tea, self } = await buildStory();
    const db = app.deps.db.manager;
    const test = await buildParticipant(db, { partnerId: partner.id, mode: 'test' });
    await query(db, 'UPDATE participants SET erased_at = now() WHERE id = $1', [
      tea.participant.id,
    ]);
    await query(db, 'UPDATE tracking_links SET deleted_at = now() WHERE participant_id = $1', [
      tea.participant.id,
    ]);
    await self.patch('/api/v1/partner/notifications/preferences', {
      preferences: [{ category: 'payouts', email: false }],
    });
    const { body, status } = await self.post<Record<string, object[]>>(
      '/api/v1/partner/account/export',
    );
    expect(status).toBe(200);
    expect(body['sessions']).toHaveLength(1);
    expect(body['preferences']).toMatchObject([{ category: 'payouts', email: false }]);
    expect(body['balances']).toMatchObject([{ mode: 'live', currency: 'usd' }]);
    const programs = body['programs'] as unknown as (Bundle & {
      mode: string;
      codes: object[];
      fraudFlags: object[];
    })[];
    const modeOf = new Map(programs.map(({ participant, mode }) => [participant.id, mode]));
    expect([modeOf.get(tea.participant.id), modeOf.get(test.id)]).toEqual(['live', 'test']);
    const erased = programs.find(({ participant }) => participant.id === tea.participant.id);
    expect(erased?.links[0]).toMatchObject({ deletedAt: expect.any(String) as unknown });
    expect(erased?.codes).toHaveLength(1);
    expect(erased?.commissions[0]).toMatchObject({
      history: [{ to: 'pending' }],
      ledger: [{ type: 'accrual', amountCents: 2_000, currency: 'usd' }],
    });
  });

  it('goes over all programmes, and tells nothing of buyers', async () => {
    const { partner, tea, coffee, self } = await buildStory();
    const { body } = await self.post<{ account: object; programs: Bundle[] }>(
      '/api/v1/partner/account/export',
    );
    expect(body.account).toMatchObject({ id: partner.id, email: partner.email, vatId: null });
    expect(body.programs.map(({ participant }) => participant.id).sort()).toEqual(
      [tea.participant.id, coffee.participant.id].sort(),
    );
    for (const program of body.programs) {
      expect(program.commissions).toHaveLength(2);
      for (const commission of program.commissions)
        expect(commission).not.toHaveProperty('externalTransactionId');
    }
  });

  it('is whole where pages end within a programme, and begin in the next one', async () => {
    const { tea, coffee, self } = await buildStory();
    const idsOf = (count: number) => Array.from({ length: count }, () => newId());
    const many = { [tea.participant.id]: idsOf(700), [coffee.participant.id]: idsOf(300) };
    await multiply(tea.commission.id, many[tea.participant.id] ?? []);
    await multiply(coffee.commission.id, many[coffee.participant.id] ?? []);
    const { body } = await self.post<{ programs: Bundle[] }>('/api/v1/partner/account/export');
    for (const { participant, commissions, links, promoCodes, payouts } of body.programs) {
      const ids = commissions.map(({ id }) => id);
      expect(ids).toEqual(expect.arrayContaining(many[participant.id] ?? []));
      expect(ids).toEqual([...new Set(ids)].sort());
      expect(ids).toHaveLength((many[participant.id] ?? []).length + 2);
      expect([links.length, promoCodes.length, payouts.length]).toEqual([2, 1, 1]);
    }
  });
});
