import {
  dismissNotification,
  dismissReadNotifications,
} from '../../activities/notifications/dismiss';
import { readAllNotifications, readNotification } from '../../activities/notifications/read';
import type { Side } from '../../entities/rules/accounts/accounts';
import { routesOf, type Route } from '../http/contract/route';
import { pageAnswer, toPage } from '../http/contract/pagination';
import { CountDto, NotificationDto, presentNotification, sideDtos } from './notifications.dto';
import { countUnread, listNotifications } from './notifications.queries';
import { preferencesOf } from './preferences.routes';
import { accountOf, readerContextOf, readerOf, type SideRoutes } from './reader-of';
import { streamOf } from './stream.routes';

const params = { notificationId: 'NOT_FOUND' } as const;
const one = { 200: { type: NotificationDto } };
const count = { 200: { type: CountDto } };

/** Feed, preferences and stream: of a workspace's members, or of partners. */
function notificationsOf(side: Side): Route[] {
  const routes: SideRoutes =
    side === 'merchant'
      ? { side, path: '/api/v1/notifications', route: routesOf('Notifications'), word: 'Merchant' }
      : {
          side,
          path: '/api/v1/partner/notifications',
          route: routesOf('Partner portal'),
          word: 'Partner',
        };
  return [
    ...preferencesOf(routes),
    ...streamOf(routes),
    ...feedOf(routes),
    ...readingOf(routes),
    ...dismissalOf(routes),
  ];
}

/** The same for both sides, below different paths. */
export const notificationRoutes: Route[] = [
  ...notificationsOf('merchant'),
  ...notificationsOf('partner'),
];

function feedOf({ side, path, route, word }: SideRoutes): Route[] {
  return [
    route.get(
      path,
      {
        name: `list${word}Notifications`,
        summary: 'List the notifications of the current mode',
        description:
          'Newest first, without dismissed ones and without categories that are switched off in the app. Security notices belong to both modes.',
        auth: accountOf(side, 'viewer'),
        query: sideDtos[side].filter,
        responses: pageAnswer(NotificationDto),
      },
      async (ctx) => {
        const filter = ctx.input.query;
        const found = await listNotifications(ctx.db, readerOf(ctx), filter);
        ctx.body = toPage(ctx, found, presentNotification);
      },
    ),

    route.get(
      `${path}/unread-count`,
      {
        name: `count${word}UnreadNotifications`,
        summary: 'Count the unread notifications of the current mode',
        description: 'Of those that the feed shows to this account.',
        auth: accountOf(side, 'viewer'),
        responses: count,
      },
      async (ctx) => {
        ctx.body = { count: await countUnread(ctx.db, readerOf(ctx)) };
      },
    ),
  ];
}

function readingOf({ side, path, route, word }: SideRoutes): Route[] {
  return [
    route.post(
      `${path}/read-all`,
      {
        name: `readAll${word}Notifications`,
        summary: 'Mark all notifications as read',
        description: 'For this account only. Answers how many were unread.',
        auth: accountOf(side, 'viewer'),
        body: sideDtos[side].categoryBody,
        bodyOptional: true,
        responses: count,
      },
      async (ctx) => {
        const { category } = ctx.input.body;
        const command = { category };
        ctx.body = { count: await readAllNotifications(ctx.db, readerContextOf(ctx), command) };
      },
    ),

    route.post(
      `${path}/:notificationId/read`,
      {
        name: `read${word}Notification`,
        summary: 'Mark a notification as read',
        description: 'For this account only; again changes nothing.',
        auth: accountOf(side, 'viewer'),
        params,
        responses: one,
        errors: ['NOT_FOUND'],
      },
      async (ctx) => {
        const command = { id: ctx.input.params.notificationId };
        ctx.body = presentNotification(
          await readNotification(ctx.db, readerContextOf(ctx), command),
        );
      },
    ),
  ];
}

function dismissalOf({ side, path, route, word }: SideRoutes): Route[] {
  return [
    route.post(
      `${path}/dismiss-read`,
      {
        name: `dismissRead${word}Notifications`,
        summary: 'Dismiss the notifications that this account has read',
        description: 'They leave the feed of every member. Answers how many there were.',
        auth: accountOf(side, 'member'),
        body: sideDtos[side].categoryBody,
        bodyOptional: true,
        responses: count,
        // The work takes several transactions: one would hold up the feed for as long as there is much to do.
        idempotency: 'claimed',
      },
      async (ctx) => {
        const { category } = ctx.input.body;
        const command = { category };
        ctx.body = {
          count: await dismissReadNotifications(ctx.db, readerContextOf(ctx), command),
        };
      },
    ),

    route.post(
      `${path}/:notificationId/dismiss`,
      {
        name: `dismiss${word}Notification`,
        summary: 'Dismiss a notification',
        description: 'It leaves the feed of every member; again changes nothing.',
        auth: accountOf(side, 'member'),
        params,
        responses: one,
        errors: ['NOT_FOUND'],
      },
      async (ctx) => {
        const command = { id: ctx.input.params.notificationId };
        ctx.body = presentNotification(
          await dismissNotification(ctx.db, readerContextOf(ctx), command),
        );
      },
    ),
  ];
}
