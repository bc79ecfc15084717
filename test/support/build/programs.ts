import { defaultGroupRow } from '../../../activities/programs/group-rows';
import { ProgramGroup } from '../../../entities/tables/programs/program-group.entity';
import { createParticipant } from '../../../activities/partners/participants';
import { takeFreshToken, takeToken } from '../../../activities/partners/referral-tokens';
import { newId } from '../../../entities/ids';
import { Participant } from '../../../entities/tables/partners/participant.entity';
import { Program } from '../../../entities/tables/programs/program.entity';
import { PromoCode } from '../../../entities/tables/partners/promo-code.entity';
import type { Mode } from '../../../entities/rules/values/mode';
import { promoCodeKey } from '../../../entities/rules/partners/referral-code';
import { execute, queryOne, transaction } from '../../../entities/database/sql';
import type { Db } from '../../../entities/database/sql';
import { TrackingLink } from '../../../entities/tables/partners/tracking-link.entity';
import { update } from '../../../entities/database/update';
import { insertAll } from '../../../entities/database/insert-all';

export interface BuiltParticipant extends Participant {
  /** The default link, which the referral code leads to. */
  linkId: string;
}

/** An active programme: 20 % gross, 30 days of hold, approved automatically, usd. */
export async function buildProgram(db: Db, overrides: Partial<Program> = {}): Promise<Program> {
  const now = overrides.createdAt ?? new Date();
  const program: Program = {
    id: newId(),
    workspaceId: overrides.workspaceId ?? (await insertWorkspace(db, now)),
    mode: 'live',
    name: 'Demo shop',
    websiteUrl: 'https://shop.example',
    description: null,
    currency: 'usd',
    status: 'active',
    attributionWindowDays: 30,
    approvalMode: 'manual',
    publicApplications: true,
    ...defaultTerms(overrides),
    recurring: false,
    recurringMonths: null,
    holdDays: 30,
    autoApprove: true,
    acceptedCurrencies: [],
    salesFrom: 'both',
    bannedSources: [],
    reviewAboveCents: null,
    minPayoutCents: 0,
    rules: [],
    termsToldAt: null,
    createdAt: now,
    updatedAt: now,
    ...overrides,
  };
  await insertAll(db, { into: Program, rows: [{ ...program }] });
  await insertAll(db, { into: ProgramGroup, rows: [defaultGroupRow(program)] });
  return program;
}

export interface ParticipantOverrides extends Partial<
  Pick<
    Participant,
    | 'partnerId'
    | 'partnerName'
    | 'partnerEmail'
    | 'status'
    | 'statusReason'
    | 'message'
    | 'referralCode'
    | 'createdAt'
    | 'approvedAt'
    | 'erasedAt'
  >
> {
  /** The programme; when it is left out, one is made with `mode` and `workspaceId`. */
  program?: Program;
  workspaceId?: string;
  mode?: Mode;
}

/**
 * A participant with its default link and referral code, approved unless said otherwise. The partner
 * has no account row; pass `partnerId` of one when the partner must sign in.
 */
export async function buildParticipant(
  db: Db,
  overrides: ParticipantOverrides = {},
): Promise<BuiltParticipant> {
  const { program: given, workspaceId, mode, referralCode, ...columns } = overrides;
  const program =
    given ??
    (await buildProgram(db, {
      ...(workspaceId ? { workspaceId } : {}),
      ...(mode ? { mode } : {}),
    }));
  const { partnerId = newId(), partnerName = 'Anna Partner', partnerEmail } = columns;

  const participant = await transaction(db, (tx) =>
    createParticipant(
      tx,
      { scope: program, now: columns.createdAt ?? new Date() },
      {
        programId: program.id,
        partner: {
          id: partnerId,
          name: partnerName,
          email: partnerEmail ?? `${partnerId}@partner.example`,
        },
        status: columns.status ?? 'approved',
        message: columns.message ?? null,
        referralCode,
      },
    ),
  );
  if (!participant) throw new Error('this partner is in the programme already');

  if (Object.keys(columns).length > 0)
    await update(db, Participant, { where: { id: participant.id }, set: columns });
  const link = await queryOne<{ id: string }>(
    db,
    'SELECT id FROM tracking_links WHERE participant_id = $1 AND is_default',
    [participant.id],
  );
  return { ...participant, ...columns, linkId: link?.id ?? '' };
}

/** A promo code of the participant; a unique one when none is given. */
export async function buildPromoCode(
  db: Db,
  participant: Participant,
  overrides: { code?: string; createdAt?: Date } = {},
): Promise<PromoCode> {
  const id = newId();
  const promoCode: PromoCode = {
    id,
    workspaceId: participant.workspaceId,
    mode: participant.mode,
    programId: participant.programId,
    participantId: participant.id,
    discount: null,
    code: promoCodeKey(overrides.code ?? `P${id.replaceAll('-', '').slice(-20)}`),
    createdAt: overrides.createdAt ?? new Date(),
  };
  await insertAll(db, { into: PromoCode, rows: [{ ...promoCode }] });
  return promoCode;
}

/** A further link of the participant, with its token. */
export async function buildLink(
  db: Db,
  participant: Participant,
  overrides: { token?: string; name?: string; targetUrl?: string; createdAt?: Date } = {},
): Promise<TrackingLink> {
  const now = overrides.createdAt ?? new Date();
  const owner = { ...participant, participantId: participant.id };
  const link: TrackingLink = {
    id: newId(),
    workspaceId: participant.workspaceId,
    mode: participant.mode,
    programId: participant.programId,
    participantId: participant.id,
    isDefault: false,
    token: overrides.token ?? '',
    name: overrides.name ?? null,
    targetUrl: overrides.targetUrl ?? 'https://shop.example/offer',
    createdAt: now,
    deletedAt: null,
  };
  await insertAll(db, { into: TrackingLink, rows: [{ ...link }] });
  const claim = { kind: 'link' as const, linkId: link.id, now };
  const { token } = overrides;
  await transaction(db, async (tx) => {
    if (token) await takeToken(tx, owner, { ...claim, token });
    else link.token = await takeFreshToken(tx, owner, claim);
  });
  await update(db, TrackingLink, { where: { id: link.id }, set: { token: link.token } });
  return link;
}

function defaultTerms(
  overrides: Partial<Program>,
): Pick<Program, 'commissionType' | 'rateBps' | 'amountCents' | 'basis'> {
  return overrides.commissionType === 'flat'
    ? { commissionType: 'flat', rateBps: null, amountCents: 500, basis: null }
    : { commissionType: 'percentage', rateBps: 2_000, amountCents: null, basis: 'gross' };
}

async function insertWorkspace(db: Db, now: Date): Promise<string> {
  const id = newId();
  await execute(
    db,
    'INSERT INTO workspaces (id, name, created_at, updated_at) VALUES ($1, $2, $3, $3)',
    [id, 'Demo workspace', now],
  );
  return id;
}
