import { performance } from 'node:perf_hooks';
import { LRUCache } from 'lru-cache';
import type { DataSource } from 'typeorm';
import { parseKey, type KeyKind, type Mode } from '../../entities/rules/values/mode';
import { execute, prepared, query, type Db } from '../../entities/database/sql';
import type { Deps } from '../../runtime/process/deps';
import { tokenHash } from '../../runtime/crypto/vault';

export interface KeyPrincipal {
  kind: 'secret_key' | 'public_key';
  apiKeyId: string;
  workspaceId: string;
  mode: Mode;
}

export type KeyDeps = Pick<Deps, 'db' | 'config'>;

interface CachedKey {
  principal: KeyPrincipal;
  /** When the time of last use was written last; 0 = not by this process. */
  touchedAt: number;
}

/** Revocations are looked up this often at most, and a cached key is believed this long at most. */
const syncEveryMs = 400;
const believedMs = 800;
/** A look-up goes back this far, so it covers every process's clock and every slow commit. */
const lookBackMs = 60_000;
/** After a pause longer than this a look-up might miss a revocation: the cache starts empty. */
const forgetAfterMs = 30_000;
const touchIntervalMs = 60_000;
const flushAfterMs = 1_000;

/**
 * Who a key belongs to. Known keys come from memory; unknown ones are read from the database each
 * time, so that a new key works at once and guesses fill nothing. A revocation on any process holds
 * here within a second (docs/reference/accounts.md, Keys): no cached key is believed unless
 * revocations were looked up less than `believedMs` ago.
 */
export async function resolveKey(
  deps: KeyDeps,
  { key, kind }: { key: string; kind: KeyKind },
  now: Date,
): Promise<KeyPrincipal | undefined> {
  const parsed = parseKey(key);
  if (parsed?.kind !== kind) return undefined;

  const cache = cacheOf(deps);
  await cache.freshen(now);
  const hash = hashOf(key);
  const known = cache.keys.get(hash) ?? (await load(deps.db.manager, hash));
  if (!known) return undefined;

  if (!cache.keys.has(hash)) cache.keys.set(hash, known);
  touch(cache, known, now);
  return known.principal;
}

/** Whose key this is, when this process knows it and may believe that without a look-up. */
export function knownKey(
  deps: KeyDeps,
  { key, kind }: { key: string; kind: KeyKind },
  now: Date,
): KeyPrincipal | undefined {
  const cache = cacheOf(deps);
  const known = cache.isBelieved(now) ? cache.keys.get(hashOf(key)) : undefined;
  if (!known || known.principal.kind !== principalKinds[kind]) return undefined;
  touch(cache, known, now);
  return known.principal;
}

/** Takes a key to be whose it says, in this process only and without asking: for its warm-up. */
export async function rememberKey(
  deps: KeyDeps,
  key: Omit<KeyPrincipal, 'kind'> & { key: string; kind: KeyKind },
  now: Date,
): Promise<void> {
  const { apiKeyId, workspaceId, mode, kind } = key;
  const principal = { kind: principalKinds[kind], apiKeyId, workspaceId, mode };
  const cache = cacheOf(deps);
  await cache.freshen(now);
  // Used just now, as far as the database is concerned: it has no such key.
  cache.keys.set(tokenHash(key.key), { principal, touchedAt: now.getTime() });
}

export function forgetKey(deps: KeyDeps, key: string): void {
  cacheOf(deps).keys.delete(tokenHash(key));
}

/** Whether the key is in this process's cache: resolving it then reads no database. */
export function isKnownKey(deps: KeyDeps, key: string): boolean {
  return cacheOf(deps).keys.has(hashOf(key));
}

let last = { key: '', hash: '' };

/** One request asks more than once, and nothing comes between. */
function hashOf(key: string): string {
  if (last.key !== key) last = { key, hash: tokenHash(key) };
  return last.hash;
}

const principalKinds = { secret: 'secret_key', public: 'public_key' } as const;

interface KeyRow {
  id: string;
  kind: KeyKind;
  workspaceId: string;
  mode: Mode;
}

async function load(db: Db, hash: string): Promise<CachedKey | undefined> {
  const [row] = await prepared<KeyRow>(db, {
    name: 'api_key_by_hash',
    text: `SELECT id, kind, workspace_id AS "workspaceId", mode FROM api_keys
     WHERE key_hash = $1 AND revoked_at IS NULL`,
    values: [hash],
  });
  if (!row) return undefined;
  const { id, kind, workspaceId, mode } = row;
  return {
    principal: { kind: principalKinds[kind], apiKeyId: id, workspaceId, mode },
    touchedAt: 0,
  };
}

/** Notes the time of last use, once a minute and process; no request waits for it. */
function touch(cache: KeyCache, key: CachedKey, now: Date): void {
  if (Math.abs(now.getTime() - key.touchedAt) < touchIntervalMs) return;
  key.touchedAt = now.getTime();
  cache.touched(key.principal.apiKeyId, now);
}

class KeyCache {
  readonly keys: LRUCache<string, CachedKey>;
  private syncedAt = Number.NEGATIVE_INFINITY;
  private running: Promise<void> | undefined;
  private uses = new Map<string, Date>();

  constructor(
    private readonly db: DataSource,
    most: number,
  ) {
    this.keys = new LRUCache({ max: most });
  }

  /** Whether revocations were looked up lately; they are looked up again in time. */
  isBelieved(now: Date): boolean {
    const age = performance.now() - this.syncedAt;
    if (age > syncEveryMs) this.freshen(now).catch(() => undefined);
    return age <= believedMs;
  }

  /** Waits only when what is known is too old to be believed; else looks up beside the request. */
  async freshen(now: Date): Promise<void> {
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

  /** Uses of a second are written by one statement. */
  touched(apiKeyId: string, at: Date): void {
    if (this.uses.size === 0) setTimeout(() => void this.flush(), flushAfterMs).unref();
    this.uses.set(apiKeyId, at);
  }

  private async flush(): Promise<void> {
    const uses = [...this.uses];
    this.uses = new Map();
    // Of no weight: what is lost here is noted again in a minute.
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

const caches = new WeakMap<DataSource, KeyCache>();

function cacheOf({ db, config }: KeyDeps): KeyCache {
  const cache = caches.get(db) ?? new KeyCache(db, config.cachedKeys);
  caches.set(db, cache);
  return cache;
}
