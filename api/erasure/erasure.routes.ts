import { eraseCustomer } from '../../activities/erasure/customers/customers';
import { erasePartnerInvites } from '../../activities/erasure/invites';
import { commandContextOf } from '../../activities/journal/cause';
import { AppError } from '../../entities/errors';
import { participantOf } from '../access';
import { merchant, partner } from '../http/contract/credential';
import { routesOf, type Route } from '../http/contract/route';
import { pageAnswer, toPage } from '../http/contract/pagination';
import { participantParams, participantPath } from '../participants/participant-path';
import {
  CustomerErasureBody,
  CustomerErasureDto,
  customerProblems,
  ErasureBody,
  ErasureDto,
  InviteErasureBody,
  ReceiptDto,
  ReceiptQuery,
  confirmationCodes,
  presentReceipt,
} from './erasure.dto';
import { listReceipts } from './erasure.queries';
import { requestErasure } from './request-erasure';

const route = routesOf('Erasure');
const responses = { 200: { type: ErasureDto } };
const refusals = ['ALREADY_ERASED', 'ERASURE_BLOCKED_PAYOUT', 'SERVICE_UNAVAILABLE'] as const;

/** Erasure of personal data, by the partner or by a merchant, and the receipts of it. */
export const erasureRoutes: Route[] = [
  route.post(
    '/api/v1/partner/account/erase',
    {
      name: 'erasePartnerAccount',
      summary: 'Erase your own account, in all programmes and both modes',
      description:
        'Ends every session at once. What was earned stays in the books without a name. ' +
        'Cannot be undone.',
      auth: partner({ zones: ['erasure'], erased: 'ALREADY_ERASED' }),
      body: ErasureBody,
      bodyOptional: true,
      fieldCodes: confirmationCodes,
      responses,
      errors: [...refusals, 'PARTNER_NOT_FOUND'],
      idempotency: 'claimed',
    },
    async (ctx) => {
      const { actor, principal, requestId } = ctx;
      const subject = { kind: 'account', subjectId: principal.accountId } as const;
      const { erasedAt } = await requestErasure(ctx.deps, { ...subject, actor, requestId });
      ctx.body = { erased_at: erasedAt };
    },
  ),

  route.post(
    `${participantPath}/erase`,
    {
      name: 'eraseParticipant',
      summary: 'Erase the personal data of one participant',
      description:
        'Ends this participation only; the account and other programmes stay. Cannot be undone.',
      auth: merchant('admin', { zones: ['erasure'], forbidden: 'ACCESS_DENIED' }),
      params: participantParams,
      body: ErasureBody,
      bodyOptional: true,
      fieldCodes: confirmationCodes,
      responses,
      errors: refusals,
      idempotency: 'claimed',
    },
    async (ctx) => {
      const participant = await participantOf(ctx, ctx.input.params, 'ACCESS_DENIED');
      if (participant.erasedAt) throw new AppError('ALREADY_ERASED');
      const subject = { kind: 'participant', subjectId: participant.id } as const;
      const { workspaceId, mode } = participant;
      const { erasedAt } = await requestErasure(ctx.deps, {
        ...subject,
        actor: ctx.actor,
        requestId: ctx.requestId,
        scope: { workspaceId, mode },
      });
      ctx.body = { erased_at: erasedAt };
    },
  ),

  route.post(
    '/api/v1/gdpr/partner-data-erasure',
    {
      name: 'erasePartnerInvites',
      summary: 'Erase the data of invites to a partner',
      description:
        'Invites to the address, or accepted by the partner, in your programmes of both modes. ' +
        'Open ones can no longer be accepted; a participation stays. 204 also when none matched.',
      auth: merchant('admin'),
      body: InviteErasureBody,
      responses: { 204: {} },
    },
    async (ctx) => {
      const { partnerEmail: email, partnerGpaId: partnerId } = ctx.input.body;
      const stores = { db: ctx.db, vault: ctx.deps.vault };
      await erasePartnerInvites(stores, commandContextOf(ctx), { email, partnerId });
      ctx.status = 204;
    },
  ),

  route.post(
    '/api/v1/gdpr/customer-erasure',
    {
      name: 'eraseCustomer',
      summary: 'Erase the data of a buyer',
      description:
        'Of all your conversions of both modes: metadata, the id of the customer (a keyed hash ' +
        'takes its place), the hash of the address, and what events of the payment processor ' +
        'tell of the buyer. An address also finds the customers whose sales carried it, with all ' +
        'that is theirs, and events of payments that no partner brought. Amounts stay. Repeated, ' +
        'it changes nothing.',
      auth: merchant('admin'),
      body: CustomerErasureBody,
      check: customerProblems,
      responses: { 200: { type: CustomerErasureDto } },
    },
    async (ctx) => {
      const stores = { db: ctx.db, vault: ctx.deps.vault };
      const command = ctx.input.body;
      const { erasedAt, conversions } = await eraseCustomer(stores, commandContextOf(ctx), command);
      ctx.body = { erased_at: erasedAt.toISOString(), conversions };
    },
  ),

  route.get(
    '/api/v1/gdpr/receipts',
    {
      name: 'listErasureReceipts',
      summary: 'List what was erased, newest first',
      description:
        'One for each participant, and one for each erasure of invites or of a buyer. ' +
        'Counts grow while copies are cleaned, until `completedAt` is there.',
      auth: merchant('admin'),
      query: ReceiptQuery,
      responses: pageAnswer(ReceiptDto),
    },
    async (ctx) => {
      const found = await listReceipts(ctx.db, ctx.scope, ctx.input.query);
      ctx.body = toPage(ctx, found, presentReceipt);
    },
  ),
];
