import { queryOne, type Db } from '../../../entities/database/sql';
import type { StoredSignals } from '../../../entities/rules/payments/sale';
import { rulesOf } from '../../../entities/rules/billers';
import type { Biller } from '../../../entities/rules/billing/biller';
import type { PaymentSummary } from '../../../entities/rules/billing/rules';
import type { Scope } from '../../../entities/rules/values/mode';
import { resolveSignals } from '../../credit/signals';
import { findTrials } from '../payments/trials';

/**
 * Whether a payment may be a partner's: by a signal of its own or of its trial, because its
 * subscription or customer has a conversion, or because a partner brought the customer. All else is the merchant's own business, of which
 * the biller is asked nothing.
 */
export async function mayBeOurs(
  db: Db,
  { biller, ...scope }: Scope & { biller: Biller },
  { subscriptionId, customerId, names, signals: of }: PaymentSummary,
): Promise<boolean> {
  if (await isKnownParty(db, scope, { subscriptionId, customerId })) return true;
  if (await isBound(db, scope, [...names.own, ...names.billers])) return true;

  const trial = await trialSignals(db, scope, subscriptionId);
  const all = {
    clickIds: [...of.clickIds, ...trial.flatMap(({ clickIds }) => clickIds)],
    metadataClickIds: [...of.metadataClickIds, ...trial.flatMap((one) => one.metadataClickIds)],
    codes: [...of.codes, ...trial.flatMap(({ codes }) => codes)],
  };
  const signals = await resolveSignals(db, scope, { biller, signals: all });
  return signals !== null && signals !== 'elsewhere';
}

/** Signals of what began a subscription before anything was paid for it, whichever release took it in. */
async function trialSignals(
  db: Db,
  scope: Scope,
  subscriptionId: string | null,
): Promise<StoredSignals[]> {
  if (subscriptionId === null) return [];
  const trials = await findTrials(db, scope, subscriptionId);
  return trials.map(({ biller, objects }) => rulesOf(biller).summaryOf(objects).signals);
}

/** Whether a customer of one of these names is, or was, a partner's. */
async function isBound(
  db: Db,
  { workspaceId, mode }: Scope,
  names: readonly string[],
): Promise<boolean> {
  const row = await queryOne<{ isBound: boolean }>(
    db,
    `SELECT EXISTS (SELECT 1 FROM customer_aliases AS a
                      JOIN customer_bindings AS b ON b.customer = a.customer
                     WHERE a.workspace_id = $1 AND a.mode = $2 AND a.alias = ANY ($3::text[]))
              AS "isBound"`,
    [workspaceId, mode, names],
  );
  return row?.isBound === true;
}

type Parties = Pick<PaymentSummary, 'subscriptionId' | 'customerId'>;

async function isKnownParty(
  db: Db,
  { workspaceId, mode }: Scope,
  { subscriptionId, customerId }: Parties,
): Promise<boolean> {
  const row = await queryOne<{ isKnown: boolean }>(
    db,
    `SELECT EXISTS (SELECT 1 FROM stripe_payments AS p
                     WHERE p.workspace_id = $1 AND p.mode = $2 AND p.subscription_id = $3
                       AND p.conversion_id IS NOT NULL)
         OR EXISTS (SELECT 1 FROM stripe_payments AS p
                     WHERE p.workspace_id = $1 AND p.mode = $2 AND p.customer_id = $4
                       AND p.conversion_id IS NOT NULL) AS "isKnown"`,
    [workspaceId, mode, subscriptionId, customerId],
  );
  return row?.isKnown === true;
}

/** Whether a partner of the workspace has a promo code, so that the text of a discount matters. */
export async function hasPromoCodes(db: Db, { workspaceId, mode }: Scope): Promise<boolean> {
  const row = await queryOne<{ hasCodes: boolean }>(
    db,
    `SELECT EXISTS (SELECT 1 FROM promo_codes WHERE workspace_id = $1 AND mode = $2) AS "hasCodes"`,
    [workspaceId, mode],
  );
  return row?.hasCodes === true;
}

/** Whether a rule of a programme asks what was sold. */
export async function asksItems(db: Db, { workspaceId, mode }: Scope): Promise<boolean> {
  const row = await queryOne(
    db,
    `SELECT 1 FROM programs
      WHERE workspace_id = $1 AND mode = $2
        AND jsonb_path_exists(rules, '$[*].match.productIds') LIMIT 1`,
    [workspaceId, mode],
  );
  return row !== undefined;
}
