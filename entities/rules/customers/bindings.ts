import { processorPrecisionMs } from '../values/duration';
import { isOfBiller, type BindingSource } from './binding';

/**
 * What says whose a customer is: a sign-up, an attributed sale, a member's hand, or an import. The same
 * facts give the same history, in whatever order they were told.
 */
export interface BindingFact {
  /** Null where a member took the binding away. */
  participantId: string | null;
  programId: string | null;
  source: BindingSource;
  /** When it happened: of several facts the first binds. A sign-up without a time happened at its call. */
  boundAt: Date;
  /** The time of the first payment that it speaks for: a sign-up without a time speaks from its click. */
  speaksFrom: Date;
  /** Where an import binds: the system before has dealt with what was paid until then. */
  cutover?: Date | null;
  /** Where an import binds: the first payment there; months are counted from it. */
  firstPaidAt?: Date | null;
}

/** A time in which a customer was one partner's. */
export interface BindingPeriod<Fact extends BindingFact = BindingFact> {
  fact: Fact;
  /** Null: whatever was paid before, too. */
  from: Date | null;
  /** Null: until now. */
  until: Date | null;
}

/** Whether a member said it: nothing that happens by itself speaks before that is taken back. */
export function isHand({ source }: Pick<BindingFact, 'source'>): boolean {
  return source === 'manual';
}

/**
 * The history of a customer's bindings, oldest first (docs/reference/customers.md, History). A member's
 * decisions cut time in pieces. In a piece without one, or after an unbinding, the first sign-up or sale
 * binds. A hand binds from its moment on; only a customer whom nobody ever had is bound for what they
 * paid before as well.
 */
export function bindingsOf<Fact extends BindingFact>(
  facts: readonly Fact[],
): BindingPeriod<Fact>[] {
  const hands = facts.filter(isHand).toSorted(byTime);
  const others = facts.filter((fact) => !isHand(fact)).toSorted(byTime);
  const cuts = [null, ...hands];
  return cuts.flatMap((cut, index) => {
    const until = hands[index]?.boundAt ?? null;
    if (cut?.participantId) {
      const isFirst = index === 1 && !others.some((fact) => orderOf(fact) < orderOf(cut));
      return [{ fact: cut, from: isFirst ? null : cut.boundAt, until }];
    }
    const since = cut?.boundAt ?? null;
    const first = others.find((fact) => isWithin(new Date(orderOf(fact)), since, until));
    if (!first) return [];
    return [{ fact: first, from: latest(first.speaksFrom, since), until }];
  });
}

function isWithin(at: Date, since: Date | null, until: Date | null): boolean {
  return (since === null || at >= since) && (until === null || at < until);
}

function latest(at: Date, since: Date | null): Date {
  return since !== null && since > at ? since : at;
}

/** A processor names a second: what else happened in it came before. Then a sign-up before a sale. */
function byTime(a: BindingFact, b: BindingFact): number {
  const isSignUp = (fact: BindingFact): number => (fact.source === 'signup' ? 0 : 1);
  return orderOf(a) - orderOf(b) || isSignUp(a) - isSignUp(b);
}

function orderOf({ source, boundAt }: BindingFact): number {
  return boundAt.getTime() + (isOfBiller(source) ? processorPrecisionMs : 0);
}

/** When a payment was made: `until` is the end of the second that a processor names. */
export interface PaidMoment {
  at: Date;
  until: Date;
}

/** The binding of the customer when this was paid; undefined for nobody's. */
export function boundWhenPaid<Fact extends BindingFact>(
  periods: readonly BindingPeriod<Fact>[],
  { at, until }: PaidMoment,
): BindingPeriod<Fact> | undefined {
  return periods.find((period) => {
    const begins = isHand(period.fact) ? at : until;
    return (
      (period.from === null || period.from <= begins) &&
      (period.until === null || at < period.until)
    );
  });
}

/** The last that a member decided before this was paid. */
export function handBefore<Fact extends BindingFact>(
  facts: readonly Fact[],
  { at }: PaidMoment,
): Fact | undefined {
  return facts
    .filter((fact) => isHand(fact) && fact.boundAt <= at)
    .toSorted(byTime)
    .at(-1);
}
