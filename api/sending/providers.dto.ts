import { payoutProviders } from '../../entities/rules/payouts/providers';
import { typedCode } from '../auth/auth.dto';
import { PageQuery } from '../http/contract/pagination';
import { AnyText, OneOf, Text } from '../http/contract/validators';

export class ProviderListQuery extends PageQuery {}

export class PutProviderBody {
  @Text({
    min: 1,
    max: 255,
    trim: true,
    // It is half of a Basic header: visible characters, without the colon that parts it from the secret.
    pattern: /^[!-9;-~]+$/,
    description: 'Of your app at PayPal, for the mode of X-Mode: sandbox in test mode.',
    example: 'AYSq3RDGsmBLJE-otTkBtM-jBRd1TCQwFf9RGfwddNXWz0uFU9ztymylOhRS',
  })
  clientId!: string;

  @Text({
    min: 1,
    max: 255,
    trim: true,
    pattern: /^[!-~]+$/,
    description: 'Kept encrypted, never answered.',
  })
  clientSecret!: string;

  @Text({
    ...typedCode,
    optional: true,
    description: 'Six digits of your app; needed. No recovery code.',
    example: '123456',
  })
  code?: string;
}

/** Who sends payouts for the workspace, in the mode of the request. */
export class PayoutProviderDto {
  @OneOf(payoutProviders)
  provider!: string;

  @OneOf(['not_connected', 'connected', 'error'], {
    description: 'error: the provider refuses us; payouts wait until it does not.',
    example: 'connected',
  })
  status!: 'not_connected' | 'connected' | 'error';

  @AnyText({
    nullable: true,
    example: 'AYSq3RDGsmBLJE-otTkBtM-jBRd1TCQwFf9RGfwddNXWz0uFU9ztymylOhRS',
  })
  clientId!: string | null;

  @AnyText({ nullable: true })
  lastError!: string | null;
}
