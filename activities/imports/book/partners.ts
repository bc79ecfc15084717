import { insertAll } from '../../../entities/database/insert-all';
import { execute, query } from '../../../entities/database/sql';
import { newId } from '../../../entities/ids';
import { participantStatusOf } from '../../../entities/rules/imports/statuses';
import type { SealedPartner, StoredPartner } from '../../../entities/rules/imports/stored';
import { cut } from '../../../entities/rules/values/cut';
import { referralTokenKey } from '../../../entities/rules/partners/referral-code';
import { systemActor } from '../../../entities/rules/values/actor';
import { maskedLabel, type PayoutMethod } from '../../../entities/rules/payouts/method';
import type { ImportRow } from '../../../entities/tables/imports/import-row.entity';
import { GroupMembership } from '../../../entities/tables/partners/group-membership.entity';
import { Participant } from '../../../entities/tables/partners/participant.entity';
import { ReferralToken } from '../../../entities/tables/partners/referral-token.entity';
import { TrackingLink } from '../../../entities/tables/partners/tracking-link.entity';
import { accountsFor, lockAddresses } from '../../accounts/accounts-for';
import { judgePartners, type PartnerVerdict } from '../judge/partners';
import type { Judged } from '../judge/verdict';
import { personOf } from '../stage';
import { keepRecords, keyOfRow, type Booked, type Booking } from './booking';
import { placesOf } from './groups';
import { referralCodesFor } from './referral-codes';

/** Brings partners along: who is here stays as they are, and gains a way to be paid where they had none. */
export async function bookPartners(
  booking: Booking,
  rows: readonly ImportRow[],
): Promise<Judged<PartnerVerdict>[]> {
  const { tx, vault, held } = booking;
  await lockAddresses(
    tx,
    rows.map((row) => personOf(vault, row).email),
  );
  const judged = await judgePartners({ db: tx, vault }, held, rows);
  const wanted = judged.flatMap(({ row, verdict }) =>
    'outcome' in verdict && verdict.outcome !== 'skipped' && !verdict.isRecorded
      ? [{ row, verdict }]
      : [],
  );
  const made = await makeParticipants(booking, wanted);
  const booked: Booked[] = [];
  const seen = new Set<string>();
  for (const { row, verdict } of wanted) {
    const { email } = verdict.person;
    const recordId = verdict.participantId ?? made.get(email);
    if (recordId === undefined) throw new Error('a partner who is neither here nor made');
    // The first of two rows with one address is who was made.
    const isMade = verdict.participantId === null && !seen.has(email);
    booked.push({ row, recordId, made: isMade });
    seen.add(email);
  }
  await keepRecords(booking, 'partners', booked);
  await addPayoutMethods(booking, booked);
  return judged;
}

interface Wanted {
  row: ImportRow;
  verdict: PartnerVerdict;
}

/** Participants of those who are not here, by address: the first row of each counts. */
async function makeParticipants(
  booking: Booking,
  wanted: readonly Wanted[],
): Promise<Map<string, string>> {
  const { tx, context } = booking;
  const first = new Map<string, Wanted>();
  for (const one of wanted) {
    const { email } = one.verdict.person;
    if (one.verdict.participantId === null && !first.has(email)) first.set(email, one);
  }
  const newcomers = [...first.values()].map(({ row, verdict: { person } }) => ({
    row,
    id: newId(context.now),
    linkId: newId(context.now),
    email: person.email,
    name: person.name ?? nameOf(person.email),
  }));
  const accounts = await accountsFor(tx, context, newcomers);
  const codes = await referralCodesFor(booking, newcomers);
  const groups = await placesOf(
    booking,
    [...first.values()].map(({ row }) => row),
  );
  await insertAll(tx, {
    into: Participant,
    rows: newcomers.map((newcomer) =>
      participantRow(booking, newcomer, { accounts, codes, groups }),
    ),
  });
  await beginInGroups(booking, newcomers, groups);
  await makeDefaultLinks(booking, newcomers, codes);
  return new Map(newcomers.map(({ email, id }) => [email, id]));
}

interface Newcomer {
  row: ImportRow;
  id: string;
  linkId: string;
  email: string;
  name: string;
}

