import { Client } from 'pg';

/**
 * The tag that the demo shop carries for a visitor who comes with `?ref=`: the public key of the
 * workspace that the link is of, so that links of every workspace of the local stack count there.
 * Where several workspaces have such a link, `own` goes first. Undefined where none has.
 */
export function publicKeyOfLink(
  databaseUrl: string,
  { ref, own }: { ref: string; own: string },
): Promise<string | undefined> {
  return firstOf(
    databaseUrl,
    `SELECT k.public_key AS found
       FROM referral_tokens t
       JOIN api_keys k ON k.workspace_id = t.workspace_id AND k.mode = t.mode
      WHERE lower(t.token) = lower($1) AND t.retired_at IS NULL
        AND k.kind = 'public' AND k.revoked_at IS NULL
      ORDER BY k.public_key = $2 DESC, k.created_at DESC
      LIMIT 1`,
    [ref, own],
  );
}

/** The currency of the workspace's first programme in the key's mode; undefined where there is none. */
export function currencyOfKey(databaseUrl: string, publicKey: string): Promise<string | undefined> {
  return firstOf(
    databaseUrl,
    `SELECT p.currency AS found
       FROM api_keys k
       JOIN programs p ON p.workspace_id = k.workspace_id AND p.mode = k.mode
      WHERE k.public_key = $1
      ORDER BY p.status = 'active' DESC, p.created_at
      LIMIT 1`,
    [publicKey],
  );
}

async function firstOf(
  databaseUrl: string,
  sql: string,
  values: string[],
): Promise<string | undefined> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ found: string }>(sql, values);
    return rows[0]?.found;
  } finally {
    await client.end();
  }
}
