/** Every kind of outbound event (docs/reference/webhooks.md, Kinds and envelope). */
export const webhookEventKinds = [
  'conversion.created',
  'conversion.refunded',
  'conversion.fraud_detected',
  'commission.created',
  'commission.approved',
  'commission.rejected',
  'commission.refunded',
  'commission.paid',
  'commission.updated',
  'participant.applied',
  'participant.approved',
  'participant.rejected',
  'participant.suspended',
  'participant.erased',
  'participant.moved',
  'payout.created',
  'payout.completed',
  'payout.cancelled',
  'payout.item_returned',
  'payout.item_updated',
  'webhook.test',
] as const;

export type WebhookEventKind = (typeof webhookEventKinds)[number];

/** The first word of a kind names the record that the event carries. */
export type WebhookObjectKind = FirstWord<WebhookEventKind>;

type FirstWord<K> = K extends `${infer Word}.${string}` ? Word : never;

/** What an endpoint may list: kinds, or `*` alone for all of them, later ones too. */
export const subscribableKinds = [...webhookEventKinds, '*'] as const;

export type Subscription = (typeof subscribableKinds)[number];

/** The time since which an endpoint has been subscribed to each entry of its list, as ISO instants. */
export type SubscribedSince = Partial<Record<Subscription, string>>;

/** What `data.object` of a kind is: the first word of its name. */
export function objectKindOf(kind: WebhookEventKind): WebhookObjectKind {
  return kind.slice(0, kind.indexOf('.')) as WebhookObjectKind;
}

/**
 * `undefined` when the list of a create or update body is acceptable, else what is wrong with it.
 */
export function subscriptionsRefusal(events: readonly string[]): string | undefined {
  if (new Set(events).size !== events.length) return 'must not name a kind twice';
  if (events.includes('*') && events.length > 1) return '"*" must stand alone';
  return undefined;
}

/**
 * The times of a changed list. A kind that was covered before, by name or by `*`, keeps the time
 * since when it was; only what is new begins now, so that an update never drops an event that
 * happened before it under a subscription which it keeps.
 */
export function resubscribe(
  before: SubscribedSince,
  events: readonly Subscription[],
  now: Date,
): SubscribedSince {
  const since = now.toISOString();
  if (events.includes('*')) return { ...before, '*': before['*'] ?? since };

  const after: SubscribedSince = {};
  for (const kind of events) after[kind] = earliest(before[kind], before['*']) ?? since;
  return after;
}

/** The kinds that a list covers, by name or by `*`, and the one after it does not. */
export function unsubscribedKinds(
  before: readonly Subscription[],
  after: readonly Subscription[],
): WebhookEventKind[] {
  return webhookEventKinds.filter((kind) => covers(before, kind) && !covers(after, kind));
}

const covers = (events: readonly Subscription[], kind: WebhookEventKind): boolean =>
  events.includes(kind) || events.includes('*');

/** The earliest of ISO instants, whose order is that of their texts; what is missing sorts last. */
function earliest(...times: (string | undefined)[]): string | undefined {
  return times.sort()[0];
}
