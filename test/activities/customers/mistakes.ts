import { CustomerModel, ever, type Payment, type Returned, type Terms, type Told } from './model';
import type { Step } from './steps';
import { Twins, type Twin } from './twins';

/** A mistake that the service once made, as the model would make it, and the shortest sequence that shows it. */
export interface Mistake {
  name: string;
  terms: Terms;
  /** What is told side by side is together. */
  shows: readonly (readonly Step[])[];
  makes: new (terms: Terms) => CustomerModel;
}

const always: Terms = { recurring: true, recurringMonths: null };
const once: Terms = { recurring: false, recurringMonths: null };
const told = (...all: [Step['kind'], number][]): Step[][] => all.map(([kind, n]) => [{ kind, n }]);

class WithTwins extends CustomerModel {
  constructor(
    terms: Terms,
    override readonly twins: Twins,
  ) {
    super(terms);
  }
}

/** Each with the number that money was found under. */
export const mistakes: Record<string, Mistake> = {
  M1: {
    name: 'one charge that is known is the whole of an invoice',
    terms: always,
    shows: told(['signUp', 1], ['invoice', 1], ['partBack', 1]),
    makes: class extends CustomerModel {
      protected override shareOf({ cents, of, charge }: Returned) {
        return { cents, of: of === 2 ? of : charge };
      }
    },
  },
  M2: {
    name: 'the first payment that is told is the first',
    terms: once,
    shows: told(['signUp', 1], ['checkout', 2], ['checkout', 1]),
    makes: class extends CustomerModel {
      protected override compare(a: Told, b: Told): number {
        return a.told - b.told;
      }
    },
  },
  M3: {
    name: 'a customer of Stripe’s who has bought stays one of their own',
    terms: once,
    shows: told(['stripesCheckout', 0], ['signUp', 0], ['checkout', 1]),
    makes: class extends CustomerModel {
      protected override isNamedTogether(): boolean {
        return super.isNamedTogether() && !this.has('stripes');
      }
    },
  },
  M4: {
    name: 'of two conversions that are one payment the older is kept, rejected or not',
    terms: always,
    shows: told(['twinReport', 0], ['twinInvoice', 0], ['twinReject', 0], ['twinJoin', 0]),
    makes: class extends WithTwins {
      constructor(terms: Terms) {
        super(
          terms,
          new (class extends Twins {
            protected override kept(twin: Twin, standing: readonly string[]): number {
              const isOlderKept = twin.older !== null && standing.includes(twin.older);
              return twin.isJoined ? Number(isOlderKept) : standing.length;
            }
          })(),
        );
      }
    },
  },
  M5: {
    name: 'a checkout that credit paid whole earns',
    terms: always,
    shows: told(['creditCheckout', 0], ['creditInvoice', 0]),
    makes: class extends CustomerModel {
      protected override isCovered(): boolean {
        return false;
      }
    },
  },
  M6: {
    name: 'a charge that comes before its checkout decides alone',
    terms: always,
    shows: told(['charge', 0], ['codedCheckout', 0]),
    makes: class extends CustomerModel {
      protected override saysMore(): boolean {
        return false;
      }
    },
  },
  M7: {
    name: 'a renewal that the shop reports first with an expired click is nobody’s',
    terms: always,
    shows: told(['signUp', 1], ['expiredReport', 1], ['invoice', 1]),
    makes: class extends CustomerModel {
      private readonly inVain = new Set<string>();
      override reportInVain(id: string): void {
        this.inVain.add(id);
      }
      override pay(payment: Payment): void {
        if (!this.inVain.has(payment.id)) super.pay(payment);
      }
    },
  },
  M8: {
    name: 'what was told before the sign-up stays nobody’s',
    terms: always,
    shows: told(['checkout', 3], ['signUp', 0]),
    makes: class extends CustomerModel {
      protected override ofSale(...[party, payment]: Parameters<CustomerModel['ofSale']>) {
        const signUps = party.signUps.filter((one) => one.told < payment.told);
        return super.ofSale({ ...party, signUps }, payment);
      }
    },
  },
  M9: {
    name: 'of one sale that two sources tell in one moment neither is flagged',
    terms: always,
    shows: [
      [
        { kind: 'twinReport', n: 0 },
        { kind: 'twinInvoice', n: 0 },
      ],
    ],
    makes: class extends WithTwins {
      constructor(terms: Terms) {
        super(
          terms,
          new (class extends Twins {
            protected override flagged(twin: Twin): number | null {
              return twin.isSideBySide ? 0 : super.flagged(twin);
            }
          })(),
        );
      }
    },
  },
  M10: {
    name: 'the old subscription of an unbound customer goes on once anybody has bound them',
    terms: always,
    shows: told(
      ['signUp', 1],
      ['invoice', 0],
      ['unbind', 0],
      ['saleByRivalsClick', 1],
      ['invoice', 2],
    ),
    makes: class extends CustomerModel {
      protected override ofUnbound(
        ...[{ subscribed }, party, payment]: Parameters<CustomerModel['ofUnbound']>
      ) {
        const isBound = this.ofSale(party, payment) !== null;
        return isBound && subscribed ? { partner: subscribed, matchedBy: null } : null;
      }
    },
  },
  M11: {
    name: 'a new binding by hand takes what was paid before it and is told late',
    terms: always,
    shows: told(['signUp', 0], ['rebind', 1], ['saleByCustomer', 0]),
    makes: class extends CustomerModel {
      protected override handSpeaksFrom(): number {
        return ever;
      }
      protected override ofSale(...[party, payment]: Parameters<CustomerModel['ofSale']>) {
        const partner = party.hands.at(-1)?.partner;
        if (payment.clicked || !partner) return super.ofSale(party, payment);
        return { partner, matchedBy: 'customer' as const };
      }
    },
  },
  M12: {
    name: 'a dispute in another currency counts as if it were in the charge’s',
    terms: always,
    shows: told(['signUp', 0], ['checkout', 2], ['disputeAbroad', 2]),
    makes: class extends CustomerModel {
      protected override shareOf(returned: Returned) {
        return returned.of === 2 ? { cents: 1, of: returned.charge } : returned;
      }
    },
  },
  M13: {
    name: 'months are counted from payment to payment',
    terms: { recurring: true, recurringMonths: 2 },
    shows: told(['signUp', 1], ['invoice', 0], ['invoice', 2]),
    makes: class extends CustomerModel {
      protected override countedFrom({ paidAt }: Payment): Date {
        return paidAt;
      }
    },
  },
};
