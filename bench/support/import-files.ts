/** How many rows an import has of each kind. */
export interface ImportSize {
  partners: number;
  customers: number;
  commissions: number;
}

export interface ImportPart {
  kind: string;
  part: number;
  csv: string;
}

const rowsOfAPart = 50_000;

/** The files of an import in parts, as a merchant would send them; one at a time is in memory. */
export function* partsOf({ partners, customers, commissions }: ImportSize): Generator<ImportPart> {
  yield* inParts('partners', partners, {
    header: 'partner_id,email,name,status',
    row: (n) => `p${n},p${n}@example.com,Partner ${n},active`,
  });
  yield* inParts('links', partners, {
    header: 'partner_id,token',
    row: (n) => `p${n},token.${n}`,
  });
  yield* inParts('customers', customers, {
    header: 'partner_id,customer_id,aliases,bound_at,first_paid_at',
    row: (n) => `p${n % partners},u${n},cus_${n},2025-01-01,2025-01-02`,
  });
  yield* inParts('commissions', commissions, {
    header:
      'commission_id,partner_id,customer_id,sale_id,sale_amount,amount,currency,status,occurred_at',
    row: (n) =>
      `c${n},p${n % partners},u${n % customers},ch_${n},100.00,20.00,usd,${n % 4 === 0 ? 'approved' : 'paid'},2026-01-01`,
  });
}

function* inParts(
  kind: string,
  count: number,
  { header, row }: { header: string; row: (n: number) => string },
): Generator<ImportPart> {
  for (let from = 0, part = 1; from < count; from += rowsOfAPart, part += 1) {
    const length = Math.min(rowsOfAPart, count - from);
    const lines = Array.from({ length }, (_, index) => row(from + index));
    yield { kind, part, csv: [header, ...lines].join('\n') };
  }
}
