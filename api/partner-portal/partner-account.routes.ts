import {
  getPartner,
  updatePartner,
  type PartnerDetails,
} from '../../activities/accounts/partner-profile';
import { causeOf } from '../../activities/journal/cause';
import { PartnerIdentityDto } from '../auth/auth.dto';
import { partner } from '../http/contract/credential';
import { present } from '../http/contract/present';
import { routesOf, type Route } from '../http/contract/route';
import { AnyText, Instant, Name, Text } from '../http/contract/validators';

const route = routesOf('Partner account');
const path = '/api/v1/partner/account';

class UpdatePartnerAccountBody {
  @Name({ optional: true, example: 'Pat Partner' })
  name?: string;

  @Text({ min: 1, max: 64, trim: true, optional: true, nullable: true, example: 'DE123456789' })
  vatId?: string | null;
}

class PartnerAccountDto extends PartnerIdentityDto {
  @AnyText({ nullable: true, example: 'DE123456789' })
  vatId!: string | null;

  @Instant()
  createdAt!: string;

  @Instant()
  updatedAt!: string;
}

const presentPartnerAccount = (details: PartnerDetails): PartnerAccountDto =>
  present(PartnerAccountDto, details);

const responses = { 200: { type: PartnerAccountDto } };

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
