import { foundIn, offsetOf, type Found, type Window } from '../../entities/database/list';
import { query, rowsAtOnce, type Db } from '../../entities/database/sql';
import { selectList } from '../../entities/database/columns';
import { modes, type Mode } from '../../entities/rules/values/mode';
import { SuppressedAddress } from '../../entities/tables/mail/suppressed-address.entity';
import type { Vault } from '../../runtime/crypto/vault';

/** A suppressed address that a workspace writes to. */
export interface SuppressedOfWorkspace extends Pick<
  SuppressedAddress,
  'id' | 'reason' | 'createdAt'
> {
  email: string;
}

/** Members and their open invites: few. */
const members = `
  SELECT email FROM merchant_accounts WHERE workspace_id = $1 AND removed_at IS NULL
  UNION
  SELECT email FROM member_invites WHERE workspace_id = $1 AND accepted_at IS NULL
     AND withdrawn_at IS NULL AND expires_at > $2`;

/** Open live invites, by their address. */
const invites = `
  SELECT email FROM partner_invites
   WHERE workspace_id = $1 AND mode = 'live' AND status = 'pending' AND expires_at > $2
     AND email > $3
   ORDER BY email LIMIT ${rowsAtOnce}`;

/**
 * Participants, by their names. Whom a workspace added in test mode it writes to only once they have come by
 * themselves: anybody may add any address there.
 */
const participants = (mode: Mode): string => `
  SELECT coalesce(a.held_email, a.email) AS email, p.partner_name AS name, p.id,
         p.erased_at IS NULL AND a.erased_at IS NULL
           AND ${mode === 'live' ? 'true' : 'p.claimed_at IS NOT NULL AND a.held_workspace_id IS NULL'}
           AS "isWrittenTo"
    FROM participants AS p JOIN partner_accounts AS a ON a.id = p.partner_id
   WHERE p.workspace_id = $1 AND p.mode = '${mode}' AND (p.partner_name, p.id) > ($2, $3)
   ORDER BY p.partner_name, p.id LIMIT ${rowsAtOnce}`;

const firstId = '00000000-0000-0000-0000-000000000000';

interface OfWorkspace {
  workspaceId: string;
  now: Date;
}

/**
 * Addresses that a workspace writes to (docs/reference/notifications.md, Mail), some at a time: each statement
 * begins behind the last one, in an index, so that all of them read each row once.
 */
async function* knownAddresses(
  db: Db,
  { workspaceId, now }: OfWorkspace,
): AsyncGenerator<readonly string[]> {
  yield emailsOf(await query(db, members, [workspaceId, now]));
  for (let last = ''; ;) {
    const emails = emailsOf(await query(db, invites, [workspaceId, now, last]));
    yield emails;
    if (emails.length < rowsAtOnce) break;
    last = emails.at(-1) ?? '';
  }
  for (const mode of modes) yield* participantsOf(db, workspaceId, mode);
}

async function* participantsOf(
  db: Db,
  workspaceId: string,
  mode: Mode,
): AsyncGenerator<readonly string[]> {
  type Row = { email: string; name: string; id: string; isWrittenTo: boolean };
  for (let last = { name: '', id: firstId }; ;) {
    const rows = await query<Row>(db, participants(mode), [workspaceId, last.name, last.id]);
    yield emailsOf(rows.filter(({ isWrittenTo }) => isWrittenTo));
    const end = rows.at(-1);
    if (!end || rows.length < rowsAtOnce) return;
    last = end;
  }
}

const emailsOf = (rows: readonly { email: string }[]): string[] => rows.map(({ email }) => email);

const columns = selectList(SuppressedAddress, 's', ['id', 'emailHash', 'reason', 'createdAt']);

/**
 * The suppressed ones among the addresses that a workspace knows, newest first. The table holds
 * hashes, so what is known is hashed and looked for, however few are suppressed.
 */
export async function suppressedOfWorkspace(
  { db, vault }: { db: Db; vault: Pick<Vault, 'contactHash'> },
  { workspaceId, now }: OfWorkspace,
): Promise<SuppressedOfWorkspace[]> {
  const found = new Map<string, SuppressedOfWorkspace>();
  for await (const known of knownAddresses(db, { workspaceId, now })) {
    const byHash = new Map(known.map((email) => [vault.contactHash(email), email]));
    const rows = await query<Omit<SuppressedOfWorkspace, 'email'> & { emailHash: string }>(
      db,
      `SELECT ${columns} FROM suppressed_addresses AS s WHERE s.email_hash = ANY($1)`,
      [[...byHash.keys()]],
    );
    for (const { emailHash, ...row } of rows) {
      found.set(row.id, { ...row, email: byHash.get(emailHash) ?? '' });
    }
  }
  return [...found.values()].sort((a, b) => (placeOf(b) < placeOf(a) ? -1 : 1));
}

const placeOf = ({ createdAt, id }: SuppressedOfWorkspace): string => createdAt.toISOString() + id;

/** A window of them: all are found each time, as there is nothing to look them up by. */
export async function listSuppressed(
  stores: { db: Db; vault: Pick<Vault, 'contactHash'> },
  of: OfWorkspace,
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
