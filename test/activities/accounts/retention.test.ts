import { purgedTables, purgeTable } from '../../../activities/maintenance/purges';
import { queueMail } from '../../../activities/journal/mail-queue';
import { endSessionOfToken, rotateSession } from '../../../activities/credentials/sessions';
import { newOpaqueToken } from '../../../runtime/crypto/tokens';
import { tokenHash } from '../../../runtime/crypto/vault';
import type { Side } from '../../../entities/rules/accounts/accounts';
import { systemActor } from '../../../entities/rules/values/actor';
import { execute, query, queryOne, transaction } from '../../../entities/database/sql';
import { useDeps } from '../../support/app';
import { buildPartner, signIn } from '../../support/build/accounts';
import { deliverQueued } from '../../support/stored/mails';

const day = 86_400_000;
const accounts = () => ({ db: deps.db.manager, vault: deps.vault });
const causeAt = (now: Date) => ({ actor: systemActor, now });

const deps = useDeps();

async function count(table: string): Promise<number> {
  const row = await queryOne<{ n: number }>(deps.db.manager, `SELECT count(*) AS n FROM ${table}`);
  return row?.n ?? 0;
}

async function purgeAll(now: Date): Promise<number> {
  let deleted = 0;
  for (const table of purgedTables) deleted += await purgeTable(deps.db.manager, table, now);
  return deleted;
}

it('forgets sessions, tokens and mails when they are of no more use, and not before', async () => {
  const partner = await buildPartner(deps.db.manager, { verifiedAt: null });
  const { refreshToken } = await signIn(deps, partner);
  await rotateSession(accounts(), causeAt(deps.clock.now()), {
    side: 'partner',
    refreshToken,
  });
  await transaction(deps.db.manager, (tx) =>
    queueMail(tx, {
      type: 'account.verify_email',
      to: { side: 'partner', accountId: partner.id },
      at: deps.clock.now(),
    }),
  );
  await deliverQueued(deps);
  const now = deps.clock.now();
  const after = (days: number) => new Date(now.getTime() + days * day + 60_000);
  const tables = ['sessions', 'refresh_tokens', 'email_tokens', 'account_addresses', 'mails'];
  const counts = async () => Promise.all(tables.map(count));

  expect(await purgeAll(after(0))).toBe(0);
  expect(await counts()).toEqual([1, 2, 1, 1, 1]);
  await purgeAll(after(31));
  expect(await counts()).toEqual([0, 0, 0, 0, 1]);
  await purgeAll(after(90));
  expect(await counts()).toEqual([0, 0, 0, 0, 0]);
});

describe('spent refresh tokens (accounts.md, How long things last)', () => {
  const rotate = (refreshToken: string, minutes: number, side: Side = 'partner') =>
    rotateSession(accounts(), causeAt(minutesFromNow(minutes)), { side, refreshToken });
  const minutesFromNow = (minutes: number) =>
    new Date(deps.clock.now().getTime() + minutes * 60_000);
  const reused = { code: 'REFRESH_TOKEN_REUSED' };
  const invalid = { code: 'INVALID_REFRESH_TOKEN' };
  const revoked = (sessionId: string) =>
    queryOne<{ revokedAt: Date | null }>(
      deps.db.manager,
      'SELECT revoked_at AS "revokedAt" FROM sessions WHERE id = $1',
      [sessionId],
    );

  /** A family whose first token was spent an hour before the third one was issued. */
  async function oldFamily() {
    const partner = await buildPartner(deps.db.manager);
    const { sessionId, refreshToken: first } = await signIn(deps, partner);
    const second = (await rotate(first, 0)).refreshToken;
    const third = (await rotate(second, 61)).refreshToken;
    return { partner, sessionId, first, second, third };
  }

  const rowsOf = async (sessionId: string) =>
    (
      await query(deps.db.manager, 'SELECT 1 FROM refresh_tokens WHERE session_id = $1', [
        sessionId,
      ])
    ).length;

  it('have a row for an hour', async () => {
    const { sessionId, second, third } = await oldFamily();
    const fourth = (await rotate(third, 62)).refreshToken;
    expect(await rowsOf(sessionId)).toBe(3);
    await expect(rotate(second, 64)).rejects.toMatchObject(reused);
    await expect(rotate(fourth, 65)).rejects.toMatchObject(invalid);
  });

  it('end their session and are audited when their row is gone', async () => {
    const { partner, sessionId, first, third } = await oldFamily();
    expect(await rowsOf(sessionId)).toBe(2);
    await expect(rotate(first, 63)).rejects.toMatchObject(reused);
    await expect(rotate(third, 64)).rejects.toMatchObject(invalid);
    await expect(rotate(first, 65)).rejects.toMatchObject(invalid);
    const audited = await query(
      deps.db.manager,
      `SELECT actor_id AS actor FROM audit_log
        WHERE action = 'refresh_token.reused' AND target_id = $1`,
      [sessionId],
    );
    expect(audited).toEqual([{ actor: partner.id }]);
  });

  it('end their session when they have expired and it has not', async () => {
    const { first, third } = await oldFamily();
    const days = (n: number) => n * 24 * 60;
    const fourth = (await rotate(third, days(29))).refreshToken;
    const fifth = (await rotate(fourth, days(58))).refreshToken;
    await expect(rotate(first, days(59))).rejects.toMatchObject(reused);
    await expect(rotate(fifth, days(59))).rejects.toMatchObject(invalid);
  });

  it('say nothing on the other side, with another MAC or of a session that has ended', async () => {
    const { sessionId, first, third } = await oldFamily();
    await expect(rotate(first, 63, 'merchant')).rejects.toMatchObject(invalid);
    const forged = first.slice(0, -43) + third.slice(-43);
    await expect(rotate(forged, 63)).rejects.toMatchObject(invalid);
    expect(await revoked(sessionId)).toEqual({ revokedAt: null });
    await expect(rotate(first, 32 * 24 * 60)).rejects.toMatchObject(invalid);
    expect(await revoked(sessionId)).toEqual({ revokedAt: null });
  });

  it('still log out', async () => {
    const { sessionId, first } = await oldFamily();
    const command = { side: 'partner', refreshToken: first } as const;
    await endSessionOfToken(accounts(), causeAt(minutesFromNow(63)), command);
    expect(await revoked(sessionId)).toEqual({ revokedAt: expect.any(Date) });
  });

  it('of an earlier release are looked up by their rows', async () => {
    const { sessionId } = await oldFamily();
    const earlier = newOpaqueToken();
    await execute(
      deps.db.manager,
      `INSERT INTO refresh_tokens (token_hash, session_id, created_at, expires_at)
       SELECT $1, id, created_at, expires_at FROM sessions WHERE id = $2`,
      [tokenHash(earlier), sessionId],
    );
    const next = (await rotate(earlier, 62)).refreshToken;
    expect(next).toHaveLength(108);
    await expect(rotate(earlier, 63)).rejects.toMatchObject(reused);
    await expect(rotate(newOpaqueToken(), 63)).rejects.toMatchObject(invalid);
  });
});
