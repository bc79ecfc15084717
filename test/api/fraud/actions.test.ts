import { query } from '../../../entities/database/sql';
import { useApp } from '../../support/app';
import type { Caller } from '../../support/api-client';
import type { BuiltParticipant } from '../../support/build/programs';
import { buildWatchedProgram, type WatchedProgram } from '../../support/shops/watched-program';

interface Flags {
  data: { rule: string; value: unknown; conversion: { id: string }; commission: unknown }[];
  total: number;
}

const app = useApp();
let participant: BuiltParticipant;
let admin: Caller;
let base: string;
let set: WatchedProgram['set'];
let convert: WatchedProgram['convert'];
let hitsOf: WatchedProgram['hitsOf'];
let prospect: WatchedProgram['prospect'];

beforeEach(async () => {
  ({ participant, admin, base, set, convert, hitsOf, prospect } = await buildWatchedProgram(app));
});

describe('actions', () => {
  const botClick = { userAgent: null };

  it('off leaves no trace of a hit', async () => {
    await set('bot_click', 'off');
    expect(await hitsOf(await convert(botClick))).toEqual({});
  });

  it('flag leaves the commission alone and tells of the conversion', async () => {
    const conversion = await convert(botClick);
    expect(conversion).toMatchObject({ attributed: true, commission: { needsReview: false } });
    const [event] = await query<{ object: Record<string, unknown> }>(
      app.deps.db.manager,
      `SELECT object FROM events WHERE object_id = $1 AND type = 'conversion.fraud_detected'`,
      [conversion.id],
    );
    expect(event?.object).toMatchObject({
      id: conversion.id,
      external_transaction_id: conversion.externalTransactionId,
      fraud_flags: [{ rule: 'bot_click', action: 'flag', value: true, threshold: null }],
    });
  });

  it('hold keeps the commission from being approved by itself', async () => {
    await set('bot_click', 'hold');
    const conversion = await convert(botClick);
    expect(conversion.commission).toMatchObject({ status: 'pending', needsReview: true });
  });

  it('reject, the strictest, wins: recorded, not attributed, the id used up', async () => {
    await set('bot_click', 'reject');
    const conversion = await convert(botClick, prospect(participant.partnerEmail));
    expect(conversion).toMatchObject({
      attributed: false,
      reason: 'FRAUD_REJECTED',
      participantId: participant.id,
      commission: null,
    });
    const { body } = await admin.get<Flags>(`${base}/fraud-flags`);
    expect(body.data.map(({ rule }) => rule).sort()).toEqual(['bot_click', 'self_referral_email']);
    expect(body.data[0]).toMatchObject({ conversion: { id: conversion.id }, commission: null });
  });
});

it('flags are listed with conversion and commission, and filtered', async () => {
  const conversion = await convert({ userAgent: null }, prospect(participant.partnerEmail));
  const list = async (search: string) =>
    (await admin.get<Flags>(`${base}/fraud-flags?${search}`)).body;
  expect((await list('')).total).toBe(2);
  expect((await list('limit=1&page=2')).data).toHaveLength(1);
  const [flag] = (await list('rule=bot_click')).data;
  expect(flag).toMatchObject({
    rule: 'bot_click',
    value: true,
    participantId: participant.id,
    conversion: { id: conversion.id, attributed: true },
    commission: { id: conversion.commission?.id, needsReview: true },
  });
  expect((await list(`participantId=${participant.id}`)).total).toBe(2);
  expect((await list(`participantId=${participant.workspaceId}`)).total).toBe(0);
  expect((await list('dateTo=2020-01-01')).total).toBe(0);
  for (const bad of ['rule=vpn', 'participantId=x', 'dateFrom=x']) {
    expect((await admin.get(`${base}/fraud-flags?${bad}`)).status).toBe(400);
  }
});
