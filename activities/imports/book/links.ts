import { insertAll } from '../../../entities/database/insert-all';
import { query } from '../../../entities/database/sql';
import { newId } from '../../../entities/ids';
import { problemOf } from '../../../entities/rules/imports/problems';
import { isTargetAllowed, parseWebUrl } from '../../../entities/rules/partners/link-target';
import { importedTokenKeys } from '../../../entities/rules/partners/referral-code';
import type { ImportRow } from '../../../entities/tables/imports/import-row.entity';
import { PromoCode } from '../../../entities/tables/partners/promo-code.entity';
import { ReferralToken } from '../../../entities/tables/partners/referral-token.entity';
import { TrackingLink } from '../../../entities/tables/partners/tracking-link.entity';
import { judgeLinks, linkOf, type LinkVerdict } from '../judge/links';
import type { Judged } from '../judge/verdict';
import { keepRecords, type Booked, type Booking } from './booking';
import { holdPartners } from './hold-partners';

interface NewToken {
  row: ImportRow;
  participantId: string;
  token: string;
  url: string | null;
}

/** Makes old tokens lead to their partners, and coupons promo codes. */
export async function bookLinks(
  booking: Booking,
  rows: readonly ImportRow[],
): Promise<Judged<LinkVerdict>[]> {
  const { tx, vault, held } = booking;
  await holdPartners(booking, rows);
  const judged = await judgeLinks({ db: tx, vault }, held, { rows, phase: 'apply' });
  const booked: Booked[] = [];
  const links: NewToken[] = [];
  const codes: NewToken[] = [];
  for (const { row, verdict } of judged) {
    if (!('outcome' in verdict) || verdict.outcome !== 'new') continue;
    const { participantId, recordId } = verdict;
    if (recordId !== null) booked.push({ row, recordId, made: false });
    else if (participantId !== null) {
      const { kind, token, url } = linkOf(row);
      (kind === 'code' ? codes : links).push({ row, participantId, token, url });
    }
  }
  booked.push(...(await makeLinks(booking, links)));
  const made = await makeCodes(booking, codes);
  await keepRecords(booking, 'links', [...booked, ...made]);
  const lost = new Set(codes.map(({ row }) => row.n));
  for (const { row } of made) lost.delete(row.n);
  return judged.map((one) =>
    lost.has(one.row.n) ? { ...one, verdict: { problem: problemOf('CODE_TAKEN') } } : one,
  );
}

async function makeLinks(
  { tx, held, program, context }: Booking,
  links: readonly NewToken[],
): Promise<Booked[]> {
  const { workspaceId, mode, programId } = held;
  const { now: createdAt } = context;
  const made = links.map((link) => ({ ...link, id: newId(context.now) }));
  await insertAll(tx, {
    into: TrackingLink,
    rows: made.map(({ id, participantId, token, url }) => ({
      id,
      workspaceId,
      mode,
      programId,
      participantId,
      isDefault: false,
      token,
      targetUrl: targetOf(url, program.websiteUrl),
      createdAt,
    })),
  });
  await insertAll(tx, {
    into: ReferralToken,
    rows: made.map(({ id: linkId, participantId, token }) => ({
      workspaceId,
      mode,
      ...importedTokenKeys(token),
      token,
      kind: 'imported' as const,
      programId,
      participantId,
      linkId,
      createdAt,
    })),
  });
  return made.map(({ row, id }) => ({ row, recordId: id, made: true }));
}

/** A page of the programme's own; another host's is not for us to send people to. */
function targetOf(url: string | null, websiteUrl: string): string {
  const target = url === null ? undefined : parseWebUrl(url);
  const website = parseWebUrl(websiteUrl);
  const isOwn = target && website && isTargetAllowed(target, website);
  return url !== null && isOwn ? url : websiteUrl;
}

async function makeCodes(
  { tx, held, context }: Booking,
  codes: readonly NewToken[],
): Promise<Booked[]> {
  if (codes.length === 0) return [];
  const { workspaceId, mode, programId } = held;
  const made = codes.map((code) => ({ ...code, id: newId(context.now) }));
  await insertAll(tx, {
    into: PromoCode,
    rows: made.map(({ id, participantId, token: code }) => ({
      id,
      workspaceId,
      mode,
      programId,
      participantId,
      code,
      createdAt: context.now,
    })),
    onConflict: 'ON CONFLICT ON CONSTRAINT uq_promo_code DO NOTHING',
  });
  const written = await query<{ id: string }>(
    tx,
    'SELECT id FROM promo_codes WHERE id = ANY ($1::uuid[])',
    [made.map(({ id }) => id)],
  );
  const ids = new Set(written.map(({ id }) => id));
  return made.flatMap(({ row, id }) => (ids.has(id) ? [{ row, recordId: id, made: true }] : []));
}
