/**
 * ISO 4217 as data of ours: which codes exist and how many decimals they have must not change with
 * the version of Node. Lower case. Codes that were withdrawn lately stay valid, for sales of before.
 */

const withoutDecimals = words('bif clp djf gnf isk jpy kmf krw pyg rwf ugx vnd vuv xaf xof xpf');
const withThreeDecimals = words('bhd iqd jod kwd lyd omr tnd');
const withTwoDecimals = words(`
  aed afn all amd ang aoa ars aud awg azn bam bbd bdt bgn bmd bnd bob brl bsd btn bwp byn bzd cad
  cdf chf cny cop crc cuc cup cve czk dkk dop dzd egp ern etb eur fjd fkp gbp gel ghs gip gmd gtq
  gyd hkd hnl hrk htg huf idr ils inr irr jmd kes kgs khr kpw kyd kzt lak lbp lkr lrd lsl mad mdl
  mga mkd mmk mnt mop mru mur mvr mwk mxn myr mzn nad ngn nio nok npr nzd pab pen pgk php pkr pln
  qar ron rsd rub sar sbd scr sdg sek sgd shp sle sll sos srd ssp stn svc syp szl thb tjs tmt top
  try ttd twd tzs uah usd uyu uzs ved ves wst xcd xcg xdr xsu yer zar zmw zwg zwl`);

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}

const exponents: ReadonlyMap<string, number> = new Map([
  ...withoutDecimals.map((code) => [code, 0] as const),
  ...withTwoDecimals.map((code) => [code, 2] as const),
  ...withThreeDecimals.map((code) => [code, 3] as const),
]);

/** Every currency that is taken, lower case. */
export const currencies: readonly string[] = [...exponents.keys()].sort();

/** True for the lower-case code of a currency. Amounts are in its minor units. */
export function isCurrency(value: unknown): value is string {
  return typeof value === 'string' && exponents.has(value);
}

/** Decimals of a currency by ISO 4217: 10 to this power minor units are one. Any case; 2 for others. */
export function decimalsOf(currency: string): number {
  return exponents.get(currency.toLowerCase()) ?? 2;
}

/** Currencies with decimals by ISO 4217 that banks and processors pay in whole units only. */
export const wholeUnitCurrencies: readonly string[] = ['huf', 'twd'];

/** What a payment is a multiple of, in minor units. */
export function payableUnitOf(currency: string): number {
  return wholeUnitCurrencies.includes(currency) ? 10 ** decimalsOf(currency) : 1;
}
