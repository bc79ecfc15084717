import type { TestApp } from '../../app';
import { newVisitor } from '../../../../activities/clicks/visitor-tokens';
import { newId } from '../../../../entities/ids';
import { buildClick } from '../../build/clicks';
import { buildCommission, buildPayout } from '../../build/commissions';
import { buildCustomer } from '../../build/customers';
import { buildConversion } from '../../build/conversions';
import { buildPromoCode } from '../../build/programs';
import { type Setup, reason, program, ownProgram, keyed } from './worlds';

const pending =
  (createdAt: () => Date) =>
  (bodyOf: (id: string) => unknown = () => undefined): Setup =>
  async (app) => {
    const { by, ids, made, participant } = await program(app);
    const overrides = { program: made, participant, createdAt: createdAt() };
    const { id } = await buildCommission(app.deps.db.manager, overrides);
    return { by, ids: { ...ids, commissionId: id }, body: bodyOf(id) };
  };

/** Its hold is over, or has just begun. */
const commission = pending(() => new Date('2026-01-01'));
const held = pending(() => new Date());

const payout = async (app: TestApp) => {
  const { by, made, participant } = await program(app);
  const overrides = { program: made, participant, status: 'approved' as const };
  const earned = await buildCommission(app.deps.db.manager, overrides);
  const { id, items } = await buildPayout(app.deps.db.manager, [earned]);
  const [item] = items;
  return { by, ids: { id, itemId: item?.id ?? '' }, reference: item?.reference ?? '' };
};

/** The requests from the click to the payout. */
export const moneyRequests: Record<string, Setup> = {
  recordClick: async (app) => {
    const { by, participant, scope } = await keyed(app, 'public');
    // The visitor's token is sent as a page does: a visit that comes again is known by it.
    const { token } = newVisitor(app.deps.vault, scope);
    return { by, body: { ref: participant.referralCode, visitor_token: token } };
  },
  expireClick: async (app) => {
    const { by, participant } = await keyed(app, 'secret');
    const { id } = await buildClick(app.deps.db.manager, { participant });
    return { by, ids: { clickId: id } };
  },
  reportConversion: async (app) => {
    const { by, participant } = await keyed(app, 'secret');
    const { code } = await buildPromoCode(app.deps.db.manager, participant);
    const sale = { external_transaction_id: newId(), event_type: 'purchase', promo_code: code };
    return { by, body: { ...sale, amount_cents: 5_000, currency: 'usd' } };
  },
  signUpCustomer: async (app) => {
    const { by, participant } = await keyed(app, 'secret');
    const { code } = await buildPromoCode(app.deps.db.manager, participant);
    return { by, body: { customer_id: newId(), promo_code: code, aliases: [newId()] } };
  },
  bindCustomer: async (app) => {
    const { by, ids, participant } = await program(app);
    const body = { participantId: participant.id, ...reason };
    return { by, ids: { ...ids, customerId: newId() }, body };
  },
  // The partner is told, so each try has one of its own.
  unbindCustomer: async (app) => {
    const { by, ids, participant } = await ownProgram(app);
    const { customerId } = await buildCustomer(app.deps.db.manager, participant);
    return { by, ids: { ...ids, customerId } };
  },
  refundConversion: async (app) => {
    const { by, participant } = await keyed(app, 'secret');
    const { id } = await buildConversion(app.deps.db.manager, { participant });
    const body = { external_refund_id: newId(), amount_cents: 1 };
    return { by, ids: { conversionId: id }, body };
  },
  bulkApproveCommissions: commission((id) => ({ commissionIds: [id] })),
  bulkRejectCommissions: commission((id) => ({ commissionIds: [id], ...reason })),
  approveCommission: commission(),
  approveCommissionOverride: held(() => reason),
  rejectCommission: commission(() => reason),
  elapseCommissionHold: held(),
  adjustBalance: async (app) => {
    const { by, ids, participant } = await program(app);
    const body = { amountCents: 500, externalId: newId(), ...reason };
    return { by, ids: { ...ids, participantId: participant.id }, body };
  },
  createPayout: async (app) => {
    const { by, made, participant } = await ownProgram(app);
    const overrides = { program: made, participant, status: 'approved' as const };
    await buildCommission(app.deps.db.manager, overrides);
    return { by, body: { programId: made.id } };
  },
  completePayout: payout,
  markPayoutItem: async (app) => ({ ...(await payout(app)), body: { status: 'paid' } }),
  reportPayoutResults: async (app) => {
    const { by, ids, reference } = await payout(app);
    const body = `itemReference,status\n${reference},paid`;
    const headers = { 'Content-Type': 'text/csv' };
    return { by, ids, query: '?dryRun=false', body, headers };
  },
  cancelPayout: payout,
  reportPayoutNotReceived: async (app) => {
    const { member, made, participant } = await ownProgram(app);
    const overrides = { program: made, participant, status: 'approved' as const };
    const earned = await buildCommission(app.deps.db.manager, overrides);
    const { id } = await buildPayout(app.deps.db.manager, [earned], { completed: true });
    return { by: member.by, ids: { id } };
  },
};
