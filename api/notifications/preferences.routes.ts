import { changePreferences, readPreferences } from '../../activities/notifications/preferences';
import { effectivePreferences } from '../../entities/rules/notifications/preferences';
import type { Route } from '../http/contract/route';
import { preferenceProblems, sideDtos } from './notifications.dto';
import { accountOf, readerContextOf, readerOf, type SideRoutes } from './reader-of';

/** Which categories an account sees in the app, and which it gets by mail. */
export function preferencesOf({ side, path, route, word }: SideRoutes): Route[] {
  const example = { preferences: effectivePreferences(side, []) };
  const responses = { 200: { type: sideDtos[side].preferences, example } };
  return [
    route.get(
      `${path}/preferences`,
      {
        name: `get${word}NotificationPreferences`,
        summary: 'Read the notification preferences of this account',
        description: 'Every category there is, with what was chosen or holds unless chosen.',
        auth: accountOf(side, 'viewer'),
        responses,
      },
      async (ctx) => {
        ctx.body = { preferences: await readPreferences(ctx.db, readerOf(ctx)) };
      },
    ),

    route.patch(
      `${path}/preferences`,
      {
        name: `update${word}NotificationPreferences`,
        summary: 'Change the notification preferences of this account',
        description: 'All or nothing. Security notices cannot be switched off.',
        auth: accountOf(side, 'viewer'),
        body: sideDtos[side].preferencesBody,
        check: preferenceProblems,
        responses,
        errors: ['PROTECTED_CATEGORY'],
      },
      async (ctx) => {
        const command = { changes: ctx.input.body.preferences };
        ctx.body = {
          preferences: await changePreferences(ctx.db, readerContextOf(ctx), command),
        };
      },
    ),
  ];
}
