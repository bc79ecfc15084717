import { readLetter, render } from '../../activities/mail/render';
import { AppError } from '../../entities/errors';
import { merchant } from '../http/contract/credential';
import { routesOf, type Route } from '../http/contract/route';
import { pageAnswer, toPage, windowOf } from '../http/contract/pagination';
import {
  NotificationLogDetailDto,
  NotificationLogDto,
  NotificationLogFilter,
  presentLogEntry,
} from './notification-log.dto';
import { findLogEntry, listNotificationLog } from './notification-log.queries';

const route = routesOf('Test mode');
const path = '/api/v1/workspace/notification-log';

/** The mails that test mode kept back (docs/reference/notifications.md, Mail). */
export const notificationLogRoutes: Route[] = [
  route.get(
    path,
    {
      name: 'listNotificationLog',
      summary: 'List the mails that test mode kept back',
      description: 'Newest first. Send X-Mode: test; in live mode the list is empty.',
      auth: merchant('viewer'),
      query: NotificationLogFilter,
      responses: pageAnswer(NotificationLogDto),
    },
    async (ctx) => {
      const { query } = ctx.input;
      const filter = { ...query, ...windowOf(query) };
      const found = await listNotificationLog(ctx.db, ctx.scope, filter);
      ctx.body = toPage(ctx, found, presentLogEntry);
    },
  ),

  route.get(
    `${path}/:entryId`,
    {
      name: 'getNotificationLogEntry',
      summary: 'Read one mail that test mode kept back',
      description:
        'With its HTML, rendered when asked for: no token of a link is ever stored. Its unsubscribe link does not work, and the link of an invite only for members and above.',
      noStore: true,
      auth: merchant('viewer'),
      params: { entryId: 'NOTIFICATION_LOG_NOT_FOUND' },
      responses: {
        200: { type: NotificationLogDetailDto },
      },
      errors: ['NOTIFICATION_LOG_NOT_FOUND'],
    },
    async (ctx) => {
      const entry = await findLogEntry(ctx.db, ctx.scope, ctx.input.params.entryId);
      if (!entry) throw new AppError('NOTIFICATION_LOG_NOT_FOUND');
      const letter = await readLetter(ctx.deps, ctx.db, { mail: entry, now: ctx.now });
      if (!letter) throw new AppError('NOTIFICATION_LOG_NOT_FOUND');
      const reader = ctx.principal.role === 'viewer' ? 'onlooker' : 'copy';
      ctx.body = { ...presentLogEntry(entry), html: render(ctx.deps, letter, reader).html };
    },
  ),
];
