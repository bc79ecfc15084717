import { newId } from '../../../entities/ids';
import { execute, query, type Db } from '../../../entities/database/sql';
import { commissionIds, seedCommissions, seedProgram, withoutTimeouts } from '../commission-world';

export interface Tenant {
  email: string;
  workspaceId: string;
  programId: string;
  /** The partner with the link. */
  participantId: string;
  token: string;
  publicKey: string;
  secretKey: string;
  ref: string;
  /** Commissions that were not decided yet. */
  pending: string[];
}

export const json = (token: string) => ({
  Authorization: `Bearer ${token}`,
  'Content-Type': 'application/json',
});

const visitor = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

export function click({ publicKey, ref }: Tenant) {
  const headers = { 'Content-Type': 'application/json', 'User-Agent': visitor };
  return { path: '/v1/clicks', headers, body: JSON.stringify({ key: publicKey, ref }) };
}

export function sale({ secretKey, ref }: Tenant, id: string) {
  const body = { external_transaction_id: id, event_type: 'purchase', promo_code: ref };
  return { path: '/api/v1/conversions', headers: json(secretKey), body: JSON.stringify(body) };
}

export function reject({ token, programId }: Tenant, commissionId: string) {
  return {
    method: 'PATCH',
    path: `/api/v1/programs/${programId}/commissions/${commissionId}/reject`,
    headers: json(token),
    body: JSON.stringify({ reason: 'not a sale' }),
  };
}

const password = 'correct horse battery';

/** A token lives for a quarter of an hour, less than the bench runs. */
export async function signInAgain(api: string, tenant: Tenant): Promise<void> {
  const response = await fetch(`${api}/api/v1/auth/merchant/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: tenant.email, password }),
  });
  if (!response.ok) throw new Error(`no sign-in: ${await response.text()}`);
  tenant.token = ((await response.json()) as { accessToken: string }).accessToken;
}

let built = 0;

/** A merchant made through the API, with so many commissions to decide and a partner to credit. */
export async function buildTenant(
  api: string,
  databaseUrl: string,
  pending: number,
): Promise<Tenant> {
  built += 1;
  const email = `tenant-${built}-${process.pid}@example.test`;
  const response = await fetch(`${api}/api/v1/auth/merchant/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      email,
      password,
      name: 'Bench',
      workspaceName: 'Bench',
    }),
  });
  if (!response.ok) throw new Error(`no tenant: ${await response.text()}`);
  const { accessToken, account, apiKeys } = (await response.json()) as {
    accessToken: string;
    account: { workspaceId: string };
    apiKeys: { kind: string; mode: string; key: string }[];
  };
  const keyOf = (kind: string): string =>
    apiKeys.find((key) => key.kind === kind && key.mode === 'live')?.key ?? '';
  const { workspaceId } = account;
  const ref = `tenant${built}`;
  return withoutTimeouts(databaseUrl, async (db) => ({
    ...(await seedTenant(db, { workspaceId, ref, pending })),
    email,
    workspaceId,
    ref,
    token: accessToken,
    publicKey: keyOf('public'),
    secretKey: keyOf('secret'),
  }));
}

interface TenantSeed extends Pick<Tenant, 'workspaceId' | 'ref'> {
  pending: number;
}

async function seedTenant(db: Db, { workspaceId, ref, pending }: TenantSeed) {
  const world = await seedProgram(db, workspaceId, 5);
  await seedCommissions(db, world, { count: pending, onlyPending: true });
  const linkId = newId();
  const [link] = await query<{ participantId: string }>(
    db,
    `INSERT INTO tracking_links (id, workspace_id, mode, program_id, participant_id, is_default,
       token, created_at)
     SELECT $1, workspace_id, mode, program_id, id, true, $2, now() FROM participants
      WHERE program_id = $3 LIMIT 1
     RETURNING participant_id AS "participantId"`,
    [linkId, ref, world.programId],
  );
  await execute(
    db,
    `INSERT INTO referral_tokens (workspace_id, mode, token_key, token, kind, program_id,
       participant_id, link_id, created_at)
     SELECT workspace_id, mode, token, token, 'code', program_id, participant_id, id, now()
       FROM tracking_links WHERE id = $1`,
    [linkId],
  );
  const { programId } = world;
  const participantId = link?.participantId ?? '';
  return { programId, participantId, pending: await commissionIds(db, world) };
}
