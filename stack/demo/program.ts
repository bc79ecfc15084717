import type { ParticipantDto, ProgramDto } from '../../packages/client/src';
import type { Connection } from './client';

const NAME = 'Harbour Coffee Partners';

export interface ProgramOptions {
  merchant: Connection;
  partner: Connection;
  partnerEmail: string;
  websiteUrl: string;
  referralCode: string;
  promoCode: string;
}

/** Answers the ids once the partner is in the programme, approved, with both codes. */
export async function ensureProgram(
  options: ProgramOptions,
): Promise<{ programId: string; participantId: string }> {
  const { id: programId } = await findOrCreateProgram(options);
  const participant =
    (await findParticipant(programId, options)) ?? (await inviteParticipant(programId, options));
  await ensureCodes(participant, options);
  return { programId, participantId: participant.id };
}

async function findOrCreateProgram({ merchant, websiteUrl }: ProgramOptions): Promise<ProgramDto> {
  const { client, options } = merchant;
  const { data } = await client.programmes.list({ limit: 100 }, options);
  const found = data.find(({ name }) => name === NAME);
  if (!found) return createProgram(merchant, websiteUrl);
  if (found.websiteUrl === websiteUrl) return found;
  return client.programmes.update({ programId: found.id, websiteUrl }, options);
}

function createProgram({ client, options }: Connection, websiteUrl: string): Promise<ProgramDto> {
  const commission = { type: 'percentage', rateBps: 2_000 } as const;
  const terms = { currency: 'usd', commission, holdDays: 30 };
  return client.programmes.create({ name: NAME, websiteUrl, ...terms }, options);
}

async function findParticipant(
  programId: string,
  { merchant: { client, options }, partnerEmail }: ProgramOptions,
): Promise<ParticipantDto | undefined> {
  const { data } = await client.partners.list({ programId, limit: 100 }, options);
  return data.find((row) => row.partnerEmail === partnerEmail && row.status === 'approved');
}

async function inviteParticipant(
  programId: string,
  { merchant, partner, partnerEmail }: ProgramOptions,
): Promise<ParticipantDto> {
  const invitee = { programId, email: partnerEmail, name: 'Ava Reed' };
  const { inviteUrl } = await merchant.client.partners.invite(invitee, merchant.options);
  const token = new URL(inviteUrl).searchParams.get('token') ?? '';
  return partner.client.partners.acceptInvite({ token }, partner.options);
}

async function ensureCodes(
  { id: participantId, programId, ...participant }: ParticipantDto,
  { merchant: { client, options }, referralCode, promoCode }: ProgramOptions,
): Promise<void> {
  const of = { programId, participantId };
  if (participant.referralCode !== referralCode) {
    await client.partners.changeReferralCode({ ...of, referralCode }, options);
  }
  if (!participant.promoCodes.includes(promoCode)) {
    await client.partners.addPromoCode({ ...of, code: promoCode }, options);
  }
}
