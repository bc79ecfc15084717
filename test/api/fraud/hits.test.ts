import { Program } from '../../../entities/tables/programs/program.entity';
import { execute } from '../../../entities/database/sql';
import { asOwner } from '../../support/database';
import { useApp } from '../../support/app';
import { signIn } from '../../support/build/accounts';
import { buildClick } from '../../support/build/clicks';
import { buildConversion } from '../../support/build/conversions';
import { buildParticipant, type BuiltParticipant } from '../../support/build/programs';
import { buildWatchedProgram, type WatchedProgram } from '../../support/shops/watched-program';
import { oneRow } from '../../support/rows';

const app = useApp();
let participant: BuiltParticipant;
let set: WatchedProgram['set'];
let convert: WatchedProgram['convert'];
let hitsOf: WatchedProgram['hitsOf'];
let prospect: WatchedProgram['prospect'];

beforeEach(async () => {
  ({ participant, set, convert, hitsOf, prospect } = await buildWatchedProgram(app));
});

const hour = 3_600_000;

async function programOfParticipant() {
  const db = app.deps.db.manager;
  return oneRow(db, Program, { id: participant.programId });
}

describe('each rule', () => {
  it('finds nothing wrong with an honest conversion', async () => {
    expect(await hitsOf(await convert({}, prospect('buyer@shop.example')))).toEqual({});
  });

  it('self_referral_email sees through case, tags and dots', async () => {
    const [name = ''] = participant.partnerEmail.toLowerCase().split('@');
    const disguised = `${name.replaceAll('.', '')}+shop@googlemail.com`;
    const conversion = await convert({}, prospect(disguised));
    expect(await hitsOf(conversion)).toEqual({ self_referral_email: true });
    expect(conversion.commission).toMatchObject({ status: 'pending', needsReview: true });
  });

  it('same_ip_as_partner knows where the partner signed in during the last 30 days', async () => {
    await signIn(app.deps, { side: 'partner', id: participant.partnerId });
    const ipHash = app.deps.vault.ipHash('192.0.2.1');
    expect(await hitsOf(await convert({ ipHash }))).toEqual({ same_ip_as_partner: true });
    const whileAKeyRotates = { ipHash: `k9:of-the-new-key ${ipHash}` };
    expect(await hitsOf(await convert(whileAKeyRotates))).toEqual({ same_ip_as_partner: true });
    await execute(
      app.deps.db.manager,
      `UPDATE account_addresses SET last_seen_at = now() - interval '31 days' WHERE account_id = $1`,
      [participant.partnerId],
    );
    expect(await hitsOf(await convert({ ipHash }))).toEqual({});
  });

  it('disposable_email knows throw-away providers', async () => {
    const conversion = await convert({}, prospect('someone@mailinator.com'));
    expect(await hitsOf(conversion)).toEqual({ disposable_email: true });
  });

  it('click_velocity counts the clicks of the hour before from the same address', async () => {
    await set('click_velocity', 'flag', 2);
    const at = new Date(Date.now() - hour);
    const before = (ms: number) => new Date(at.getTime() - ms);
    const from = (ms: number, ipHash = 'k:busy') =>
      buildClick(app.deps.db.manager, { participant, at: before(ms), ipHash });
    await Promise.all([from(1_000), from(hour - 1), from(hour + 1), from(500, 'k:other')]);
    expect(await hitsOf(await convert({ at, ipHash: 'k:busy' }))).toEqual({});
    await from(2_000);
    expect(await hitsOf(await convert({ at, ipHash: 'k:busy' }))).toEqual({ click_velocity: 3 });
  });

  it('too_fast_conversion measures from the click to occurred_at', async () => {
    const at = new Date(Date.now() - hour);
    const after = (ms: number) => ({ occurredAt: new Date(at.getTime() + ms) });
    expect(await hitsOf(await convert({ at }, after(10_000)))).toEqual({});
    expect(await hitsOf(await convert({ at }, after(9_500)))).toEqual({ too_fast_conversion: 9.5 });
  });

  it("duplicate_customer knows another partner's customer, by id or address", async () => {
    const rival = await buildParticipant(app.deps.db.manager, {
      program: await programOfParticipant(),
    });
    await buildConversion(app.deps.db.manager, {
      participant: rival,
      customerId: 'cus_1',
      ...prospect('buyer@shop.example'),
    });
    expect(await hitsOf(await convert({}, { customerId: 'cus_1' }))).toEqual({
      duplicate_customer: true,
    });
    expect(await hitsOf(await convert({}, prospect('buyer@shop.example')))).toEqual({
      duplicate_customer: true,
    });
    // A buyer of its own may come back.
    expect(await hitsOf(await convert({}, { customerId: 'cus_2' }))).toEqual({});
    expect(await hitsOf(await convert({}, { customerId: 'cus_2' }))).toEqual({});
  });

  it.each([null, '', 'shop-sync/2.1'])('bot_click sees the User-Agent %j', async (userAgent) => {
    expect(await hitsOf(await convert({ userAgent }))).toEqual({ bot_click: true });
  });

  it('refund_rate counts what was refunded of at least five', async () => {
    const { workspaceId, id } = participant;
    for (let made = 0; made < 5; made += 1) await convert();
    await execute(
      app.deps.db.manager,
      `UPDATE conversions SET refunded_amount_cents = 1 WHERE id IN
         (SELECT id FROM conversions WHERE workspace_id = $1 LIMIT 1)`,
      [workspaceId],
    );
    expect(await hitsOf(await convert())).toEqual({ refund_rate: 20 });
    expect(await hitsOf(await convert())).toEqual({});
    await asOwner(
      app.deps.config.databaseUrl,
      `UPDATE conversions SET occurred_at = now() - interval '91 days' WHERE participant_id = $1`,
      [id],
    );
    expect(await hitsOf(await convert())).toEqual({});
  });
});
