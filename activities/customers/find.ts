import { safeInteger } from '../../entities/database/connection';
import {
  foundIn,
  newestFirst,
  windowStatement,
  type Found,
  type List,
  type Placed,
  type Window,
} from '../../entities/database/list';
import { countFrom, query, type Db } from '../../entities/database/sql';
import type { AttributionObject } from '../../entities/rules/attribution/conversion';
import type { BindingSource } from '../../entities/rules/customers/binding';
import { bindingsOf, type BindingFact } from '../../entities/rules/customers/bindings';
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
  /** The sum of those payments, net of refunds, in each currency. */
  revenue: { currency: string; amountCents: number }[];
  /** The partners whose customer they were, one after the other, oldest first. */
  bindings: CustomerPeriod[];
}

/** A time in which a customer was one partner's; null is without an end on that side. */
export interface CustomerPeriod {
  participantId: string;
  from: Date | null;
  until: Date | null;
  source: BindingSource;
  partnerName: string;
  /** Why a member bound them, in their words. */
  reason: string | null;
}

export interface CustomerFilter {
  programId?: string | undefined;
  participantId?: string | undefined;
  source?: BindingSource | undefined;
  /** Any id of theirs, exactly. */
  name?: string | undefined;
}

function listOf({ workspaceId, mode }: Scope, filter: CustomerFilter): List {
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
  const where = conditions.join(' AND ');
  return {
    columns: 'u.*',
    from: 'customers AS u',
    where,
    params,
    order: newestFirst('u', 'bound_at'),
  };
}

// Sums are text in the JSON, whose numbers would be rounded as they are read.
const rowsOf = (page: string, program: string | null): string => `
  WITH page AS (${page}
  ), named AS (
    SELECT page.id, array_agg(a.alias ORDER BY a.alias) AS names
      FROM page JOIN customer_aliases AS a ON a.customer = page.id GROUP BY page.id
  ), bought AS (
    SELECT named.id, v.currency, count(*) AS conversions,
           sum(v.amount_cents - v.refunded_amount_cents)::text AS amount
      FROM named
      JOIN programs AS g ON g.workspace_id = $1 AND g.mode = $2 ${program ? `AND g.id = ${program}` : ''}
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
         page.created_at AS "createdAt", page.place,
         coalesce((SELECT sum(conversions) FROM bought WHERE id = page.id), 0)::int AS conversions,
         (SELECT coalesce(json_agg(json_build_object('currency', currency, 'amountCents', amount)
                                   ORDER BY currency), '[]')
            FROM bought WHERE id = page.id AND currency IS NOT NULL) AS revenue,
         (SELECT coalesce(json_agg(json_build_object('participantId', b.participant_id,
                   'programId', b.program_id, 'source', b.source, 'boundAt', b.bound_at,
                   'speaksFrom', b.speaks_from, 'reason', b.reason,
                   'partnerName', q.partner_name)), '[]')
            FROM customer_bindings AS b LEFT JOIN participants AS q ON q.id = b.participant_id
           WHERE b.customer = page.id) AS facts
    FROM page JOIN named ON named.id = page.id
    JOIN participants AS p ON p.id = page.participant_id
   ORDER BY page.bound_at DESC, page.id DESC`;

/** The row as the driver gives it: sums and times are text. */
type StoredRow = Omit<CustomerRecord, 'revenue' | 'bindings'> & {
  revenue: { currency: string; amountCents: string }[];
  facts: (Omit<BindingFact, 'boundAt' | 'speaksFrom'> & {
    boundAt: string;
    speaksFrom: string;
    partnerName: string | null;
    reason: string | null;
  })[];
};

/** The parameter with the programme whose conversions and revenue are summed; null for all programmes. */
function programOf(list: List, { programId }: CustomerFilter): string | null {
  return programId === undefined ? null : `$${list.params.indexOf(programId) + 1}`;
}

/** The customers who are bound to a partner, the last bound first. AMOUNT_TOO_LARGE. */
export async function listCustomers(
  db: Db,
  scope: Scope,
  filter: CustomerFilter & Window,
): Promise<Found<CustomerRecord>> {
  const list = listOf(scope, filter);
  const { text, params } = windowStatement(list, filter);
  const placed = await query<Placed<StoredRow>>(db, rowsOf(text, programOf(list, filter)), params);
  const total = await countFrom(db, `${list.from} WHERE ${list.where}`, [...list.params]);
  const { rows, ...found } = foundIn<StoredRow>(placed, filter, total);
  return { rows: rows.map(exact), ...found };
}

/** A customer by any id of theirs; undefined for one who is not bound. AMOUNT_TOO_LARGE. */
export async function findCustomer(
  db: Db,
  scope: Scope,
  filter: CustomerFilter & { name: string },
): Promise<CustomerRecord | undefined> {
  const list = listOf(scope, filter);
  const { text, params } = windowStatement(list, { limit: 1 });
  const [row] = await query<Placed<StoredRow>>(db, rowsOf(text, programOf(list, filter)), params);
  if (!row) return undefined;
  const { place: _, ...stored } = row;
  return exact(stored);
}

/** A sum that no number holds exactly is refused. */
function exact({ revenue, facts, ...row }: StoredRow): CustomerRecord {
  const amounts = revenue.map(({ currency, amountCents }) => ({
    currency,
    amountCents: safeInteger(amountCents),
  }));
  return { ...row, revenue: amounts, bindings: historyOf(facts) };
}

function historyOf(facts: StoredRow['facts']): CustomerPeriod[] {
  const timed = facts.map(({ boundAt, speaksFrom, ...fact }) => ({
    ...fact,
    boundAt: new Date(boundAt),
    speaksFrom: new Date(speaksFrom),
  }));
  return bindingsOf(timed).flatMap(({ fact, from, until }) => {
    const { participantId, source, partnerName, reason } = fact;
    if (participantId === null) return [];
    return [{ participantId, source, from, until, partnerName: partnerName ?? '', reason }];
  });
}
