import type { ApiClient, Mode } from './client';

const NAME = 'Harbour Coffee Partners';

export interface ProgramOptions {
  mode: Mode;
  merchantToken: string;
  partnerToken: string;
  partnerEmail: string;
  websiteUrl: string;
  referralCode: string;
  promoCode: string;
}

interface Program {
  id: string;
  name: string;
  websiteUrl: string;
}

interface Participant {
  id: string;
  partnerEmail: string;
  status: string;
  referralCode: string;
  promoCodes: string[];
}

interface Page<T> {
  data: T[];
}

/** Answers the programme's id once the partner is in it, approved, with both codes. */
export async function ensureProgram(api: ApiClient, options: ProgramOptions): Promise<string> {
  const program = await findOrCreateProgram(api, options);
  const participant =
    (await findParticipant(api, program.id, options)) ??
    (await inviteParticipant(api, program.id, options));
  await ensureCodes(api, `/api/v1/programs/${program.id}/partners/${participant.id}`, {
    participant,
    options,
  });
  return program.id;
}

async function findOrCreateProgram(api: ApiClient, options: ProgramOptions): Promise<Program> {
  const { mode, merchantToken: token, websiteUrl } = options;
  const { body } = await api<Page<Program>>('/api/v1/programs?limit=100', { token, mode });
  const found = body.data.find(({ name }) => name === NAME);
  if (!found) return createProgram(api, options);
  if (found.websiteUrl !== websiteUrl) {
    const path = `/api/v1/programs/${found.id}`;
    await api(path, { method: 'PATCH', token, mode, body: { websiteUrl } });
  }
  return found;
}

async function createProgram(
  api: ApiClient,
  { mode, merchantToken: token, websiteUrl }: ProgramOptions,
): Promise<Program> {
  const { body } = await api<Program>('/api/v1/programs', {
    method: 'POST',
    token,
    mode,
    body: {
      name: NAME,
      websiteUrl,
      currency: 'usd',
      commission: { type: 'percentage', rateBps: 2000 },
      holdDays: 30,
    },
  });
  return body;
}

async function findParticipant(
  api: ApiClient,
  programId: string,
  { mode, merchantToken: token, partnerEmail }: ProgramOptions,
): Promise<Participant | undefined> {
  const path = `/api/v1/programs/${programId}/partners?limit=100`;
  const { body } = await api<Page<Participant>>(path, { token, mode });
  return body.data.find((row) => row.partnerEmail === partnerEmail && row.status === 'approved');
}

async function inviteParticipant(
  api: ApiClient,
  programId: string,
  { mode, merchantToken, partnerToken, partnerEmail }: ProgramOptions,
): Promise<Participant> {
  const invite = await api<{ inviteUrl: string }>(`/api/v1/programs/${programId}/invites`, {
    method: 'POST',
    token: merchantToken,
    mode,
    body: { email: partnerEmail, name: 'Ava Reed' },
  });
  const token = new URL(invite.body.inviteUrl).searchParams.get('token');
  const accepted = await api<Participant>('/api/v1/partner/invites/accept', {
    method: 'POST',
    token: partnerToken,
    mode,
    body: { token },
  });
  return accepted.body;
}

async function ensureCodes(
  api: ApiClient,
  path: string,
  { participant, options }: { participant: Participant; options: ProgramOptions },
): Promise<void> {
  const { mode, merchantToken: token, referralCode, promoCode } = options;
  if (participant.referralCode !== referralCode) {
    const body = { referralCode };
    await api(`${path}/referral-code`, { method: 'PATCH', token, mode, body });
  }
  if (!participant.promoCodes.includes(promoCode)) {
    await api(`${path}/promo-codes`, { method: 'POST', token, mode, body: { code: promoCode } });
  }
}
