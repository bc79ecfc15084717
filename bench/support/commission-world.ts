import { createDatabase } from '../../entities/database/database';
import type { Db } from '../../entities/database/sql';
import { newId } from '../../entities/ids';
import { execute, query } from '../../entities/database/sql';

/** Seeding a million rows is no request: it may take longer than one. */
export async function withoutTimeouts<T>(url: string, work: (db: Db) => Promise<T>): Promise<T> {
  const source = createDatabase({ url, poolSize: 1, statementTimeoutMs: 0 });
  try {
    return await work(source.manager);
  } finally {
    await source.destroy();
  }
}

export interface Merchant {
  workspaceId: string;
  accessToken: string;
  /** One that is good, however long the bench has run. */
  lastingToken(): Promise<string>;
}

/** A merchant who is signed in, made through the API itself. */
export async function registerMerchant(api: string): Promise<Merchant> {
  const credentials = {
    email: `bench-${process.pid}-${Date.now()}@example.test`,
    password: 'correct horse battery',
  };
  const names = { name: 'Bench', workspaceName: 'Bench' };
  const { account, accessToken } = await ask(api, 'register', { ...credentials, ...names });
  let token = accessToken;
  let renewAt = Date.now() + renewAfterMs;
  return {
    ...{ workspaceId: account.workspaceId, accessToken },
    async lastingToken() {
      if (Date.now() < renewAt) return token;
      token = (await ask(api, 'login', credentials)).accessToken;
      renewAt = Date.now() + renewAfterMs;
      return token;
    },
  };
}

/** A token ends after 15 minutes. */
const renewAfterMs = 10 * 60_000;

interface SignedIn {
  accessToken: string;
  account: { workspaceId: string };
}

async function ask(api: string, what: 'register' | 'login', body: object): Promise<SignedIn> {
  const response = await fetch(`${api}/api/v1/auth/merchant/${what}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (await response.json()) as SignedIn;
}

export interface CommissionWorld {
  workspaceId: string;
  programId: string;
}

/** A workspace without members; gives its id. */
export async function seedWorkspace(db: Db, id = newId()): Promise<string> {
  await execute(
    db,
    `INSERT INTO workspaces (id, name, created_at, updated_at) VALUES ($1, 'Bench', now(), now())`,
    [id],
  );
  return id;
}

/** Ids of all commissions of a programme, in no order. */
export async function commissionIds(db: Db, { programId }: CommissionWorld): Promise<string[]> {
  const rows = await query<{ id: string }>(
    db,
    'SELECT id FROM commissions WHERE program_id = $1 ORDER BY random()',
    [programId],
  );
  return rows.map(({ id }) => id);
}

/** A programme of the workspace with this many partners, without a hold or automatic approval. */
export async function seedProgram(
  db: Db,
  workspaceId: string,
  partners: number,
): Promise<CommissionWorld> {
  const [row] = await query<{ id: string }>(
    db,
    `INSERT INTO programs (id, workspace_id, mode, name, website_url, currency, status,
       attribution_window_days, approval_mode, public_applications, commission_type, rate_bps,
       basis, recurring, hold_days, auto_approve, created_at, updated_at)
     VALUES (uuidv7(), $1, 'live', 'Bench', 'https://bench.example', 'usd', 'active', 30, 'manual',
       true, 'percentage', 2000, 'gross', false, 0, false, now(), now()) RETURNING id`,
    [workspaceId],
  );
  const programId = row?.id ?? '';
  await execute(
    db,
    `INSERT INTO participants (id, workspace_id, mode, program_id, partner_id, partner_name,
       partner_email, status, referral_code, created_at, approved_at, updated_at)
     SELECT uuidv7(), $1, 'live', $2, uuidv7(), initcap(md5(n::text)) || ' ' || n,
            n || '@partner.example', 'approved', 'bench' || n, now(), now(), now()
       FROM generate_series(1, $3::int) AS n`,
    [workspaceId, programId, partners],
  );
  return { workspaceId, programId };
}

const insertBatch = 50_000;

const everyStatus = ['pending', 'approved', 'paid', 'paid', 'rejected', 'refunded'];

/** The statuses that wait for nothing, of which a worker would take care. */
export const settledStatuses: readonly string[] = everyStatus.slice(2);

/**
 * Commissions over the last year in every status or these, without conversions, history and ledger:
 * lists do not read those. `onlyPending` makes them ready to be approved.
 */
export async function seedCommissions(
  db: Db,
  world: CommissionWorld,
  {
    count,
    onlyPending = false,
    statuses = everyStatus,
  }: { count: number; onlyPending?: boolean; statuses?: readonly string[] },
): Promise<void> {
  for (let first = 0; first < count; first += insertBatch) {
    const size = Math.min(insertBatch, count - first);
    await execute(db, seedStatement, [
      world.workspaceId,
      world.programId,
      first,
      size,
      count,
      onlyPending,
      onlyPending ? ['pending'] : statuses,
    ]);
  }
  await db.query('VACUUM (ANALYZE) commissions');
}

/** The conversions of seeded commissions, as far as a search of transactions reads them. */
export async function seedConversionsOf(db: Db, { programId }: CommissionWorld): Promise<void> {
  await execute(
    db,
    `INSERT INTO conversions (id, workspace_id, mode, external_transaction_id, source, event_type,
       amount_cents, occurred_at, attributed, reason, explanation, program_id, created_at)
     SELECT conversion_id, workspace_id, mode, external_transaction_id, 'api', 'purchase',
            conversion_amount_cents, created_at, false, 'OUTSIDE_WINDOW', '', program_id, created_at
       FROM commissions WHERE program_id = $1`,
    [programId],
  );
  await db.query('VACUUM (ANALYZE) conversions');
}

const seedStatement = `
  WITH partners AS (
    SELECT id, row_number() OVER () - 1 AS place, count(*) OVER () AS partners
      FROM participants WHERE program_id = $2),
  made AS (
    SELECT n, uuidv7(- (365 * ($5::float8 - n) / $5::float8) * interval '1 day') AS id,
           ('x' || left(md5(n::text), 8))::bit(32)::int AS dice
      FROM generate_series($3::int, $3::int + $4::int - 1) AS n),
  rolled AS (
    SELECT *, ($7::text[])[1 + abs(dice % cardinality($7))] AS status FROM made)
  INSERT INTO commissions (id, workspace_id, mode, program_id, participant_id, conversion_id,
    external_transaction_id, status, status_before_refund, commission_type, amount_cents,
    original_amount_cents, owed_cents, currency, conversion_amount_cents, terms, auto_approve,
    review_reasons, hold_elapsed, created_at, updated_at)
  SELECT r.id, $1, 'live', $2, p.id, uuidv7(), 'order_' || md5(r.n::text), r.status,
         CASE r.status WHEN 'refunded' THEN 'pending' END,
         CASE abs(r.dice % 10) WHEN 0 THEN 'flat' ELSE 'percentage' END,
         abs(r.dice % 100000), 100000, 0, 'usd', 500000,
         '{"rule":null,"type":"percentage","rateBps":2000,"amountCents":null,"basis":"gross","recurring":false,"recurringMonths":null,"holdDays":0,"autoApprove":false}',
         false,
         CASE WHEN r.status = 'pending' AND abs(r.dice % 50) = 0 AND NOT $6
           THEN ARRAY['FRAUD_SUSPECTED'] ELSE '{}'::text[] END,
         true, uuid_extract_timestamp(r.id), now()
    FROM rolled AS r JOIN partners AS p ON p.place = abs(r.dice / 7) % p.partners`;
