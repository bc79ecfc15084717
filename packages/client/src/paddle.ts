type Data = Record<string, unknown> | null;
type PaddleParams = { customData?: Data; custom_data?: Data };
type Id = string | null | undefined;

/**
 * The parameters of a Paddle checkout or transaction with the click that led to it, and with your own id of the
 * customer where you give one: in `custom_data` where the parameters have that, else in `customData`, as
 * Paddle.js and its Node library spell it. Without either they stay as they are.
 */
export function withClick<T extends object>(params: T, clickId: Id, customerId?: Id): T {
  if (!clickId && !customerId) return params;
  const given: PaddleParams = params;
  const field = 'custom_data' in given ? 'custom_data' : 'customData';
  const click = clickId && { aff_click_id: clickId };
  const customer = customerId && { customer_id: customerId };
  return { ...params, [field]: { ...given[field], ...(click || {}), ...(customer || {}) } };
}