function participantRow(
  { held, context }: Booking,
  { row, id, email, name }: Newcomer,
  known: {
    accounts: ReadonlyMap<string, { id: string; isProven: boolean }>;
    codes: ReadonlyMap<string, string>;
    groups: ReadonlyMap<string, string>;
  },
): Partial<Participant> {
  const account = known.accounts.get(email);
  if (!account) throw new Error('a partner without an account');
  const { workspaceId, mode, programId } = held;
  const { now } = context;
  const told = row.fields as StoredPartner;
  const status = participantStatusOf[told.status];
  const createdAt = told.createdAt === null ? now : new Date(told.createdAt);
  return {
    id,
    workspaceId,
    mode,
    programId,
    partnerId: account.id,
    partnerName: name,
    partnerEmail: email,
    boundEmail: email,
    provenAt: account.isProven ? now : null,
    status,
    referralCode: known.codes.get(id) ?? '',
    createdAt,
    ...groupIn(known.groups, { row, createdAt }),
    approvedAt: status === 'approved' ? createdAt : null,
    unannouncedSince: now,
    updatedAt: now,
  };
}

function groupIn(
  groups: ReadonlyMap<string, string>,
  { row, createdAt }: { row: ImportRow; createdAt: Date },
): Partial<Participant> {
  const groupId = groups.get(keyOfRow(row));
  return groupId === undefined ? {} : { groupId, groupSince: createdAt };
}

/** The first line of the groups of those who begin in one. */
async function beginInGroups(
  { tx, held, context }: Booking,
  newcomers: readonly Newcomer[],
  groups: ReadonlyMap<string, string>,
): Promise<void> {
  const { workspaceId, mode, programId } = held;
  const own = { workspaceId, mode, programId, source: 'import' as const, reason: null };
  const by = { actorType: systemActor.type, actorId: systemActor.id };
  const rows = newcomers.flatMap(({ row, id: participantId }) => {
    const groupId = groups.get(keyOfRow(row));
    if (groupId === undefined) return [];
    const { createdAt } = row.fields as StoredPartner;
    const since = createdAt === null ? context.now : new Date(createdAt);
    return [{ ...own, ...by, id: newId(), participantId, groupId, since }];
  });
  await insertAll(tx, { into: GroupMembership, rows });
}

/** The link of each code. */
async function makeDefaultLinks(
  { tx, held, context }: Booking,
  newcomers: readonly Newcomer[],
  codes: ReadonlyMap<string, string>,
): Promise<void> {
  const { workspaceId, mode, programId } = held;
  const own = { workspaceId, mode, programId };
  const { now: createdAt } = context;
  const links = newcomers.map(({ id: participantId, linkId: id }) => {
    return {
      ...own,
      id,
      participantId,
      isDefault: true,
      token: codes.get(participantId) ?? '',
      createdAt,
    };
  });
  await insertAll(tx, { into: TrackingLink, rows: links });
  await insertAll(tx, {
    into: ReferralToken,
    rows: links.map(({ id: linkId, participantId, token }) => ({
      ...own,
      tokenKey: referralTokenKey(token),
      token,
      kind: 'code' as const,
      participantId,
      linkId,
      createdAt,
    })),
  });
}

/** Somebody has to be called something: what stands before the sign of the address. */
function nameOf(email: string): string {
  return cut(email.slice(0, email.lastIndexOf('@')), 200);
}

/** The source's way to be paid, where the participation has none; it is nobody's word but the source's. */
async function addPayoutMethods(booking: Booking, booked: readonly Booked[]): Promise<void> {
  const { tx, vault } = booking;
  const told = booked.flatMap(({ row, recordId }) => {
    const method = methodOf(personOf(vault, row));
    return method ? [{ recordId, method }] : [];
  });
  if (told.length === 0) return;
  const without = await query<{ id: string; accountId: string }>(
    tx,
    `SELECT id, partner_id AS "accountId" FROM participants
      WHERE id = ANY ($1::uuid[]) AND payout_method_encrypted IS NULL AND erased_at IS NULL
      ORDER BY id FOR NO KEY UPDATE`,
    [told.map(({ recordId }) => recordId)],
  );
  const methods = without.flatMap(({ id, accountId }) => {
    const method = told.find(({ recordId }) => recordId === id)?.method;
    return method ? [{ id, accountId, method }] : [];
  });
  await execute(
    tx,
    `UPDATE participants AS p
        SET payout_method_encrypted = m.box, payout_method_account_id = p.partner_id,
            payout_method_type = m.type, payout_method_label = m.label
       FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) AS m (id, box, type, label)
      WHERE p.id = m.id`,
    [
      methods.map(({ id }) => id),
      methods.map(({ accountId, method }) =>
        vault.encrypt(JSON.stringify(method), ['partner_accounts.payout_method', accountId]),
      ),
      methods.map(({ method }) => method.type),
      methods.map(({ method }) => maskedLabel(method)),
    ],
  );
}

function methodOf({ payout, name, email }: SealedPartner): PayoutMethod | null {
  if (!payout) return null;
  return payout.type === 'paypal'
    ? { type: 'paypal', email: payout.email }
    : { type: 'wise', email: payout.email, name: name ?? nameOf(email) };
}
