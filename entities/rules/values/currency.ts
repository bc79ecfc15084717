/** ISO 4217 codes in use, lower case, as the runtime's own tables know them. */
const currencies = new Set(
  (Intl.supportedValuesOf('currency') as string[]).map((code) => code.toLowerCase()),
);

/** True for the lower-case code of a currency in use. Amounts are in its minor units. */
export function isCurrency(value: unknown): value is string {
  return typeof value === 'string' && currencies.has(value);
}
