import { ConnectionDto, EventOfBillerDto } from '../billers/connection.dto';
import { AnyText, Flag, Text, Texts } from '../http/contract/validators';

export class StripeConnectionDto extends ConnectionDto {
  @AnyText({
    description: "Where Stripe's events are sent.",
    example: 'https://api.example.com/webhooks/stripe/0199c2b4-7d5e-7a31-8c44-0f6e21d3b9aa',
  })
  declare url: string;

  @Flag({ example: true })
  hasRestrictedKey!: boolean;

  @AnyText({ nullable: true, example: 'invoice.paid' })
  declare lastEventType: string | null;

  @Texts({
    description:
      'Kinds of events that Stripe never sent although an event shows that they belong: add them to the endpoint. Empty with a restricted key, which finds the same.',
  })
  missingKinds!: string[];
}

export class PutStripeConnectionBody {
  @Text({
    min: 1,
    max: 500,
    optional: true,
    description:
      'rk_ or sk_ key of this mode. Alone it also registers our endpoint at Stripe, once.',
    example: `rk_live_${'x'.repeat(24)}`,
  })
  restrictedKey?: string;

  @Text({
    min: 1,
    max: 500,
    optional: true,
    description:
      'Signing secret of an endpoint that you registered yourself: whsec_ and what follows, as Stripe shows it.',
    example: `whsec_${'x'.repeat(24)}`,
  })
  webhookSecret?: string;
}

export class StripeEventDto extends EventOfBillerDto {
  @AnyText({ example: 'evt_1SkQ2bLy8aFfGhJk' })
  stripeEventId!: string;

  @AnyText({ example: 'invoice.paid' })
  declare type: string;

  @AnyText({ nullable: true, example: '2025-08-27.basil' })
  apiVersion!: string | null;

  @AnyText({ nullable: true, example: 'in_1SkR8gLy8aFfGhJk' })
  declare objectId: string | null;
}
