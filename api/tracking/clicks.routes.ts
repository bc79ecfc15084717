import { expireClick, findClick } from '../../activities/clicks/clicks';
import { AppError } from '../../entities/errors';
import { secretKey, secretKeyOrMerchant } from '../http/contract/credential';
import { routesOf, type Route } from '../http/contract/route';
import { clickContentTypes } from './click-message';
import { ClickAnswerDto, ClickBody, ClickDto, presentClick } from './clicks.dto';
import { clickAuth } from './read-click';
import { recordClick } from './record-click';

const route = routesOf('Tracking');

/**
 * Recording clicks with a public key (docs/reference/clicks.md, What is recorded), and looking at
 * them with a secret key.
 */
export const clickRoutes: Route[] = [
  route.post(
    '/v1/clicks',
    {
      name: 'recordClick',
      checksItself: true,
      summary: 'Record a click',
      description:
        'The browser script calls this; a server or an app may, too. The public key is the bearer or the field `key`, so that a browser can send `text/plain` without asking first. A server that sees the visitor, such as a redirect on its own domain, sends its secret key as the bearer, and `user_agent` or `ip` of the visitor; without either a secret key is refused. So does a management key, from the role member on; one of a programme records clicks of that programme only. Once half of the minute of a public key is used, one address gets a tenth of it. When the answer is sent, the click is stored and a conversion can name it. The same visitor and link within 30 minutes get the first click again. Known bots are not recorded.',
      auth: clickAuth,
      body: ClickBody,
      contentTypes: clickContentTypes,
      responses: {
        201: { type: ClickAnswerDto, description: 'Recorded.' },
        200: {
          type: ClickAnswerDto,
          description: 'A repeat of an earlier click, or nothing to record; see `recorded`.',
          example: { click_id: null, recorded: false, reason: 'unknown_ref' },
        },
      },
    },
    recordClick,
  ),

  route.get(
    '/api/v1/attribution/clicks/:clickId',
    {
      name: 'getClick',
      summary: 'One click',
      description: 'As it was recorded, with whom it may be credited to and until when.',
      auth: secretKeyOrMerchant('viewer', 'INVALID_SECRET_KEY'),
      params: { clickId: 'NOT_FOUND' },
      responses: { 200: { type: ClickDto } },
    },
    async (ctx) => {
      const click = await findClick(ctx.db, ctx.scope, ctx.input.params.clickId);
      if (!click || click.mode !== ctx.scope.mode) throw new AppError('NOT_FOUND');
      ctx.body = presentClick(click);
    },
  ),

  route.post(
    '/api/v1/attribution/clicks/:clickId/expire',
    {
      name: 'expireClick',
      summary: "End a test click's attribution window now",
      description: 'Test keys only. A conversion that names the click then is CLICK_EXPIRED.',
      auth: secretKey('INVALID_SECRET_KEY'),
      params: { clickId: 'NOT_FOUND' },
      responses: { 200: { type: ClickDto } },
      errors: ['FORBIDDEN'],
    },
    async (ctx) => {
      if (ctx.scope.mode !== 'test') throw new AppError('FORBIDDEN');
      const { clickId } = ctx.input.params;
      ctx.body = presentClick(await expireClick(ctx.db, ctx.scope, { clickId, now: ctx.now }));
    },
  ),
];
