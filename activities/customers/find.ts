import { safeInteger } from '../../entities/database/data-source';
import { countFrom, query, type Db } from '../../entities/database/sql';
import type { AttributionObject } from '../../entities/rules/attribution/conversion';
import type { BindingSource } from '../../entities/rules/customers/binding';
import type { Mode, Scope } from '../../entities/rules/values/mode';

/** A customer whom a partner has brought. */
export interface CustomerRecord {
  id: string;
  customerId: string;
  /** Their further ids, sorted. */
  aliases: string[];
  participantId: string;
  programId: string;
  partnerName: string;
  source: BindingSource;
  boundAt: Date;
  firstPaidAt: Date | null;
  /** How the sign-up or sale that bound them was attributed, as it was answered. */
  attribution: AttributionObject | null;
  mode: Mode;
  createdAt: Date;
  /** Attributed ones, whoever they were credited to. */
  conversions: number;
  /** Of those, net of refunds, one sum a currency. */
  revenue: { currency: string; amountCents: number }[];
}

export interface CustomerFilter {
  programId?: string | undefined;
  participantId?: string | undefined;
  source?: BindingSource | undefined;
  /** Any id of theirs, exactly. */
  name?: string | undefined;
}

interface Condition {
  where: string;
  params: unknown[];
}

function conditionOf({ workspaceId, mode }: Scope, filter: CustomerFilter): Condition {
  const params: unknown[] = [workspaceId, mode];
  const conditions = ['u.workspace_id = $1', 'u.mode = $2', 'u.participant_id IS NOT NULL'];
  const add = (value: string | undefined, condition: (parameter: string) => string): void => {
    if (value !== undefined) conditions.push(condition(`$${params.push(value)}`));
  };
  add(filter.programId, (parameter) => `u.program_id = ${parameter}`);
  add(filter.participantId, (parameter) => `u.participant_id = ${parameter}`);
  add(filter.source, (parameter) => `u.source = ${parameter}`);
  add(filter.name, (parameter) => {
    const named = 'workspace_id = $1 AND mode = $2';
    return `u.id IN (SELECT customer FROM customer_aliases WHERE ${named} AND alias = ${parameter})`;
  });
  return { where: conditions.join(' AND '), params };
}

// Sums are text in the JSON, whose numbers would be rounded as they are read.
const rowsSql = ({ where, params }: Condition): string => `
  WITH page AS (
    SELECT u.* FROM customers AS u WHERE ${where}
     ORDER BY u.bound_at DESC, u.id DESC LIMIT $${params.length + 1} OFFSET $${params.length + 2}
  ), named AS (
    SELECT page.id, array_agg(a.alias ORDER BY a.alias) AS names
      FROM page JOIN customer_aliases AS a ON a.customer = page.id GROUP BY page.id
  ), bought AS (
    SELECT named.id, v.currency, count(*) AS conversions,
           sum(v.amount_cents - v.refunded_amount_cents)::text AS amount
      FROM named
      JOIN programs AS g ON g.workspace_id = $1 AND g.mode = $2
      JOIN conversions AS v ON v.program_id = g.id AND v.attributed AND v.customer_id <> ''
       AND v.customer_id = ANY (named.names)
     GROUP BY named.id, v.currency
  )
  SELECT page.id, page.customer_id AS "customerId",
         array_remove(named.names, page.customer_id) AS aliases,
         p.id AS "participantId", p.program_id AS "programId", p.partner_name AS "partnerName",
         coalesce(page.source, 'manual') AS source,
         coalesce(page.bound_at, page.created_at) AS "boundAt",
         page.first_paid_at AS "firstPaidAt", page.attribution, page.mode,
         page.created_at AS "createdAt",
         coalesce((SELECT sum(conversions) FROM bought WHERE id = page.id), 0)::int AS conversions,
         (SELECT coalesce(json_agg(json_build_object('currency', currency, 'amountCents', amount)
                                   ORDER BY currency), '[]')
            FROM bought WHERE id = page.id AND currency IS NOT NULL) AS revenue
    FROM page JOIN named ON named.id = page.id
    JOIN participants AS p ON p.id = page.participant_id
   ORDER BY page.bound_at DESC, page.id DESC`;

/** As they are read: sums are text. */
type StoredRow = Omit<CustomerRecord, 'revenue'> & {
  revenue: { currency: string; amountCents: string }[];
};

/** Those who are bound, the last bound first. AMOUNT_TOO_LARGE. */
export async function listCustomers(
  db: Db,
  scope: Scope,
  { limit, offset, ...filter }: CustomerFilter & { limit: number; offset: number },
): Promise<{ rows: CustomerRecord[]; total: number }> {
  const condition = conditionOf(scope, filter);
  const { where, params } = condition;
  const total = await countFrom(db, `customers AS u WHERE ${where}`, params);
  const rows = await query<StoredRow>(db, rowsSql(condition), [...params, limit, offset]);
  return { rows: rows.map(exact), total };
}

/** By any id of theirs; undefined for one who is not bound. AMOUNT_TOO_LARGE. */
export async function findCustomer(
  db: Db,
  scope: Scope,
  filter: CustomerFilter & { name: string },
): Promise<CustomerRecord | undefined> {
  const condition = conditionOf(scope, filter);
  const [row] = await query<StoredRow>(db, rowsSql(condition), [...condition.params, 1, 0]);
  return row && exact(row);
}

/** A sum that no number holds exactly is refused. */
function exact({ revenue, ...row }: StoredRow): CustomerRecord {
  const amounts = revenue.map(({ currency, amountCents }) => ({
    currency,
    amountCents: safeInteger(amountCents),
  }));
  return { ...row, revenue: amounts };
}
