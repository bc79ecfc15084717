import { Client } from 'pg';

/**
 * The tag that the demo shop carries for a visitor who comes with `?ref=`: the public key of the
 * workspace that the link is of, so that links of every workspace of the local stack count there.
 * Where several workspaces have such a link, `own` goes first. Undefined where none has.
 */
export async function publicKeyOfLink(
  databaseUrl: string,
  { ref, own }: { ref: string; own: string },
): Promise<string | undefined> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ public_key: string }>(
      `SELECT k.public_key
         FROM referral_tokens t
         JOIN api_keys k ON k.workspace_id = t.workspace_id AND k.mode = t.mode
        WHERE lower(t.token) = lower($1) AND t.retired_at IS NULL
          AND k.kind = 'public' AND k.revoked_at IS NULL
        ORDER BY k.public_key = $2 DESC, k.created_at DESC
        LIMIT 1`,
      [ref, own],
    );
    return rows[0]?.public_key;
  } finally {
    await client.end();
  }
}
