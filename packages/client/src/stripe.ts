type Metadata = Record<string, string | number | null>;

interface SessionParams {
  mode?: string;
  metadata?: Metadata | '' | null;
  subscription_data?: { metadata?: Metadata | '' | null };
  client_reference_id?: string;
}

/**
 * The parameters of a Checkout Session with the click that led to it: in the session's metadata, in
 * the subscription's, so that renewals carry it, and as client_reference_id where you set none.
 * Without a click they stay as they are.
 */
export function withClick<T extends object>(params: T, clickId: string | null | undefined): T {
  if (!clickId) return params;
  const given: SessionParams = params;
  const click = { aff_click_id: clickId };
  const subscription = given.subscription_data;
  return {
    ...params,
    client_reference_id: given.client_reference_id ?? clickId,
    metadata: { ...(given.metadata || {}), ...click },
    // Stripe takes these of subscriptions only.
    ...(given.mode === 'subscription' && {
      subscription_data: {
        ...subscription,
        metadata: { ...(subscription?.metadata || {}), ...click },
      },
    }),
  };
}
