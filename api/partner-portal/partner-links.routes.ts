import { toString as qrCode } from 'qrcode';
import { createLink, deleteLink } from '../../activities/partners/tracking-links';
import { AppError } from '../../entities/errors';
import { referralUrl } from '../../entities/rules/partners/link-target';
import { participationOf, partnerContextOf } from '../access';
import { partner } from '../http/contract/credential';
import { routesOf, type Route } from '../http/contract/route';
import { onlyOf } from '../http/contract/only-of';
import { PageQuery, pageAnswer, toPage } from '../http/contract/pagination';
import {
  CreateLinkBody,
  TrackingLinkDto,
  createLinkProblems,
  presentLink,
} from '../participants/tracking-links.dto';
import { findLinkTarget, listLinks } from '../participants/tracking-links.queries';

const route = routesOf('Partner portal');
const collection = '/api/v1/partner/programs/:programId/links';
const item = `${collection}/:linkId`;
const params = { programId: 'PROGRAM_NOT_FOUND', linkId: 'NOT_FOUND' } as const;

/** A partner's own links in a programme (docs/reference/programmes.md, Codes and links). */
export const partnerLinkRoutes: Route[] = [
  route.get(
    collection,
    {
      name: 'listPartnerLinks',
      summary: "List the partner's links in a programme",
      description: 'The default link, whose token is the referral code, comes first.',
      auth: partner(),
      params: { programId: params.programId },
      query: PageQuery,
      responses: pageAnswer(TrackingLinkDto),
      errors: ['PROGRAM_NOT_FOUND'],
    },
    async (ctx) => {
      const participant = await participationOf(ctx, ctx.input.params.programId);
      const found = await listLinks(ctx.db, participant.id, ctx.input.query);
      ctx.body = toPage(ctx, found, presentLink);
    },
  ),

  route.post(
    collection,
    {
      name: 'createPartnerLink',
      summary: 'Create a link',
      description: "Leads to a page of the programme's own website, with a token of its own.",
      auth: partner(),
      params: { programId: params.programId },
      body: CreateLinkBody,
      check: createLinkProblems,
      responses: { 201: { type: TrackingLinkDto } },
      errors: [
        'PROGRAM_NOT_FOUND',
        'PROGRAM_ARCHIVED',
        'PARTICIPANT_NOT_FOUND',
        'PARTICIPANT_ERASED',
        'PARTICIPANT_NOT_APPROVED',
        'LINK_TARGET_NOT_ALLOWED',
      ],
    },
    async (ctx) => {
      const participant = await participationOf(ctx, ctx.input.params.programId);
      const { id: participantId, programId } = participant;
      const { name, targetUrl } = ctx.input.body;
      const command = { programId, participantId, name, targetUrl };
      const link = await createLink(ctx.db, partnerContextOf(ctx, participant), command);
      ctx.status = 201;
      ctx.set('Location', `/api/v1/partner/programs/${programId}/links/${link.id}`);
      ctx.body = presentLink({ ...link, targetUrl, clicks: 0, conversions: 0 });
    },
  ),

  route.get(
    item,
    {
      name: 'getPartnerLink',
      summary: 'Read a link',
      description: 'As the list shows it.',
      auth: partner(),
      params,
      responses: { 200: { type: TrackingLinkDto } },
      errors: ['PROGRAM_NOT_FOUND', 'NOT_FOUND'],
    },
    async (ctx) => {
      const { id } = await participationOf(ctx, ctx.input.params.programId);
      const one = { linkId: ctx.input.params.linkId, limit: 1 };
      ctx.body = presentLink(onlyOf(await listLinks(ctx.db, id, one)));
    },
  ),

  route.delete(
    item,
    {
      name: 'deletePartnerLink',
      summary: 'Delete a link',
      description: 'Its token leads nowhere from now on; what it earned stays.',
      auth: partner(),
      params,
      responses: { 204: {} },
      errors: [
        'PROGRAM_NOT_FOUND',
        'PARTICIPANT_NOT_FOUND',
        'PROGRAM_ARCHIVED',
        'NOT_FOUND',
        'LINK_IS_DEFAULT',
        'PARTICIPANT_ERASED',
      ],
    },
    async (ctx) => {
      const participant = await participationOf(ctx, ctx.input.params.programId);
      const { id: participantId, programId } = participant;
      const { linkId } = ctx.input.params;
      const command = { programId, participantId, linkId };
      await deleteLink(ctx.db, partnerContextOf(ctx, participant), command);
      ctx.status = 204;
    },
  ),

  route.get(
    `${item}/qr.svg`,
    {
      name: 'getPartnerLinkQrCode',
      summary: "A link's address as a QR code",
      description: 'An SVG that leads where the link does.',
      auth: partner(),
      params,
      responses: {
        200: {
          contentType: 'image/svg+xml',
          description: 'The picture.',
          example: '<svg xmlns="http://www.w3.org/2000/svg">...</svg>',
        },
      },
      errors: ['PROGRAM_NOT_FOUND', 'NOT_FOUND'],
    },
    async (ctx) => {
      const { id: participantId } = await participationOf(ctx, ctx.input.params.programId);
      const { linkId } = ctx.input.params;
      const link = await findLinkTarget(ctx.db, { participantId, linkId });
      if (!link) throw new AppError('NOT_FOUND');
      ctx.type = 'image/svg+xml';
      ctx.body = await qrCode(referralUrl(link.targetUrl, link.token), { type: 'svg' });
    },
  ),
];
