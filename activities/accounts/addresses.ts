import { randomInt } from 'node:crypto';
import { insertAll } from '../../entities/database/insert-all';
import { execute, query, queryOne, type Db, type Tx } from '../../entities/database/sql';
import { newId } from '../../entities/ids';
import type { Side } from '../../entities/rules/accounts/accounts';
import { placeOf, type Holder, type Sandbox } from '../../entities/rules/accounts/addresses';
import { erasedEmail, erasedName } from '../../entities/rules/erasure/erasure';
import type { Scope } from '../../entities/rules/values/mode';
import { dayMs } from '../../entities/rules/values/duration';
import { PartnerAccount } from '../../entities/tables/accounts/partner-account.entity';
import { endSessionsOf } from '../credentials/sessions';
import type { Cause } from '../journal/cause';

/** The person for whom an account is made, which they have not claimed yet. */
export interface Addressee {
  /** Normalised. */
  email: string;
  name: string;
}

type Now = Pick<Cause, 'now'>;

/**
 * What is decided by whose an address is, is decided in turn: a participation that is added, and a
 * proof that comes at the same moment, see each other. Taken before any row is locked.
 */
export async function lockAddress(tx: Tx, email: string): Promise<void> {
  await execute(tx, `SELECT pg_advisory_xact_lock(hashtextextended('partner:' || $1, 0))`, [email]);
}

/** The same for the address that a partner's account has. */
export async function lockAddressOf(tx: Tx, accountId: string): Promise<void> {
  const account = await queryOne<{ email: string }>(
    tx,
    'SELECT coalesce(held_email, email) AS email FROM partner_accounts WHERE id = $1',
    [accountId],
  );
  if (account) await lockAddress(tx, account.email);
}

/** Where the account may go; null: everywhere. */
export async function sandboxOf(db: Db, accountId: string): Promise<Sandbox | null> {
  const held = await queryOne<Sandbox>(
    db,
    `SELECT held_workspace_id AS "workspaceId" FROM partner_accounts
      WHERE id = $1 AND held_workspace_id IS NOT NULL`,
    [accountId],
  );
  return held ?? null;
}

/** The account that has an address, if it is not erased. */
export function holderOf(
  db: Db,
  email: string,
  { heldIn = undefined }: { heldIn?: string | undefined } = {},
): Promise<(Holder & { id: string }) | undefined> {
  const where =
    heldIn === undefined ? 'email = $1' : 'held_email = $1 AND held_workspace_id = $2::uuid';
  return queryOne<Holder & { id: string }>(
    db,
    `SELECT id, password_hash IS NOT NULL AS "hasPassword",
            email_verified_at IS NOT NULL AS "isConfirmed"
       FROM partner_accounts WHERE ${where} AND erased_at IS NULL`,
    heldIn === undefined ? [email] : [email, heldIn],
  );
}

/**
 * The account that a participation goes to which a server makes for an address, made when there is
 * none. Held as it is until the end of the transaction; the address is locked.
 */
export async function accountFor(
  tx: Tx,
  context: Now & { scope: Scope },
  person: Addressee,
): Promise<{ id: string; isProven: boolean }> {
  const holder = await holderOf(tx, person.email);
  const { mode, workspaceId } = context.scope;
  const place = placeOf(mode, holder);
  const id = await accountAt(place, { tx, context, person, workspaceId });
  const [held] = await query(
    tx,
    'SELECT 1 FROM partner_accounts WHERE id = $1 AND erased_at IS NULL FOR SHARE',
    [id],
  );
  // The account was erased in between: the address is free by now.
  if (!held) return accountFor(tx, context, person);
  return { id, isProven: place === 'holder' && holder?.isConfirmed === true };
}

async function accountAt(
  place: ReturnType<typeof placeOf>,
  at: { tx: Tx; context: Now; person: Addressee; workspaceId: string },
): Promise<string> {
  const { tx, context, person, workspaceId } = at;
  if (place === 'sandbox') return standInFor(tx, context, { ...person, workspaceId });
  if (place === 'stand-in') return standInFor(tx, context, { ...person, workspaceId: null });
  return accountOfAddress(tx, context, person);
}

