import { explain } from '../../../activities/explain/explain';
import { queueMail } from '../../../activities/journal/mail-queue';
import { record } from '../../../activities/journal/record';
import { decideCommission } from '../../../activities/commissions/decide';
import { systemActor } from '../../../entities/rules/values/actor';
import { execute, query, transaction } from '../../../entities/database/sql';
import { newId } from '../../../entities/ids';
import type { Scope } from '../../../entities/rules/values/mode';
import { useDeps } from '../../support/app';
import { connectAsOwner } from '../../support/database';
import { buildMember } from '../../support/build/accounts';
import { buildCommission } from '../../support/build/commissions';
import { buildConversion } from '../../support/build/conversions';
import { buildParticipant } from '../../support/build/programs';
import { buildEndpoint, buildEvent, seeDeliveries } from '../../support/build/webhooks';

const deps = useDeps();

const dayMs = 86_400_000;
const ask = async (name: string, endpointId: string | null = null): Promise<string> =>
  (await explain(deps, { name, endpointId, since: new Date(Date.now() - dayMs) })).join('\n');

const sql = (text: string, id: string): Promise<number> => execute(deps.db.manager, text, [id]);

describe('explain: why it is not approved', () => {
  const longAgo = { createdAt: new Date(Date.now() - 60 * dayMs) };
  type Overrides = NonNullable<Parameters<typeof buildCommission>[1]>;

  it.each<[string, Overrides, string | null, RegExp]>([
    ['its hold lasts', {}, null, /Its hold ends at \S+Z\./],
    [
      'it is flagged',
      { ...longAgo, reviewReasons: ['FRAUD_SUSPECTED'] },
      'hold_elapsed = true',
      /It waits for a manual review: FRAUD_SUSPECTED\./,
    ],
    [
      'a person decides',
      { ...longAgo, terms: { autoApprove: false } },
      'hold_elapsed = true',
      /Its terms do not approve automatically/,
    ],
    [
      'nobody dealt with its end',
      longAgo,
      'hold_elapsed = false',
      /Its hold ended at \S+Z and nobody dealt with it yet/,
    ],
    [
      'it was rejected',
      { status: 'rejected' },
      null,
      /It was rejected; its record has the reason\./,
    ],
    ['it is', { status: 'approved' }, null, /It is approved, and was approved at \S+Z\./],
  ])('says why when %s', async (_, overrides, change, sentence) => {
    const { id } = await buildCommission(deps.db.manager, overrides);
    if (change) await sql(`UPDATE commissions SET ${change} WHERE id = $1`, id);
    const text = await ask(id);
    expect(text).toMatch(sentence);
    expect(text).toMatch(new RegExp(`history of commission ${id}: new -> pending`));
    expect(text).toMatch(new RegExp(`workflow commission/${id}: there is none`));
  });
});

it('explain: of an erased partner nothing is approved any more', async () => {
  const commission = await buildCommission(deps.db.manager);
  await sql('UPDATE participants SET erased_at = now() WHERE id = $1', commission.participantId);
  expect(await ask(commission.id)).toMatch(/Its partner is erased: it is never approved/);
});

describe('explain: why the webhook did not arrive', () => {
  let scope: Scope;
  beforeEach(async () => {
    const { workspaceId } = await buildMember(deps.db.manager);
    scope = { workspaceId, mode: 'test' };
  });

  const failed = `status = 'retrying', attempts = 1, http_status_code = 404, last_attempt_at = now(),
    next_attempt_at = now() + interval '1 hour'`;

  it.each<[string, string, string, RegExp]>([
    ['it is not tried yet', '', '', /It was not tried yet; it is due at/],
    [
      'it arrived',
      `status = 'succeeded', http_status_code = 204, last_attempt_at = now()`,
      '',
      /answered 204 at \S+Z/,
    ],
    ['it was refused', failed, '', /Refused with 404: attempt 2 of \d+ at \S+Z\./],
    [
      'it is behind the breaker',
      failed,
      'failures_in_row = 100',
      /It waits behind the breaker: 100 failures/,
    ],
    [
      'an operator paused it',
      failed,
      'retries_paused_at = now()',
      /An operator has the endpoint's retries wait/,
    ],
    [
      'it is a dead letter',
      `status = 'dead_letter', attempts = 9, http_status_code = 503, last_attempt_at = now()`,
      '',
      /Dead letter after 9 attempts, the last at \S+Z: Refused with 503\./,
    ],
    [
      'it was cancelled',
      `status = 'cancelled', error_message = 'The receiver answered 410 Gone.'`,
      '',
      /It was cancelled: The receiver answered 410 Gone\./,
    ],
  ])('says why when %s', async (_, ofDelivery, ofEndpoint, sentence) => {
    const endpoint = await buildEndpoint(deps, scope);
    const event = await buildEvent(deps, scope);
    const set = 'UPDATE webhook_deliveries SET';
    if (ofDelivery) await sql(`${set} ${ofDelivery} WHERE endpoint_id = $1`, endpoint.id);
    const health = 'UPDATE webhook_endpoints SET';
    if (ofEndpoint) await sql(`${health} ${ofEndpoint} WHERE id = $1`, endpoint.id);
    const [delivery] = await seeDeliveries(deps, endpoint.id);
    for (const name of [`evt_${event}`, delivery?.id ?? ''])
      expect(await ask(name)).toMatch(sentence);
  });

  it('it was not subscribed, or not active, then', async () => {
    const other = await buildEndpoint(deps, scope, { events: ['payout.created'] });
    const off = await buildEndpoint(deps, scope);
    await sql('UPDATE webhook_endpoints SET active_since = NULL WHERE id = $1', off.id);
    const event = await buildEvent(deps, scope);
    const late = await buildEndpoint(deps, scope, { at: new Date(Date.now() + 1_000) });
    expect(await ask(event, other.id)).toMatch(/was not subscribed to commission\.created then\./);
    expect(await ask(event, off.id)).toMatch(/The endpoint is inactive: switched off\./);
    expect(await ask(event, late.id)).toMatch(/was not subscribed .* then, but since /);
  });

  it('there is no event', async () => {
    const endpoint = await buildEndpoint(deps, scope);
    expect(await ask(endpoint.id)).toMatch(/No event: nothing of this kind was written/);
    expect(await ask(`evt_${newId()}`)).toMatch(/Nothing is known by evt_/);
  });
});

