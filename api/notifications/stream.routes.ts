import { issueTicket } from '../../activities/notifications/tickets';
import type { Route } from '../http/contract/route';
import { StreamQuery, TicketDto } from './notifications.dto';
import { accountOf, readerOf, type SideRoutes } from './reader-of';

const example = [
  'event: unread-count',
  'data: {"count":3}',
  '',
  'event: notification',
  'id: 01890a5d-ac96-774b-bcce-b302099a8057',
  'data: {"id":"01890a5d-ac96-774b-bcce-b302099a8057","category":"payouts"}',
  '',
].join('\n');

/** News as it happens, and tickets for clients that cannot send a header. */
export function streamOf(side: SideRoutes): Route[] {
  return [ticketOf(side), openStreamOf(side)];
}

function ticketOf({ side, path, route, word }: SideRoutes): Route {
  return route.post(
    `${path}/stream-ticket`,
    {
      name: `create${word}StreamTicket`,
      summary: 'Get a ticket for the stream',
      description:
        'For EventSource, which sends no header: `?ticket=` opens one stream within 60 seconds, in the mode of this request. The stream ends when the access token that the ticket was made with does.',
      auth: accountOf(side, 'viewer'),
      responses: {
        201: {
          type: TicketDto,
          example: { ticket: 'q3xZ...', expiresAt: '2026-01-31T09:31:00.000Z' },
        },
      },
      noStore: true,
    },
    async (ctx) => {
      const { accountId, sessionId, tokenExpiresAt } = ctx.principal;
      const holder = { side, accountId, sessionId, mode: ctx.mode, tokenExpiresAt };
      const { ticket, expiresAt } = await issueTicket(ctx.db, ctx, holder);
      ctx.status = 201;
      ctx.set('Location', `${path}/stream`);
      ctx.body = { ticket, expiresAt: expiresAt.toISOString() };
    },
  );
}

function openStreamOf({ side, path, route, word }: SideRoutes): Route {
  return route.get(
    `${path}/stream`,
    {
      name: `stream${word}Notifications`,
      summary: 'Receive notifications as they happen',
      description:
        'Server-sent events: `notification` with the id and record of one, `unread-count` at the start and at each change, a comment every 15 seconds. With `Last-Event-ID` it goes on where another stream stopped. At most 10 streams an account: one more ends the oldest.',
      auth: accountOf(side, 'viewer', { ticket: true }),
      query: StreamQuery,
      responses: { 200: { contentType: 'text/event-stream', example } },
    },
    async (ctx) => {
      ctx.status = 200;
      ctx.type = 'text/event-stream';
      if (ctx.method === 'HEAD') return;
      const { sessionId, tokenExpiresAt } = ctx.principal;
      const viewer = { ...readerOf(ctx), sessionId, tokenExpiresAt };
      const { lastEventId } = ctx.input.query;
      const fromQuery = typeof lastEventId === 'string' ? lastEventId : undefined;
      const last = ctx.get('last-event-id') || fromQuery;
      ctx.respond = false;
      try {
        await ctx.services.streams.open(viewer, ctx.res, last);
      } catch (error) {
        ctx.respond = true;
        throw error;
      }
    },
  );
}
