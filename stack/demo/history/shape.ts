import { dayMs } from '../../../entities/rules/values/duration';

/** Random numbers that are the same at each run, so that a demo can be talked about. */
export type Random = () => number;

export function createRandom(seed: number): Random {
  let state = seed;
  return () => {
    // Mulberry32: small, quick, and even enough for a demo.
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export interface DemoPartner {
  name: string;
  referralCode: string;
  promoCode: string | null;
  /** Share of the clicks, beside the others'. */
  weight: number;
  /** Sales per click, beside the average. */
  skill: number;
  /** Days into a year of history at which the partner began; a shorter one is as full, earlier. */
  since: number;
}

/** The demo's own partner, whose login opens the portal; her promo code stays for what is tried by hand. */
export const ava = partner(['Ava Reed', 'ava', null], [16, 1.2, 0]);

/** The partners beside Ava. */
export const demoPartners: readonly DemoPartner[] = [
  partner(['Bean There Blog', 'bean-there', 'BEAN15'], [30, 1.1, 0]),
  partner(['Noor Haddad', 'noor', 'NOOR10'], [22, 1.6, 0]),
  partner(['The Slow Morning', 'slow-morning', null], [19, 0.7, 20]),
  partner(['Kaffeeklatsch Podcast', 'kaffeeklatsch', 'KLATSCH'], [17, 1.3, 45]),
  partner(['Brew Deals', 'brew-deals', 'DEALS20'], [26, 0.45, 60]),
  partner(['Tomasz Zielinski', 'tomasz', null], [9, 1.8, 80]),
  partner(['Pour Over Journal', 'pour-over', 'POUR5'], [12, 1, 110]),
  partner(['Maison Torréfaction', 'maison', 'MAISON'], [10, 1.2, 150]),
  partner(['Grind Size Matters', 'grind-size', null], [8, 0.9, 190]),
  partner(['Lena & the Lattes', 'lena-lattes', 'LENA10'], [14, 1.4, 230]),
  partner(['Espresso Club York', 'espresso-york', null], [4, 0.6, 260]),
];

function partner(
  [name, referralCode, promoCode]: [string, string, string | null],
  [weight, skill, since]: [number, number, number],
): DemoPartner {
  return { name, referralCode, promoCode, weight, skill, since };
}

/** The day of a history of so many days at which the partner began. */
export function startOf({ since }: DemoPartner, days: number): number {
  return Math.round((since * days) / 365);
}

/** How busy each of the days before `end` is: growth, quiet weekends, a sale in the late autumn. */
export function dayWeights({ end, days }: { end: Date; days: number }, random: Random): number[] {
  return Array.from({ length: days }, (_, day) => {
    const at = new Date(end.getTime() - (days - day) * dayMs);
    const growth = 0.55 + (0.9 * day) / days;
    const weekend = [0, 6].includes(at.getUTCDay()) ? 0.62 : 1;
    const summer = [6, 7].includes(at.getUTCMonth()) ? 0.8 : 1;
    const isSale = at.getUTCMonth() === 10 && at.getUTCDate() >= 24;
    return growth * weekend * summer * (isSale ? 2.1 : 1) * (0.85 + 0.3 * random());
  });
}

/** Whole numbers in these proportions that add up to `total`. */
export function portions(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((a, b) => a + b, 0);
  let reached = 0;
  let given = 0;
  return weights.map((weight) => {
    reached += weight;
    const portion = Math.round((total * reached) / sum) - given;
    given += portion;
    return portion;
  });
}

/** A choice by weight. */
export function pick<T>(random: Random, choices: readonly (readonly [T, number])[]): T {
  const sum = choices.reduce((total, [, weight]) => total + weight, 0);
  let left = random() * sum;
  for (const [choice, weight] of choices) {
    left -= weight;
    if (left < 0) return choice;
  }
  const last = choices.at(-1);
  if (!last) throw new Error('there is nothing to choose from');
  return last[0];
}
