import { openMethod } from '../../activities/accounts/payout-method';
import { methodCounts } from '../../activities/payouts/method-counts';
import type { ImportKind } from '../../entities/rules/imports/kinds';
import { plainSum } from '../../entities/rules/imports/money';
import type { PagedRows } from '../../runtime/connections/row-streams';
import type { Vault } from '../../runtime/crypto/vault';
import { instant, pagesOf } from './pages';

export interface Leaving {
  programId: string;
  /** Addresses to which partners are paid, too. */
  includePayout: boolean;
  vault: Pick<Vault, 'decrypt'>;
}

/** What a programme has of each kind, in the columns in which an import takes it. */
export const exportedRows: Readonly<Record<ImportKind, (leaving: Leaving) => PagedRows>> = {
  partners: partnerRows,
  links: linkRows,
  customers: customerRows,
  commissions: commissionRows,
};

/** What is paid by the account's own way, else by the one that an import told. */
const ownWay = `(a.payout_method_encrypted IS NOT NULL AND ${methodCounts})`;

/** Who has left is as good as suspended: nothing new is earned. */
function partnerRows({ programId, includePayout, vault }: Leaving): PagedRows {
  return pagesOf({
    programId,
    order: [
      ['p.created_at', 'timestamptz'],
      ['p.id', 'uuid'],
    ],
    columns: [
      'p.id::text',
      'p.partner_email',
      'p.partner_name',
      `CASE p.status WHEN 'left' THEN 'suspended' ELSE p.status END`,
      `CASE WHEN ${ownWay} THEN a.payout_method_encrypted ELSE p.payout_method_encrypted END`,
      `CASE WHEN ${ownWay} THEN a.id ELSE p.payout_method_account_id END::text`,
      instant('p.created_at'),
      'r.name',
    ],
    from: `participants AS p
      LEFT JOIN program_groups AS r ON r.id = p.group_id AND r.deleted_at IS NULL
      LEFT JOIN partner_accounts AS a ON a.id = p.partner_id AND a.erased_at IS NULL
      WHERE p.program_id = $1 AND p.erased_at IS NULL`,
    decode([, id, email, name, status, box, accountId, createdAt, group]) {
      const way = includePayout ? wayOf(vault, { box, accountId }) : noWay;
      return [id, email, name, status, group ?? '', ...way, createdAt];
    },
  });
}

const noWay = ['', ''] as const;

/** What an import can take: an address at PayPal or Wise. */
function wayOf(
  vault: Leaving['vault'],
  { box = null, accountId = null }: Record<'box' | 'accountId', string | null | undefined>,
): readonly [string, string] {
  if (box === null || accountId === null) return noWay;
  const method = openMethod(vault, { box, accountId });
  return method.type === 'paypal' || method.type === 'wise' ? [method.type, method.email] : noWay;
}

/** The code of now comes first, so that it is the code again; then what else leads to the partner. */
function linkRows({ programId }: Leaving): PagedRows {
  return pagesOf({
    programId,
    order: [
      ['l.created_at', 'timestamptz'],
      ['l.participant_id', 'uuid'],
      ['l.place', 'int'],
      ['l.token', 'text'],
    ],
    columns: ['l.participant_id::text', 'l.token', 'l.kind', 'l.url'],
    from: `(
      SELECT p.created_at, p.id AS participant_id, t.token COLLATE "C" AS token, 'link' AS kind,
             CASE WHEN t.token = p.referral_code THEN 0 ELSE 1 END AS place,
             CASE WHEN k.is_default OR k.target_url = g.website_url THEN '' ELSE k.target_url END AS url
        FROM participants AS p
        JOIN programs AS g ON g.id = p.program_id
        JOIN referral_tokens AS t ON t.participant_id = p.id AND t.retired_at IS NULL
        JOIN tracking_links AS k ON k.id = t.link_id
       WHERE p.program_id = $1 AND p.erased_at IS NULL
       UNION ALL
      SELECT p.created_at, p.id, c.code COLLATE "C", 'code', 2, ''
        FROM participants AS p JOIN promo_codes AS c ON c.participant_id = p.id
       WHERE p.program_id = $1 AND p.erased_at IS NULL) AS l WHERE true`,
    decode: ([, ...cells]) => cells,
  });
}

