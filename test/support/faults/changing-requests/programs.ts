import { claimToken } from '../../../../activities/accounts/claim';
import { newId } from '../../../../entities/ids';
import type { TestApp } from '../../app';
import { testPassword as password } from '../../build/accounts';
import { buildConversion } from '../../build/conversions';
import { buildFraudFlag } from '../../build/fraud-flags';
import { buildLink, buildPromoCode } from '../../build/programs';
import {
  type Setup,
  text,
  email,
  reason,
  partner,
  ownProgram,
  program,
  inProgram,
  signedInMerchant,
} from './worlds';

const invite = async (app: TestApp, address = email()) => {
  const world = await program(app);
  const path = `/api/v1/programs/${world.made.id}/invites`;
  const { body } = await world.by.post<{ id: string; inviteUrl: string }>(path, { email: address });
  const [, inviteToken] = body.inviteUrl.split('token=');
  return { ...world, ids: { ...world.ids, inviteId: body.id }, inviteToken };
};

const group = async (app: TestApp) => {
  const world = await ownProgram(app);
  const path = `/api/v1/programs/${world.ids.programId}/groups`;
  const { body } = await world.by.post<{ id: string }>(path, { name: text() });
  return { ...world, ids: { ...world.ids, groupId: body.id } };
};

/** Programmes, their rules, groups, partners, codes, links and invites. */
export const programRequests: Record<string, Setup> = {
  createProgram: signedInMerchant(() => ({
    name: text(),
    websiteUrl: 'https://shop.example',
    commission: { type: 'flat', amountCents: 5 },
  })),
  updateProgram: inProgram({ name: 'Changed' }),
  archiveProgram: inProgram(),
  replaceCommissionRules: inProgram({
    rules: [{ name: 'One', match: {}, type: 'flat', amountCents: 5 }],
  }),
  createGroup: inProgram({ name: 'Gold' }),
  updateGroup: async (app) => {
    const { by, ids } = await group(app);
    return { by, ids, body: { commission: { type: 'flat', amountCents: 7 } } };
  },
  deleteGroup: async (app) => {
    const { by, ids } = await group(app);
    return { by, ids };
  },
  moveParticipant: async (app) => {
    const { by, ids } = await group(app);
    return { by, ids, body: { groupId: ids.groupId } };
  },
  bulkMoveParticipants: async (app) => {
    const { by, ids, participant } = await group(app);
    return { by, ids, body: { groupId: ids.groupId, participantIds: [participant.id] } };
  },
  replaceTiers: async (app) => {
    const { by, ids } = await group(app);
    const steps = [{ atLeast: 2, groupId: ids.groupId }];
    return { by, ids, body: { metric: 'customers', steps } };
  },
  replaceBonuses: inProgram({
    bonuses: [{ name: 'Ten', metric: 'conversions', atLeast: 10, amountCents: 5_000 }],
  }),
  updateFraudRules: inProgram({
    rules: [{ rule: 'same_ip_as_partner', action: 'reject', threshold: null }],
  }),
  resolveFraudFlag: async (app) => {
    const db = app.deps.db.manager;
    const { by, ids, participant } = await program(app);
    const conversion = await buildConversion(db, { participant });
    const { id: flagId } = await buildFraudFlag(db, participant, conversion.id);
    return { by, ids: { ...ids, flagId }, body: { state: 'dismissed', note: text() } };
  },
  approveParticipant: inProgram(undefined, 'pending'),
  rejectParticipant: inProgram(reason, 'pending'),
  suspendParticipant: inProgram(reason),
  reinstateParticipant: inProgram(undefined, 'suspended'),
  eraseParticipant: inProgram({ confirmation: 'DELETE' }),
  addPromoCode: async (app) => {
    const { by, ids } = await program(app);
    return { by, ids, body: { code: `C${text()}` } };
  },
  removePromoCode: async (app) => {
    const { by, ids, participant } = await program(app);
    const { code } = await buildPromoCode(app.deps.db.manager, participant);
    return { by, ids: { ...ids, code } };
  },
  syncPromoCode: async (app) => {
    const { by, ids, participant } = await program(app);
    const { code } = await buildPromoCode(app.deps.db.manager, participant);
    return { by, ids: { ...ids, code } };
  },
  changeReferralCode: async (app) => {
    const { by, ids } = await program(app);
    return { by, ids, body: { referralCode: `r${text()}` } };
  },
  invitePartner: async (app) => {
    const { by, ids } = await program(app);
    return { by, ids, body: { email: email() } };
  },
  addPartner: async (app) => {
    const { by, ids } = await program(app);
    return { by, ids, body: { email: email(), name: text() } };
  },
  claimPartnerAccount: async (app) => {
    const { by, ids } = await program(app);
    const added = { email: email(), name: text() };
    const { body } = await by.post<{ id: string }>(
      `/api/v1/programs/${ids.programId}/partners`,
      added,
    );
    const token = await claimToken({ db: app.deps.db.manager, vault: app.deps.vault }, body.id);
    return { body: { token, password } };
  },
  resendPartnerInvite: async (app) => invite(app),
  deletePartnerInvite: async (app) => invite(app),
  acceptPartnerInvite: async (app) => {
    const { account, by } = await partner(app);
    const { inviteToken } = await invite(app, account.email);
    return { by, body: { token: inviteToken } };
  },
  erasePartnerInvites: async (app) => {
    const address = email();
    const { by } = await invite(app, address);
    return { by, body: { partnerEmail: address, partnerGpaId: newId() } };
  },
  eraseCustomer: async (app) => {
    // A programme of its own, for what a sale is suspected of depends on the ones before it.
    const { by, participant } = await ownProgram(app);
    const customerId = text();
    await buildConversion(app.deps.db.manager, { participant, customerId });
    return { by, body: { customerId } };
  },
  applyToProgram: async (app) => {
    const { ids } = await program(app);
    return { by: (await partner(app)).by, ids, body: {} };
  },
  leaveProgram: async (app) => {
    const { member, ids } = await ownProgram(app);
    return { by: member.by, ids };
  },
  createPartnerLink: async (app) => {
    const { member, ids, made } = await program(app);
    return { by: member.by, ids, body: { targetUrl: `${made.websiteUrl}/${text()}` } };
  },
  deletePartnerLink: async (app) => {
    const { member, ids, participant } = await program(app);
    const { id } = await buildLink(app.deps.db.manager, participant);
    return { by: member.by, ids: { ...ids, linkId: id } };
  },
};
