import { performance } from 'node:perf_hooks';
import { LRUCache } from 'lru-cache';
import type { Database } from '../../entities/database/database';
import { parseKey, type KeyKind, type Mode } from '../../entities/rules/values/mode';
import type { KeyRole } from '../../entities/rules/values/roles';
import { execute, prepared, query, type Db } from '../../entities/database/sql';
import { tokenHash } from '../../runtime/crypto/vault';

interface Key {
  apiKeyId: string;
  workspaceId: string;
  mode: Mode;
}

interface PlainKeyPrincipal extends Key {
  kind: 'secret_key' | 'public_key';
}

/** A key that does what a member of its role may, in one programme only when it is bound to one. */
export interface ManagementKeyPrincipal extends Key {
  kind: 'management_key';
  role: KeyRole;
  programId: string | null;
}

export type KeyPrincipal = PlainKeyPrincipal | ManagementKeyPrincipal;

export interface AskedKey {
  key: string;
  kind: KeyKind;
}

/**
 * Who keys belong to. Known ones come from memory; unknown ones are read from the database each
 * time, so that a new key works at once and guesses fill nothing. A revocation on any process holds
 * here within a second (docs/reference/accounts.md, Keys): no cached key is believed unless
 * revocations were looked up less than `believedMs` ago.
 */
export interface KeyCache {
  /** Undefined for anything but a live key of this kind. */
  resolve(asked: AskedKey, now: Date): Promise<KeyPrincipal | undefined>;
  /** The holder of a key, when this process knows it and may believe that without a look-up. */
  known(asked: AskedKey, now: Date): KeyPrincipal | undefined;
  /** Whether it is in memory: resolving it then reads no database. */
  has(key: string): boolean;
}

/** One per process; `max` is how many keys it remembers. */
export function createKeyCache(db: Database, max: number): KeyCache {
  return new Keys(db, max);
}

interface CachedKey {
  principal: KeyPrincipal;
  /** When the time of last use was written last; 0 = not by this process. */
  touchedAt: number;
}

/** Revocations are looked up this often at most, and a cached key is believed this long at most. */
const syncEveryMs = 400;
const believedMs = 2 * syncEveryMs;
/** A look-up goes back this far, so it covers every process's clock and every slow commit. */
const lookBackMs = 60_000;
/** After a pause longer than this a look-up might miss a revocation: the cache starts empty. */
const forgetAfterMs = 30_000;
export const touchIntervalMs = 60_000;

const principalKinds = {
  secret: 'secret_key',
  public: 'public_key',
  management: 'management_key',
} as const;

interface KeyRow {
  id: string;
  kind: KeyKind;
  workspaceId: string;
  mode: Mode;
  role: KeyRole | null;
  programId: string | null;
}

async function load(db: Db, hash: string): Promise<CachedKey | undefined> {
  const [row] = await prepared<KeyRow>(db, {
    name: 'api_key_by_hash',
    text: `SELECT id, kind, workspace_id AS "workspaceId", mode, role, program_id AS "programId"
      FROM api_keys
     WHERE key_hash = $1 AND revoked_at IS NULL`,
    values: [hash],
  });
  return row && { principal: principalOf(row), touchedAt: 0 };
}

function principalOf({ id, kind, workspaceId, mode, role, programId }: KeyRow): KeyPrincipal {
  const key = { apiKeyId: id, workspaceId, mode };
  if (kind !== 'management') return { kind: principalKinds[kind], ...key };
  if (role === null) throw new Error('a management key has a role');
  return { kind: 'management_key', ...key, role, programId };
}

class Keys implements KeyCache {
  private readonly keys: LRUCache<string, CachedKey>;
  private syncedAt = Number.NEGATIVE_INFINITY;
  private running: Promise<void> | undefined;
  private uses = new Map<string, Date>();

  constructor(
    private readonly db: Database,
    max: number,
  ) {
    this.keys = new LRUCache({ max });
  }

  async resolve({ key, kind }: AskedKey, now: Date): Promise<KeyPrincipal | undefined> {
    if (parseKey(key)?.kind !== kind) return undefined;
    await this.freshen(now);
    const hash = tokenHash(key);
    const known = this.keys.get(hash) ?? (await load(this.db.manager, hash));
    if (!known) return undefined;

    if (!this.keys.has(hash)) this.keys.set(hash, known);
    this.touch(known, now);
    return known.principal;
  }

  known({ key, kind }: AskedKey, now: Date): KeyPrincipal | undefined {
    const known = this.isBelieved(now) ? this.keys.get(tokenHash(key)) : undefined;
    if (!known || known.principal.kind !== principalKinds[kind]) return undefined;
    this.touch(known, now);
    return known.principal;
  }

  has(key: string): boolean {
    return this.keys.has(tokenHash(key));
  }

  /** Whether revocations were looked up lately; they are looked up again in time. */
  private isBelieved(now: Date): boolean {
    const age = performance.now() - this.syncedAt;
    if (age > syncEveryMs) this.freshen(now).catch(() => undefined);
    return age <= believedMs;
  }

  /** Waits only when what is known is too old to be believed; else looks up beside the request. */
  private async freshen(now: Date): Promise<void> {
    const age = performance.now() - this.syncedAt;
    if (age < syncEveryMs) return;
    if (age > forgetAfterMs) this.keys.clear();

    this.running ??= this.sync(now).finally(() => (this.running = undefined));
    if (age > believedMs) await this.running;
    else this.running.catch(() => undefined);
  }

  private async sync(now: Date): Promise<void> {
    const startedAt = performance.now();
    const revoked = await query<{ hash: string }>(
      this.db.manager,
      'SELECT key_hash AS hash FROM api_keys WHERE revoked_at > $1',
      [new Date(now.getTime() - lookBackMs)],
    );
    for (const { hash } of revoked) this.keys.delete(hash);
    this.syncedAt = startedAt;
  }

  /** Notes the time of last use, once a minute and process; uses of a second are one statement. */
  private touch(key: CachedKey, now: Date): void {
    if (Math.abs(now.getTime() - key.touchedAt) < touchIntervalMs) return;
    key.touchedAt = now.getTime();
    if (this.uses.size === 0) setTimeout(() => void this.flush(), 1_000).unref();
    this.uses.set(key.principal.apiKeyId, now);
  }

  private async flush(): Promise<void> {
    const uses = [...this.uses];
    this.uses = new Map();
    // A loss has no weight here: the use is noted again in a minute.
    await execute(
      this.db.manager,
      `WITH used AS MATERIALIZED (
         SELECT k.id, u.at FROM api_keys k JOIN unnest($1::uuid[], $2::timestamptz[]) AS u (id, at)
             ON u.id = k.id
          WHERE k.last_used_at IS NULL OR k.last_used_at <= u.at - $3 * interval '1 millisecond'
          ORDER BY k.id FOR NO KEY UPDATE OF k SKIP LOCKED)
       UPDATE api_keys k SET last_used_at = used.at FROM used WHERE k.id = used.id`,
      // Another process may have noted it just now.
      [uses.map(([id]) => id), uses.map(([, at]) => at), touchIntervalMs / 2],
    ).catch(() => undefined);
  }
}