function customerRows({ programId }: Leaving): PagedRows {
  return pagesOf({
    programId,
    order: [
      ['u.created_at', 'timestamptz'],
      ['u.id', 'uuid'],
    ],
    columns: [
      'u.participant_id::text',
      'u.customer_id',
      `(SELECT string_agg(n.alias, '|' ORDER BY n.alias COLLATE "C") FROM customer_aliases AS n
         WHERE n.customer = u.id AND n.alias <> u.customer_id)`,
      instant('u.bound_at'),
      `u.first_payments->(u.program_id::text)->>'paidAt'`,
    ],
    from: `customers AS u JOIN participants AS p ON p.id = u.participant_id
      WHERE u.program_id = $1 AND p.erased_at IS NULL AND u.customer_id NOT LIKE 'erased:%'`,
    decode: ([, ...cells]) => cells.map((cell) => cell ?? ''),
  });
}

const carried = `c.status IN ('paid', 'refunded', 'rejected') AND c.owed_cents <> 0`;

/** The time at which a commission was earned that an import brought without a sale. */
const toldAt = `(SELECT (m.told->>'occurredAt')::timestamptz FROM imported_records AS m
  WHERE m.record_id = c.id AND m.kind = 'commissions' LIMIT 1)`;

/**
 * A paid one with what was paid, also where a refund has come since: what is carried of it is a row of its
 * own, as it would be netted.
 */
function commissionRows({ programId }: Leaving): PagedRows {
  return pagesOf({
    programId,
    order: [
      ['c.id', 'uuid'],
      ['w.part', 'int'],
    ],
    columns: [
      `c.id::text || CASE w.part WHEN 1 THEN '-carried' ELSE '' END`,
      'c.participant_id::text',
      `CASE WHEN v.customer_id LIKE 'erased:%' THEN NULL ELSE v.customer_id END`,
      `CASE WHEN w.part = 0 AND c.commission_type <> 'adjustment' THEN coalesce(
         (SELECT string_agg(n.alias, '|' ORDER BY n.alias <> c.external_transaction_id,
                            n.alias COLLATE "C")
            FROM conversion_aliases AS n
           WHERE n.workspace_id = c.workspace_id AND n.mode = c.mode AND n.conversion_id = v.id),
         c.external_transaction_id) END`,
      `CASE WHEN w.part = 0 AND c.external_transaction_id IS NOT NULL
              AND c.commission_type <> 'adjustment' THEN c.conversion_amount_cents END::text`,
      `CASE WHEN w.part = 0 THEN v.refunded_amount_cents END::text`,
      `CASE WHEN w.part = 1 THEN c.owed_cents WHEN c.status = 'paid'
            THEN c.amount_cents - c.owed_cents ELSE c.amount_cents END::text`,
      'c.currency',
      `CASE WHEN w.part = 1 THEN 'approved' WHEN c.status IN ('rejected', 'refunded') THEN 'void'
            ELSE c.status END`,
      instant(`coalesce(v.occurred_at, ${toldAt}, c.created_at)`),
      instant('c.hold_until'),
      instant('c.paid_at'),
      `CASE c.commission_type WHEN 'bonus' THEN c.terms->>'name' ELSE c.adjustment_reason END`,
    ],
    from: `commissions AS c
      LEFT JOIN conversions AS v ON v.id = c.conversion_id
      JOIN participants AS p ON p.id = c.participant_id
      CROSS JOIN LATERAL (SELECT 0 AS part UNION ALL SELECT 1 WHERE ${carried}) AS w
      WHERE c.program_id = $1 AND p.erased_at IS NULL`,
    decode([, id, partner, customer, sales, sale, refunded, amount, currency = '', ...rest]) {
      const sumOf = (cents: string | null | undefined): number | '' =>
        cents === null || cents === undefined
          ? ''
          : Number(plainSum(Number(cents), currency ?? ''));
      const sums = [sumOf(sale), sumOf(refunded), sumOf(amount)];
      const cells = [id, partner, customer, sales, ...sums, currency, ...rest];
      return cells.map((cell) => cell ?? '');
    },
  });
}