/** The account that has an address, made when none has it: without a password, until it is claimed. */
export async function accountOfAddress(
  tx: Tx,
  { now }: Now,
  { email, name }: Addressee,
): Promise<string> {
  const known = await holderOf(tx, email);
  if (known) return known.id;
  const standIn = await queryOne<{ id: string }>(
    tx,
    `UPDATE partner_accounts SET email = $1, held_email = NULL, updated_at = $2
      WHERE held_email = $1 AND held_workspace_id IS NULL AND erased_at IS NULL RETURNING id`,
    [email, now],
  );
  if (standIn) return standIn.id;
  const id = idOfNoTime(now);
  await insertAll(tx, {
    into: PartnerAccount,
    rows: [{ id, email, name, passwordHash: null, createdAt: now, updatedAt: now }],
  });
  return id;
}

/** The account beside that stands for an address: of a workspace's test mode, or of live mode (null). */
export async function standInFor(
  tx: Tx,
  { now }: Now,
  { email, name, workspaceId }: Addressee & { workspaceId: string | null },
): Promise<string> {
  const known = await queryOne<{ id: string }>(
    tx,
    `SELECT id FROM partner_accounts WHERE held_email = $1
        AND held_workspace_id IS NOT DISTINCT FROM $2::uuid AND erased_at IS NULL`,
    [email, workspaceId],
  );
  if (known) return known.id;
  const id = idOfNoTime(now);
  const held = { email: `${id}@held.invalid`, heldEmail: email, heldWorkspaceId: workspaceId };
  const times = { createdAt: now, updatedAt: now };
  await insertAll(tx, {
    into: PartnerAccount,
    rows: [{ id, name, passwordHash: null, ...held, ...times }],
  });
  return id;
}

/** What the account has opened of a server's, for the address that it has, and never proved: it is not paid. */
export const isUnproven = `p.mode = 'live' AND p.bound_email IS NOT NULL AND p.proven_at IS NULL
  AND p.claimed_at IS NOT NULL AND p.erased_at IS NULL`;

export async function hasUnproven(
  db: Db,
  { side, id, email }: { side: Side; id: string; email: string },
): Promise<boolean> {
  if (side === 'merchant') return false;
  const waiting = await queryOne(
    db,
    `SELECT 1 FROM participants AS p
      WHERE p.partner_id = $1 AND p.bound_email = $2 AND ${isUnproven} LIMIT 1`,
    [id, email],
  );
  return waiting !== undefined;
}

/** Who reads the id must not learn from its time whether the account was there before. */
export function idOfNoTime(now: Date): string {
  return newId(new Date(now.getTime() - randomInt(365 * dayMs)));
}

/** Rows `p` that a server made, and that the person has not taken for theirs from the first. */
export const isOfServer = '(p.claimed_at IS DISTINCT FROM p.created_at)';

/** Another participation of the account `$1` in the programme of `p` stands in the way of moving it there. */
const isFree = `(p.partner_id = $1 OR NOT EXISTS (SELECT 1 FROM participants AS o
  WHERE o.program_id = p.program_id AND o.partner_id = $1))`;

/**
 * An account has shown that an address is its person's: what servers made for that address in live
 * mode is theirs from now on, wherever it lay. The address and the account are locked.
 */
export async function proveAddress(
  tx: Tx,
  { now }: Now,
  { accountId, email }: { accountId: string; email: string },
): Promise<void> {
  await execute(
    tx,
    `UPDATE participants SET partner_id = $1, proven_at = $3, updated_at = $3
      WHERE id = ANY (ARRAY (SELECT p.id FROM participants AS p
        WHERE (p.bound_email = $2 OR p.bound_email IS NULL AND p.partner_id = $1 AND ${isOfServer})
          AND p.proven_at IS NULL AND p.mode = 'live' AND p.erased_at IS NULL AND ${isFree}
        ORDER BY p.id FOR UPDATE))`,
    [accountId, email, now],
  );
  await closeSandboxes(tx, { now }, email);
  await clearStandIns(tx, { now }, email);
}

/** Whoever had a password of a sandbox by a mail of test mode was not shown to be the person. */
async function closeSandboxes(tx: Tx, { now }: Now, email: string): Promise<void> {
  const closed = await query<{ id: string }>(
    tx,
    `UPDATE partner_accounts
        SET password_hash = NULL, password_generation = password_generation + 1,
            payout_method_encrypted = NULL, payout_method_type = NULL, payout_method_label = NULL,
            updated_at = $2
      WHERE held_email = $1 AND password_hash IS NOT NULL AND erased_at IS NULL RETURNING id`,
    [email, now],
  );
  for (const { id: accountId } of closed) {
    await endSessionsOf(tx, { now }, { side: 'partner', accountId });
    await execute(tx, 'DELETE FROM two_factors WHERE account_id = $1', [accountId]);
  }
}

