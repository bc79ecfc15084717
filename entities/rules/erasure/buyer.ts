export interface ErasedBuyer {
  conversionIds: ReadonlySet<string>;
  /** What takes the place of each of the customer's ids. */
  replacements: ReadonlyMap<string, string>;
}

/** A stored answer without the buyer: the records of their conversions lose what is personal. */
export function answerWithoutBuyer(value: unknown, buyer: ErasedBuyer): unknown {
  if (Array.isArray(value)) return value.map((item) => answerWithoutBuyer(item, buyer));
  if (typeof value !== 'object' || value === null) return value;
  const record = value as Record<string, unknown>;
  const isTheirs = typeof record['id'] === 'string' && buyer.conversionIds.has(record['id']);
  return Object.fromEntries(
    Object.entries(record).map(([field, item]) => [
      field,
      isTheirs ? cleanField(field, item, buyer) : answerWithoutBuyer(item, buyer),
    ]),
  );
}

function cleanField(field: string, item: unknown, buyer: ErasedBuyer): unknown {
  if (field === 'metadata') return null;
  if (field !== 'customer_id' || typeof item !== 'string') return answerWithoutBuyer(item, buyer);
  return buyer.replacements.get(item) ?? item;
}

const customerPath = '/api/v1/customers/';

/** The answer to a sign-up without the buyer: their ids stand in fields, lists and the Location. */
export function customerAnswerWithoutBuyer(value: unknown, buyer: ErasedBuyer): unknown {
  if (Array.isArray(value)) return value.map((item) => customerAnswerWithoutBuyer(item, buyer));
  if (typeof value === 'object' && value !== null) {
    const cleaned = Object.entries(value).map(([field, item]) => [
      field,
      customerAnswerWithoutBuyer(item, buyer),
    ]);
    return Object.fromEntries(cleaned) as unknown;
  }
  for (const [id, hash] of buyer.replacements) {
    if (value === id) return hash;
    if (value === customerPath + encodeURIComponent(id)) {
      return customerPath + encodeURIComponent(hash);
    }
  }
  return value;
}
