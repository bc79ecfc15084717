import {
  getPartner,
  updatePartner,
  type PartnerDetails,
} from '../../activities/accounts/partner-profile';
import { causeOf } from '../../activities/journal/cause';
import { partner } from '../http/contract/credential';
import { routesOf, type Route } from '../http/contract/route';
import { AnyText, Flag, Instant, Name, Text, Uuid } from '../http/contract/validators';

const route = routesOf('Partner account');
const path = '/api/v1/partner/account';

class UpdatePartnerAccountBody {
  @Name({ optional: true, example: 'Pat Partner' })
  name?: string;

  @Text({ min: 1, max: 64, trim: true, optional: true, nullable: true, example: 'DE123456789' })
  vatId?: string | null;
}

class PartnerAccountDto {
  @Uuid({ description: 'The gpaId.' })
  id!: string;

  @AnyText()
  email!: string;

  @AnyText()
  name!: string;

  @Flag({ description: 'Shown only; it gates nothing.' })
  emailVerified!: boolean;

  @Flag({ description: 'Whether signing in takes a code as well.' })
  twoFactor!: boolean;

  @AnyText({ nullable: true })
  vatId!: string | null;

  @Instant()
  createdAt!: string;

  @Instant()
  updatedAt!: string;
}

function presentPartnerAccount(details: PartnerDetails): PartnerAccountDto {
  return {
    id: details.id,
    email: details.email,
    name: details.name,
    emailVerified: details.emailVerified,
    twoFactor: details.twoFactor,
    vatId: details.vatId,
    createdAt: details.createdAt.toISOString(),
    updatedAt: details.updatedAt.toISOString(),
  };
}

const accountExample: PartnerAccountDto = {
  id: '019a0b1c-2d3e-7f40-8a51-62738495a6b8',
  email: 'pat@example.com',
  name: 'Pat Partner',
  emailVerified: true,
  twoFactor: false,
  vatId: 'DE123456789',
  createdAt: '2026-01-31T09:30:00.000Z',
  updatedAt: '2026-01-31T09:30:00.000Z',
};

const responses = { 200: { type: PartnerAccountDto, example: accountExample } };

export const partnerAccountRoutes: Route[] = [
  route.get(
    path,
    {
      name: 'getPartnerAccount',
      summary: 'Read your own account',
      description: 'The account of the partner who is signed in, the same in all programmes.',
      auth: partner(),
      responses,
    },
    async (ctx) => {
      const details = await getPartner(
        { db: ctx.db, vault: ctx.deps.vault },
        ctx.principal.accountId,
      );
      ctx.body = presentPartnerAccount(details);
    },
  ),

  route.patch(
    path,
    {
      name: 'updatePartnerAccount',
      summary: 'Change your own account',
      description: 'A field left out stays; null clears the VAT id.',
      auth: partner(),
      body: UpdatePartnerAccountBody,
      responses,
    },
    async (ctx) => {
      const { accountId } = ctx.principal;
      const stores = { db: ctx.db, vault: ctx.deps.vault };
      await updatePartner(stores, causeOf(ctx), { accountId, patch: ctx.input.body });
      const details = await getPartner(stores, accountId);
      ctx.body = presentPartnerAccount(details);
    },
  ),
];
