import { foundIn, offsetOf, type Found, type Window } from '../../entities/database/list';
import { query, rowsAtOnce, type Db } from '../../entities/database/sql';
import { selectList } from '../../entities/database/columns';
import { SuppressedAddress } from '../../entities/tables/mail/suppressed-address.entity';
import type { Vault } from '../../runtime/crypto/vault';

/** A suppressed address that a workspace writes to. */
export interface SuppressedOfWorkspace extends Pick<
  SuppressedAddress,
  'id' | 'reason' | 'createdAt'
> {
  email: string;
}

/**
 * Addresses of members, participants and open live invites of the workspace $1 at the time $2, after
 * the address $3 (docs/reference/notifications.md, Mail). Whom it added in test mode it writes to only
 * once they have come by themselves: anybody may add any address there.
 */
const knownAddresses = `
  SELECT email FROM (
    SELECT email FROM merchant_accounts WHERE workspace_id = $1 AND removed_at IS NULL
    UNION
    SELECT coalesce(a.held_email, a.email) AS email
      FROM participants p JOIN partner_accounts a ON a.id = p.partner_id
     WHERE p.workspace_id = $1 AND p.erased_at IS NULL AND a.erased_at IS NULL
       AND (p.mode = 'live' OR p.claimed_at IS NOT NULL AND a.held_workspace_id IS NULL)
    UNION
    SELECT email FROM member_invites WHERE workspace_id = $1 AND accepted_at IS NULL
       AND withdrawn_at IS NULL AND expires_at > $2
    UNION
    SELECT email FROM partner_invites WHERE workspace_id = $1 AND mode = 'live'
       AND status = 'pending' AND expires_at > $2) AS known
  WHERE email > $3 ORDER BY email LIMIT ${rowsAtOnce}`;

const columns = selectList(SuppressedAddress, 's', ['id', 'emailHash', 'reason', 'createdAt']);

/**
 * The suppressed ones among the addresses that a workspace knows, newest first. The table holds
 * hashes, so what is known is hashed and looked for, however few are suppressed.
 */
export async function suppressedOfWorkspace(
  { db, vault }: { db: Db; vault: Pick<Vault, 'contactHash'> },
  { workspaceId, now }: { workspaceId: string; now: Date },
): Promise<SuppressedOfWorkspace[]> {
  const found: SuppressedOfWorkspace[] = [];
  for (let last = ''; ;) {
    const known = await query<{ email: string }>(db, knownAddresses, [workspaceId, now, last]);
    const byHash = new Map(known.map(({ email }) => [vault.contactHash(email), email]));
    const rows = await query<Omit<SuppressedOfWorkspace, 'email'> & { emailHash: string }>(
      db,
      `SELECT ${columns} FROM suppressed_addresses AS s WHERE s.email_hash = ANY($1)`,
      [[...byHash.keys()]],
    );
    for (const { emailHash, ...row } of rows) {
      found.push({ ...row, email: byHash.get(emailHash) ?? '' });
    }
    if (known.length < rowsAtOnce) break;
    last = known.at(-1)?.email ?? '';
  }
  return found.sort((a, b) => (placeOf(b) < placeOf(a) ? -1 : 1));
}

const placeOf = ({ createdAt, id }: SuppressedOfWorkspace): string => createdAt.toISOString() + id;

/** A window of them: all are found each time, as there is nothing to look them up by. */
export async function listSuppressed(
  stores: { db: Db; vault: Pick<Vault, 'contactHash'> },
  of: { workspaceId: string; now: Date },
  window: Window,
): Promise<Found<SuppressedOfWorkspace>> {
  const all = await suppressedOfWorkspace(stores, of);
  const [after] = window.after ?? [];
  const behind = after ? all.filter((row) => placeOf(row) < after) : all;
  const from = offsetOf(window);
  const placed = behind
    .slice(from, from + window.limit + 1)
    .map((row) => ({ ...row, place: [placeOf(row)] }));
  return foundIn<SuppressedOfWorkspace>(placed, window, all.length);
}
