type PolarParams = { metadata?: Record<string, unknown> | null } & Record<string, unknown>;
type Id = string | null | undefined;

/**
 * The parameters of a Polar checkout with the click that led to it, in its metadata, and with your own id of the
 * customer where you give one: in `external_customer_id` where the parameters are spelt so, else in
 * `externalCustomerId`. An id that is there stays. Without either they stay as they are.
 */
export function withClick<T extends object>(params: T, clickId: Id, customerId?: Id): T {
  if (!clickId && !customerId) return params;
  const given = { ...params } as PolarParams;
  const isSnake = Object.keys(given).some((name) => name.includes('_'));
  const field = isSnake ? 'external_customer_id' : 'externalCustomerId';
  const click = clickId && { metadata: { ...given.metadata, aff_click_id: clickId } };
  const customer = customerId && { [field]: given[field] ?? customerId };
  return { ...params, ...(click || {}), ...(customer || {}) };
}
