import type { Account, MerchantAccount, PartnerAccount } from '../../activities/accounts/accounts';
import type { NewKey } from '../../activities/accounts/register';
import { passwordLength } from '../../entities/rules/accounts/accounts';
import {
  firstKeyKinds,
  modes,
  type FirstKeyKind,
  type Mode,
} from '../../entities/rules/values/mode';
import { roles, type Role } from '../../entities/rules/values/roles';
import {
  AnyText,
  Email,
  Flag,
  Int,
  ListOf,
  Name,
  Nested,
  OneOf,
  Text,
  Uuid,
} from '../http/contract/validators';
import { exampleOf } from '../http/contract/example';

export const maxTypedPassword = 1_024;
export const typedCode = { min: 1, max: 64, trim: true } as const;

/** Answers without a record: `{}`. */
export class EmptyDto {}

export class RegisterPartnerBody {
  @Email({ example: 'pat@example.com' })
  email!: string;

  @Text({ ...passwordLength, example: 'a long password' })
  password!: string;

  @Name({ example: 'Pat Partner' })
  name!: string;
}

export class RegisterMerchantBody extends RegisterPartnerBody {
  @Name({ example: 'Acme Shop' })
  workspaceName!: string;
}

export class LoginBody {
  @Email({ example: 'mia@example.com' })
  email!: string;

  @Text({ max: maxTypedPassword, example: 'a long password' })
  password!: string;

  @Text({
    ...typedCode,
    optional: true,
    description: 'Where the account has a second factor: of the app, or a recovery code.',
    example: '123456',
  })
  code?: string;
}

/** A token of any length is text: what is none of ours has the endpoint's own refusal. */
export class RefreshBody {
  @AnyText({
    optional: true,
    description:
      'The refresh token of the last answer. With `X-Session: cookie` it is in the cookie, and absent here.',
  })
  refreshToken?: string;
}

export class ForgotPasswordBody {
  @Email({ example: 'mia@example.com' })
  email!: string;
}

export class ResetPasswordBody {
  @AnyText({ description: 'The token of the link in the mail.' })
  token!: string;

  @Text({ ...passwordLength, example: 'another long password' })
  password!: string;
}

export class VerifyEmailBody {
  @AnyText({ description: 'The token of the link in the mail.' })
  token!: string;
}

export class AcceptMemberInviteBody {
  @AnyText({ description: 'The token of the invite link.' })
  token!: string;

  @Name({ example: 'Max Member' })
  name!: string;

  @Text({ ...passwordLength, example: 'a long password' })
  password!: string;
}

export class ChangeEmailBody {
  @Email({ example: 'new@example.com' })
  email!: string;

  @Text({ max: maxTypedPassword })
  password!: string;
}

export class ChangePasswordBody {
  @Text({ max: maxTypedPassword })
  currentPassword!: string;

  @Text({ ...passwordLength })
  newPassword!: string;
}

export class MerchantAccountDto {
  @Uuid()
  id!: string;

  @AnyText({ example: 'mia@example.com' })
  email!: string;

  @AnyText({ example: 'Mia Merchant' })
  name!: string;

  @Flag({ description: 'Shown only; it gates nothing.' })
  emailVerified!: boolean;

  @Flag({ description: 'Whether signing in takes a code as well.' })
  twoFactor!: boolean;

  @Uuid()
  workspaceId!: string;

  @AnyText()
  workspaceName!: string;

  @OneOf(roles, { example: 'owner' })
  role!: Role;
}

export class PartnerIdentityDto {
  @Uuid({ description: 'The gpaId.' })
  id!: string;

  @AnyText({ example: 'pat@example.com' })
  email!: string;

  @AnyText({ example: 'Pat Partner' })
  name!: string;

  @Flag({ description: 'Shown only; it gates nothing.', example: true })
  emailVerified!: boolean;

  @Flag({ description: 'Whether signing in takes a code as well.' })
  twoFactor!: boolean;
}

class SessionTokens {
  @AnyText({
    description: 'JWT, EdDSA, good for `expiresIn` seconds.',
    example: 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiIuLi4ifQ.c2lnbmF0dXJl',
  })
  accessToken!: string;

  @AnyText({
    optional: true,
    description:
      'Opaque, 30 days, for one refresh. A use of a spent one ends the session. Absent with `X-Session: cookie`.',
  })
  refreshToken?: string;

  @OneOf(['Bearer'])
  tokenType!: 'Bearer';

  @Int({ example: 900, description: 'Seconds.' })
  expiresIn!: number;
}

export class MerchantSessionDto extends SessionTokens {
  @Nested(() => MerchantAccountDto)
  account!: MerchantAccountDto;
}

export class PartnerSessionDto extends SessionTokens {
  @Nested(() => PartnerIdentityDto)
  account!: PartnerIdentityDto;
}

export class NewKeyDto {
  @OneOf(firstKeyKinds)
  kind!: FirstKeyKind;

  @OneOf(modes, { example: 'test' })
  mode!: Mode;

  @AnyText({ example: 'pk_test_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' })
  key!: string;
}

export class MerchantRegistrationDto extends MerchantSessionDto {
  @ListOf(() => NewKeyDto, { description: 'The four keys of the new workspace, this once.' })
  apiKeys!: NewKeyDto[];
}

function presentMerchant(account: MerchantAccount): MerchantAccountDto {
  const { id, email, name, emailVerified, twoFactor, workspaceId, workspaceName, role } = account;
  return { id, email, name, emailVerified, twoFactor, workspaceId, workspaceName, role };
}

function presentPartnerIdentity(account: PartnerAccount): PartnerIdentityDto {
  const { id, email, name, emailVerified, twoFactor } = account;
  return { id, email, name, emailVerified, twoFactor };
}

/** An account of either side, as its holder sees it. */
export function presentAccount(account: Account): MerchantAccountDto | PartnerIdentityDto {
  return account.side === 'merchant' ? presentMerchant(account) : presentPartnerIdentity(account);
}

export function presentNewKey({ kind, mode, key }: NewKey): NewKeyDto {
  return { kind, mode, key };
}

export const merchantRegistrationExample = exampleOf(MerchantRegistrationDto, {
  apiKeys: modes.flatMap((mode) =>
    firstKeyKinds.map((kind) => ({
      kind,
      mode,
      key: `${kind === 'public' ? 'pk' : 'sk'}_${mode}_${'x'.repeat(32)}`,
    })),
  ),
});