/**
 * What servers made in test mode for the address of an account that has proved it is theirs, and not
 * the sandbox's. A merchant must not see from it that there is such an account, so it moves only when
 * the person comes by in test mode. `ending`: the account is about to be erased, with every trace of
 * its address.
 */
export async function adoptTest(
  tx: Tx,
  { now }: Now,
  { accountId, ending = false }: { accountId: string; ending?: boolean },
): Promise<void> {
  const [moved] = await query<{ email: string }>(
    tx,
    `UPDATE participants AS q SET partner_id = $1, proven_at = $2, updated_at = $2
       FROM partner_accounts AS a
      WHERE a.id = $1 AND q.id = ANY (ARRAY (SELECT p.id FROM participants AS p
        WHERE ${waitingInTest} ORDER BY p.id FOR UPDATE))
      RETURNING a.email`,
    [accountId, now],
  );
  if (moved && ending) await closeSandboxes(tx, { now }, moved.email);
  if (moved) await clearStandIns(tx, { now }, moved.email);
}

/** Participations in test mode that wait for the account `$1`, while its address is confirmed. */
const waitingInTest = `p.bound_email = (SELECT email FROM partner_accounts
   WHERE id = $1 AND email_verified_at IS NOT NULL AND held_email IS NULL AND erased_at IS NULL)
  AND p.proven_at IS NULL AND p.mode = 'test' AND p.erased_at IS NULL AND ${isFree}`;

/** Whether something of the account's address waits for it in test mode. */
export async function hasWaitingInTest(db: Db, accountId: string): Promise<boolean> {
  const waiting = await queryOne(
    db,
    `SELECT 1 FROM participants AS p
      WHERE ${waitingInTest} LIMIT 1`,
    [accountId],
  );
  return waiting !== undefined;
}

/** Accounts that stood for an address and hold nothing any more: the address is not kept there. */
async function clearStandIns(tx: Tx, { now }: Now, email: string): Promise<void> {
  await execute(
    tx,
    `UPDATE partner_accounts AS a
        SET email = $2, name = $3, held_email = NULL, erased_at = $4, updated_at = $4
      WHERE a.held_email = $1 AND a.erased_at IS NULL AND a.password_hash IS NULL
        AND NOT EXISTS (SELECT 1 FROM participants AS p
                         WHERE p.partner_id = a.id AND p.erased_at IS NULL)`,
    [email, erasedEmail, erasedName, now],
  );
}

interface Leaving {
  accountId: string;
  /** The address that the account had. */
  email: string;
  /** What it had proved as well: whoever has the address says that it was not them. */
  withProven?: boolean;
}

/**
 * An account has moved away from an address: what servers made for it and nobody proved stays with the
 * address, unopened, for whoever does. The address and the account are locked.
 */
export async function leaveAddress(
  tx: Tx,
  context: Now,
  { accountId, email, withProven = false }: Leaving,
): Promise<void> {
  const left = await query<{ id: string; name: string } & Scope>(
    tx,
    `SELECT p.id, p.partner_name AS name, p.workspace_id AS "workspaceId", p.mode
       FROM participants AS p
      WHERE p.partner_id = $1 AND (p.bound_email = $2 OR p.bound_email IS NULL)
        AND ${isOfServer} AND (p.proven_at IS NULL OR $3) AND p.erased_at IS NULL
      ORDER BY p.id FOR UPDATE`,
    [accountId, email, withProven],
  );
  for (const { id, name, workspaceId, mode } of left) {
    const person = { email, name };
    const to =
      mode === 'test'
        ? await standInFor(tx, context, { ...person, workspaceId })
        : await accountOfAddress(tx, context, person);
    await execute(
      tx,
      `UPDATE participants SET partner_id = $2, partner_email = $3, bound_email = $3,
              proven_at = NULL, claimed_at = NULL, updated_at = $4 WHERE id = $1`,
      [id, to, email, context.now],
    );
  }
}
