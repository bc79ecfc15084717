import { getPartner } from '../../activities/accounts/partner-profile';
import { getPayoutMethod } from '../../activities/accounts/payout-method';
import { causeOf, commandContextOf } from '../../activities/journal/cause';
import { noteExport } from '../../activities/journal/exports';
import type { Db } from '../../entities/database/sql';
import { participantOf } from '../access';
import { member, partner } from '../http/contract/credential';
import { exportBound } from '../http/server/csv';
import { routesOf, type Route } from '../http/contract/route';
import { participantParams, participantPath } from '../participants/participant-path';
import { type ParticipantDto, presentParticipant } from '../participants/participants.dto';
import { getParticipantRow } from '../participants/participants.queries';
import { sendJson, writeParts, type Head } from './bundle';
import { AccountExportDto, PartnerExportDto } from './export.dto';
import { latestRows, readAccountRecords, readParticipations } from './account-records.queries';
import { balancesOf } from '../payouts/payouts.queries';
import { exportRowsOf } from './export.queries';

const route = routesOf('Erasure');
const readEachTime = 'Read again each time: Idempotency-Key may be sent and replays nothing.';

/** Everything that is kept of a partner, as JSON (articles 15 and 20 of the GDPR). */
export const exportRoutes: Route[] = [
  route.post(
    `${participantPath}/export`,
    {
      name: 'exportParticipant',
      summary: "Export a partner's data in this programme",
      description: `Of the account only name and e-mail; nothing of buyers. At most 50 MB. ${readEachTime} ${exportBound}`,
      auth: member('admin', { forbidden: 'EXPORT_FORBIDDEN' }),
      params: participantParams,
      responses: { 200: { type: PartnerExportDto } },
      errors: ['AMOUNT_TOO_LARGE', 'EXPORT_TOO_LARGE'],
      idempotency: 'none',
    },
    async (ctx) => {
      const { id } = await participantOf(ctx, ctx.input.params, 'EXPORT_FORBIDDEN');
      const heads: Head[] = [];
      const rows = await ctx.services.exports.open(ctx.principal, async () => {
        heads.push(await headOf(ctx.db, id));
        const note = {
          action: 'participant.exported',
          target: { type: 'participant', id },
        } as const;
        await noteExport(ctx.db, commandContextOf(ctx), note);
        return exportRowsOf({ participantId: id });
      });
      sendJson(ctx, { name: 'partner.json', parts: writeParts(heads, rows), rows });
    },
  ),

  route.post(
    '/api/v1/partner/account/export',
    {
      name: 'exportPartnerAccount',
      summary: 'Export all that is kept of you, over all programmes and both modes',
      description:
        'Participations with their links, codes, commissions, history, ledger, payouts and fraud ' +
        'flags, those that were erased too; balances, sessions, preferences, notices, mails, ' +
        `invites, and the networks you signed in from as hashes: of these the latest ${latestRows} ` +
        `each. At most 50 MB. ${readEachTime} ${exportBound}`,
      auth: partner(),
      responses: { 200: { type: AccountExportDto } },
      errors: ['PARTNER_NOT_FOUND', 'EXPORT_TOO_LARGE', 'AMOUNT_TOO_LARGE'],
      idempotency: 'none',
    },
    async (ctx) => {
      const of = { partnerId: ctx.principal.accountId };
      const stores = { db: ctx.db, vault: ctx.deps.vault };
      const details = await getPartner(stores, of.partnerId);
      const payoutMethod = await getPayoutMethod(stores, of.partnerId);
      const heads: Head[] = [];
      const kept: object[] = [];
      const rows = await ctx.services.exports.open(ctx.principal, async () => {
        heads.push(...(await headsOf(ctx.db, of.partnerId)));
        kept.push(await recordsOf(ctx.db, of.partnerId, heads));
        const target = { type: 'partner_account', id: of.partnerId };
        await noteExport(ctx.db, causeOf(ctx), { action: 'account.exported', target });
        return exportRowsOf(of);
      });
      const { id, email, name, vatId, createdAt } = details;
      const account = { id, email, name, vatId, payoutMethod, createdAt };
      const parts = wrapped({ account, ...kept[0] }, writeParts(heads, rows));
      sendJson(ctx, { name: 'account.json', parts, rows });
    },
  ),
];

/** What is kept beside the participations, with what they are owed in each mode. */
async function recordsOf(db: Db, partnerId: string, heads: readonly Head[]): Promise<object> {
  const balances: object[] = [];
  for (const mode of ['live', 'test'] as const) {
    const own = heads.filter(({ members }) => members['mode'] === mode);
    const ids = own.map(({ participantId }) => participantId);
    const sums = await balancesOf(db, ids);
    balances.push(...sums.map((balance) => ({ mode, ...balance })));
  }
  return { balances, ...(await readAccountRecords(db, partnerId)) };
}

async function* wrapped(members: object, parts: AsyncGenerator<string>): AsyncGenerator<string> {
  yield `${JSON.stringify(members).slice(0, -1)},"programs":[`;
  yield* parts;
  yield ']}';
}

/** The participant without what is other partners': whose codes read like theirs. */
async function exportedParticipant(db: Db, participantId: string): Promise<ParticipantDto> {
  return presentParticipant({ ...(await getParticipantRow(db, participantId)), similarCodes: [] });
}

async function headOf(db: Db, participantId: string): Promise<Head> {
  const participant = await exportedParticipant(db, participantId);
  const account = { name: participant.partnerName, email: participant.partnerEmail };
  return { participantId, members: { account, participant } };
}

/** The partner's participations in the order of their ids, as the rows come. */
async function headsOf(db: Db, partnerId: string): Promise<Head[]> {
  const heads: Head[] = [];
  for (const { id, programName, mode, ...kept } of await readParticipations(db, partnerId)) {
    const participant = await exportedParticipant(db, id);
    heads.push({ participantId: id, members: { programName, mode, participant, ...kept } });
  }
  return heads;
}
