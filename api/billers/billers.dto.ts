import { furtherBillers, type FurtherBiller } from '../../entities/rules/billing/biller';
import { AnyText, Flag, OneOf, Text, Texts } from '../http/contract/validators';
import { ConnectionDto, EventOfBillerDto } from './connection.dto';

export class BillerConnectionDto extends ConnectionDto {
  @Flag({ example: true })
  hasApiKey!: boolean;

  @Texts({
    description:
      'What the connection is not told as it is, such as `disputes` of Polar without an API key. Empty with a key.',
  })
  missingKinds!: string[];
}

export class PutBillerConnectionBody {
  @Text({
    min: 1,
    max: 500,
    optional: true,
    description:
      'A key of the biller, of this mode. Alone it also registers our endpoint at the biller, once.',
    example: `pdl_live_apikey_${'x'.repeat(26)}`,
  })
  apiKey?: string;

  @Text({
    min: 16,
    max: 255,
    optional: true,
    description:
      'Signing secret of an endpoint that you registered yourself, as the biller shows it.',
    example: `pdl_ntfset_${'x'.repeat(26)}`,
  })
  webhookSecret?: string;
}

export class BillerEventDto extends EventOfBillerDto {
  @OneOf(furtherBillers)
  biller!: FurtherBiller;

  @AnyText({
    nullable: true,
    description:
      "Paddle's event_id, Polar's webhook-id; null for what a list told that names none.",
    example: 'evt_01hv97725sakkxq0yqdqef4m6p',
  })
  billerEventId!: string | null;

  @Flag({ description: 'No webhook brought it: the daily reading of the biller did.' })
  recovered!: boolean;
}
