const reason = { reason: 'A reason' };
const password = 'correct horse battery';
const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057';

/** A body that passes validation, for every operation that needs one: by operationId. */
export const minimalBodies: Record<string, Record<string, unknown>> = {
  refundConversion: { external_refund_id: 'refund-1', amount_cents: 1 },
  updateFraudRules: { rules: [] },
  backTestFraudRules: { rules: [], from: '2026-01-01', to: '2026-01-02' },
  updateMerchantAccount: { name: 'Somebody' },
  changeEmailMerchant: { email: 'new@example.com', password },
  changePasswordMerchant: { currentPassword: password, newPassword: password },
  changeEmailPartner: { email: 'new@example.com', password },
  changePasswordPartner: { currentPassword: password, newPassword: password },
  setUpTwoFactorMerchant: { password },
  setUpTwoFactorPartner: { password },
  enableTwoFactorMerchant: { code: '123456' },
  enableTwoFactorPartner: { code: '123456' },
  disableTwoFactorMerchant: { password, code: '123456' },
  disableTwoFactorPartner: { password, code: '123456' },
  renewRecoveryCodesMerchant: { password, code: '123456' },
  renewRecoveryCodesPartner: { password, code: '123456' },
  updateWorkspace: { name: 'Some name' },
  createApiKey: { kind: 'secret', mode: 'test' },
  inviteMember: { email: 'member@example.com', role: 'viewer' },
  changeMemberRole: { role: 'viewer' },
  updatePartnerAccount: { name: 'Somebody' },
  putStripeConnection: { webhookSecret: 'whsec_0123456789abcdef0123456789abcdef' },
  createProgram: {
    name: 'P',
    websiteUrl: 'https://shop.example',
    commission: { type: 'flat', amountCents: 100 },
  },
  updateProgram: { name: 'Changed' },
  replaceCommissionRules: { rules: [] },
  rejectParticipant: reason,
  suspendParticipant: reason,
  addPromoCode: { code: 'ISOLATION' },
  changeReferralCode: { referralCode: 'isolation-code' },
  invitePartner: { email: 'invited@example.com' },
  acceptPartnerInvite: { token: 'unknown' },
  applyToProgram: {},
  createPartnerLink: { targetUrl: 'https://shop.example/page' },
  bulkApproveCommissions: { commissionIds: [unknownId] },
  bulkRejectCommissions: { commissionIds: [unknownId], ...reason },
  approveCommissionOverride: reason,
  rejectCommission: reason,
  erasePartnerAccount: { confirmation: 'DELETE' },
  eraseParticipant: { confirmation: 'DELETE' },
  eraseCustomer: { customerId: 'nobody' },
  erasePartnerInvites: { partnerEmail: 'nobody@example.com', partnerGpaId: unknownId },
  updateMerchantNotificationPreferences: { preferences: [{ category: 'payouts', email: true }] },
  updatePartnerNotificationPreferences: { preferences: [{ category: 'payouts', email: true }] },
  createPayout: { programId: unknownId },
  markPayoutItem: { status: 'paid' },
  createWebhook: { url: 'https://example.com/hook', events: ['*'] },
  updateWebhook: { description: 'Changed' },
  reportConversion: { external_transaction_id: 'x', event_type: 'purchase', promo_code: 'NONE' },
  dryRunConversion: { external_transaction_id: 'x', event_type: 'purchase', promo_code: 'NONE' },
  recordClick: { ref: 'nobody' },
};

const january = 'from=2026-01-01&to=2026-01-31&tz=UTC&programId=all';

/** Query strings that an operation cannot do without. */
export const requiredQueries: Record<string, string> = {
  getMetrics: `?${january}`,
  getTrend: `?${january}&granularity=day&metric=clicks`,
  listTopPartners: `?${january}`,
  listPartnerPerformance: `?${january}`,
  exportPartnerPerformance: `?${january}`,
  getFraudSummary: `?${january}`,
};
