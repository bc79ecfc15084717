import { newId } from '../../entities/ids';
import { PinnedPayoutMethods1700000000050 } from '../../entities/migrations/0050-pinned-payout-methods';
import { useMigratedBefore } from '../support/postgres/migrated-before';

const own = useMigratedBefore();

const execute = (text: string, params: unknown[] = []) => own.client.query(text, params);

const [workspaceId, programId, payoutId] = [newId(), newId(), newId()];
const added = '2026-01-10T00:00:00Z';

interface Before {
  status?: 'ready' | 'paid';
  mode?: 'live' | 'test';
  /** The account's method, today. */
  method?: string | null;
  isVerified?: boolean;
  claimedAt?: string | null;
  isErased?: boolean;
}

/** An item as that release left it, which knew a label and asked the account for the rest. */
async function itemBefore(before: Before): Promise<string> {
  const { status = 'ready', mode = 'live', method = 'box', isVerified = true } = before;
  const { claimedAt = '2026-01-11T00:00:00Z', isErased = false } = before;
  const [account, participant, item] = [newId(), newId(), newId()];
  const email = `${account}@before.example`;
  await execute(
    `INSERT INTO partner_accounts (id, email, email_verified_at, name, password_hash, erased_at,
       payout_method_encrypted, payout_method_type, payout_method_label, created_at, updated_at)
     VALUES ($1, $2, $3, 'A', 'hash', $4, $5::text, CASE WHEN $5::text IS NULL THEN NULL ELSE 'paypal' END,
       CASE WHEN $5::text IS NULL THEN NULL ELSE 'PayPal, today' END, $6, $6)`,
    [account, email, isVerified ? added : null, isErased ? added : null, method, added],
  );
  await execute(
    `INSERT INTO participants (id, workspace_id, mode, program_id, partner_id, partner_name,
       partner_email, status, referral_code, created_at, claimed_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, 'A', $6, 'approved', 'code', $7, $8, $7)`,
    [participant, workspaceId, mode, programId, account, email, added, claimedAt],
  );
  await execute(
    `INSERT INTO payout_items (id, payout_id, workspace_id, mode, participant_id, currency, amount_cents,
       commission_count, reference, status, method_type, method_label)
     VALUES ($1, $2, $3, $4, $5, 'usd', 100, 1, 'po' || substr(replace($1::uuid::text, '-', ''), 13), $6,
       'paypal', 'PayPal, of then')`,
    [item, payoutId, workspaceId, mode, participant, status],
  );
  return item;
}

it('pins on ready items what pays them today, and on no other', async () => {
  const step = new PinnedPayoutMethods1700000000050();
  await step.down(own.runner);
  await execute('SET session_replication_role = replica');
  const cases = {
    'with a method': await itemBefore({}),
    'that is paid': await itemBefore({ status: 'paid' }),
    'of who has no method': await itemBefore({ method: null }),
    'of who never opened it': await itemBefore({ claimedAt: null }),
    'of who never confirmed': await itemBefore({ isVerified: false }),
    'of who applied and never confirmed': await itemBefore({ isVerified: false, claimedAt: added }),
    'of test mode': await itemBefore({ isVerified: false, mode: 'test' }),
    'of who is erased': await itemBefore({ isErased: true }),
  };
  await step.up(own.runner);

  const found: Record<string, unknown> = {};
  for (const [what, id] of Object.entries(cases)) {
    const { rows } = await execute(
      `SELECT i.method_encrypted AS box, i.method_label AS label,
              i.method_account_id IS NOT DISTINCT FROM p.partner_id AS own
         FROM payout_items AS i JOIN participants AS p ON p.id = i.participant_id WHERE i.id = $1`,
      [id],
    );
    found[what] = rows[0];
  }
  const pinned = { box: 'box', label: 'PayPal, today', own: true };
  const left = { box: null, label: 'PayPal, of then', own: false };
  expect(found).toEqual({
    'with a method': pinned,
    'that is paid': left,
    'of who has no method': left,
    'of who never opened it': left,
    'of who never confirmed': left,
    'of who applied and never confirmed': pinned,
    'of test mode': pinned,
    'of who is erased': left,
  });
});