describe('explain: other names', () => {
  it('finds a conversion by the merchant’s id, with its commission, and nothing personal', async () => {
    const participant = await buildParticipant(deps.db.manager, { partnerName: 'Paula Private' });
    const conversion = await buildConversion(deps.db.manager, { participant });
    const [commission] = await query<{ id: string }>(
      deps.db.manager,
      'SELECT id FROM commissions WHERE conversion_id = $1',
      [conversion.id],
    );
    const { workspaceId, mode } = participant;
    const by = { scope: { workspaceId, mode }, actor: systemActor, now: new Date() };
    const decision = { decision: 'reject', reason: 'Paula Private bought it herself' } as const;
    await decideCommission(deps.db.manager, by, {
      ...decision,
      commissionId: commission?.id ?? '',
    });
    const text = await ask(conversion.externalTransactionId);
    expect(text).toContain(`conversion ${conversion.id}`);
    expect(text).toContain('ledger of commission');
    expect(text).not.toContain('Paula');
  });

  it('finds what happened in a request, and what it left for the relay', async () => {
    const { id, workspaceId, mode } = await buildCommission(deps.db.manager);
    const requestId = `req-${newId()}`;
    const by = { scope: { workspaceId, mode }, actor: systemActor, requestId, now: new Date() };
    const decision = { commissionId: id, decision: 'reject', reason: 'no' } as const;
    await decideCommission(deps.db.manager, by, decision);
    const text = await ask(requestId);
    expect(text).toMatch(new RegExp(`commission\\.rejected of ${id}, request ${requestId}`));
    expect(text).toMatch(new RegExp(`audit: commission.rejected .*, request ${requestId}`));
    const work = await query<{ topic: string }>(
      deps.db.manager,
      'SELECT topic FROM outbox WHERE request_id = $1 ORDER BY topic',
      [requestId],
    );
    expect(work.map(({ topic }) => topic)).toEqual([
      'commission',
      'credit',
      'event_deliveries',
      'event_notices',
    ]);
  });

  it('says of a mail that it waits for the relay, without a workflow until it fails', async () => {
    const { id: accountId } = await buildMember(deps.db.manager);
    const to = { side: 'merchant', accountId } as const;
    const mail = { type: 'security.password_changed', to, at: new Date() } as const;
    const id = await transaction(deps.db, (tx) => queueMail(tx, mail));
    const text = await ask(id);
    expect(text).toContain(`mail ${id} (security.password_changed): queued`);
    expect(text).toContain(`outbox mail of ${id} waits: 0 attempts`);
    expect(text).toContain(`workflow mail/${id}: there is none, as long as no attempt has failed`);
  });

  it('finds a request that wrote an audit line and no event', async () => {
    const { workspaceId } = await buildMember(deps.db.manager);
    const requestId = `req-${newId()}`;
    const by = { scope: { workspaceId, mode: 'test' as const }, actor: systemActor, requestId };
    const target = { type: 'api_key', id: newId() };
    await transaction(deps.db.manager, (tx) =>
      record(tx, { ...by, now: new Date() }, { audit: { action: 'api_key.created', target } }),
    );
    expect(await ask(requestId)).toMatch(
      new RegExp(`audit: api_key.created of api_key ${target.id} by system, request ${requestId}`),
    );
  });
});

it('explain: a part that cannot be read in time is named, and keeps none of the others', async () => {
  const commission = await buildCommission(deps.db.manager);
  const holder = await connectAsOwner(deps.config.databaseUrl);
  try {
    await holder.query('BEGIN; LOCK TABLE outbox_dead IN ACCESS EXCLUSIVE MODE');
    const question = { name: commission.id, endpointId: null, since: new Date(), partMs: 300 };
    const text = (await explain(deps, question)).join('\n');
    expect(text).toMatch(/the outbox: could not be read in time/);
    expect(text).toMatch(new RegExp(`history of commission ${commission.id}: new -> pending`));
    expect(text).toMatch(/=> Why: could not be read in time/);
  } finally {
    await holder.end();
  }
});
