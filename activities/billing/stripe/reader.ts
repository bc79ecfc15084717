import type Stripe from 'stripe';
import type { StripeFacts } from '../../../entities/rules/stripe/read-event';
import { stripeEventTypes } from '../../../entities/rules/stripe/read-event';
import { validationError } from '../../../entities/errors';
import type { Mode } from '../../../entities/rules/values/mode';
import {
  createStripeClient,
  isSignedByStripe,
  stripeFailure,
  type StripeClient,
} from '../../../runtime/connections/stripe';
import { oldestFirst, type PageAsked, type PageRead } from '../oldest-first';
import type { BillerAccount, BillerReader, Secrets } from '../reader';
import { checkStripeKey, registerEndpoint, removeEndpoint } from './check-key';
import { stripeCodes } from './codes';
import { keepEndpoint } from './endpoint';
import { lookUp, type StripeLookup } from './look-up';
import { missingKindsOf, noteInvoicePayments, stripeProblem } from './missing-kinds';

/** Stripe, as all billers are read. */
export const stripeReader: BillerReader = {
  isSigned: ({ body, header }, by) => isSignedByStripe(body, header('stripe-signature'), by),
  deliveryIdOf: () => null,
  assertSecrets,
  account: (config, { key }) => accountOf(createStripeClient(config, key)),
  failureOf: stripeFailure,
  listRead: 'events (rak_event_read)',
  firstKeyReads: 'since the connection was made',
  async lookUp(config, { account, pace }, request) {
    const client = createStripeClient(config, account.key);
    return lookUp(client, pace, request as StripeLookup);
  },
  note: (db, event, facts) => noteInvoicePayments(db, event, facts as StripeFacts),
  missingKinds: missingKindsOf,
  problem: stripeProblem,
};

function accountOf(client: StripeClient): BillerAccount {
  return {
    check: () => checkStripeKey(client),
    register: (at) => registerEndpoint(client, at),
    keep: (endpoint) => keepEndpoint(client, endpoint),
    remove: (id) => removeEndpoint(client, id),
    codes: stripeCodes(client),
    list: ({ since, place }) => oldestFirst(place, (asked) => readEvents(client, since, asked)),
  };
}

function cursorOf(
  asked: PageAsked,
): Pick<Stripe.EventListParams, 'ending_before' | 'starting_after'> {
  if ('newerThan' in asked) return { ending_before: asked.newerThan };
  return asked.olderThan === null ? {} : { starting_after: asked.olderThan };
}

/** A page of Stripe's list of events, which begins with the newest. */
async function readEvents(client: StripeClient, since: Date, asked: PageAsked): Promise<PageRead> {
  const page = await client.events.list({
    created: { gte: Math.floor(since.getTime() / 1_000) },
    types: [...stripeEventTypes],
    limit: 100,
    ...cursorOf(asked),
  });
  const events = page.data.map((event) => ({
    text: JSON.stringify(event),
    deliveryId: null,
    isRead: false,
  }));
  return {
    events: events.toReversed(),
    oldest: page.data.at(-1)?.id ?? null,
    newest: page.data[0]?.id ?? null,
    isMore: page.has_more,
  };
}

function assertSecrets({ key, webhookSecret }: Secrets, mode: Mode): void {
  if (key === undefined && webhookSecret === undefined) {
    throw validationError('body', 'give restrictedKey, webhookSecret or both');
  }
  const ofMode = new RegExp(`^(rk|sk)_${mode}_[A-Za-z0-9_]{1,400}$`);
  if (key !== undefined && !ofMode.test(key)) {
    throw validationError('restrictedKey', `must be an rk_${mode}_ or sk_${mode}_ key`);
  }
  // Stripe says no more of its form than how it begins.
  if (webhookSecret !== undefined && !/^whsec_[\x21-\x7e]{1,400}$/.test(webhookSecret)) {
    throw validationError('webhookSecret', 'must begin with whsec_, as Stripe shows it');
  }
}
