import { claimAccount } from '../../activities/accounts/claim';
import { registerMerchant, registerPartner } from '../../activities/accounts/register';
import { causeOf } from '../../activities/journal/cause';
import { acceptMemberInvite } from '../../activities/workspace/member-invites';
import { open } from '../http/contract/credential';
import { routesOf, type Route } from '../http/contract/route';
import {
  AcceptMemberInviteBody,
  MerchantRegistrationDto,
  merchantRegistrationExample,
  MerchantSessionDto,
  PartnerSessionDto,
  presentNewKey,
  RegisterMerchantBody,
  RegisterPartnerBody,
  ResetPasswordBody,
} from './auth.dto';
import { answerSession, originOf, passwordStoresOf } from './session-answer';
import { readChoice, sessionHeader } from './session-cookie';

const route = routesOf('Sign-in');
const auth = open('auth');
const merchantAccountPath = '/api/v1/auth/merchant/account';
const partnerAccountPath = '/api/v1/partner/account';

/** New accounts of both sides, without a credential. */
export const registrationRoutes: Route[] = [
  route.post(
    '/api/v1/auth/merchant/register',
    {
      name: 'registerMerchant',
      summary: 'Register a merchant with a new workspace',
      description:
        'Answers the four API keys of the workspace, this once, and sends a verification mail.',
      auth,
      body: RegisterMerchantBody,
      responses: { 201: { type: MerchantRegistrationDto, example: merchantRegistrationExample } },
      errors: ['EMAIL_TAKEN'],
      noStore: true,
      headers: sessionHeader,
      prepare: readChoice,
    },
    async (ctx, choice) => {
      const command = { ...ctx.input.body, origin: originOf(ctx) };
      const registered = await registerMerchant(passwordStoresOf(ctx), causeOf(ctx), command);
      ctx.status = 201;
      ctx.set('Location', merchantAccountPath);
      const { apiKeys, ...opened } = registered;
      await answerSession(ctx, opened, { ...choice, apiKeys: apiKeys.map(presentNewKey) });
    },
  ),

  route.post(
    '/api/v1/auth/partner/register',
    {
      name: 'registerPartner',
      summary: 'Register a partner',
      description: 'The account is global: one partner may join programmes of many merchants.',
      auth,
      body: RegisterPartnerBody,
      responses: { 201: { type: PartnerSessionDto } },
      errors: ['EMAIL_TAKEN'],
      noStore: true,
      headers: sessionHeader,
      prepare: readChoice,
    },
    async (ctx, choice) => {
      const command = { ...ctx.input.body, origin: originOf(ctx) };
      const registered = await registerPartner(passwordStoresOf(ctx), causeOf(ctx), command);
      ctx.status = 201;
      ctx.set('Location', partnerAccountPath);
      await answerSession(ctx, registered, choice);
    },
  ),

  route.post(
    '/api/v1/auth/partner/claim',
    {
      name: 'claimPartnerAccount',
      summary: 'Claim an account that a merchant made for you',
      description:
        'Sets its first password by the token of the mail, for 14 days, and signs in. Answers as a login does.',
      auth,
      body: ResetPasswordBody,
      responses: { 200: { type: PartnerSessionDto } },
      errors: ['INVITE_EXPIRED'],
      noStore: true,
      headers: sessionHeader,
      prepare: readChoice,
    },
    async (ctx, choice) => {
      const command = { ...ctx.input.body, origin: originOf(ctx) };
      const claimed = await claimAccount(passwordStoresOf(ctx), causeOf(ctx), command);
      await answerSession(ctx, claimed, choice);
    },
  ),

  route.post(
    '/api/v1/auth/merchant/accept-invite',
    {
      name: 'acceptMemberInvite',
      summary: 'Accept an invite to a workspace',
      description: 'Makes the invited account and signs it in. The token is spent.',
      auth,
      body: AcceptMemberInviteBody,
      responses: { 201: { type: MerchantSessionDto } },
      errors: ['INVITE_EXPIRED', 'EMAIL_TAKEN'],
      noStore: true,
      headers: sessionHeader,
      prepare: readChoice,
    },
    async (ctx, choice) => {
      const command = { ...ctx.input.body, origin: originOf(ctx) };
      const registered = await acceptMemberInvite(passwordStoresOf(ctx), causeOf(ctx), command);
      ctx.status = 201;
      ctx.set('Location', merchantAccountPath);
      await answerSession(ctx, registered, choice);
    },
  ),
];
