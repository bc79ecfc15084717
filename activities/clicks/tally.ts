import { execute, type Db } from '../../entities/database/sql';
import { originOf } from '../../entities/rules/clicks/origin';
import { referralTokenKey } from '../../entities/rules/partners/referral-code';
import type { Scope } from '../../entities/rules/values/mode';
import type { Vault } from '../../runtime/crypto/vault';
import { erasedTokenKey } from '../partners/referral-tokens';

interface OriginCount {
  origin: string;
  day: string;
  clicks: number;
  lastSeenAt: Date;
}

interface Noted {
  scope: Scope;
  lastClickAt: Date | null;
  unknownRef: { ref: string; at: Date } | null;
  origins: Map<string, OriginCount>;
}

/** Origins of one workspace and mode, so that made-up addresses fill neither memory nor table. */
const maxOrigins = 50;
const maxOriginsPerDay = 200;
const maxScopes = 5_000;

/** A merchant who tries the script waits this long; in a stream of clicks a row a merchant is written less often. */
const firstAfterMs = 500;
const streamAfterMs = 2_000;

/** Sorted, so that two processes never wait for each other's rows in a circle. */
const saveSql = `
  WITH states AS (
    INSERT INTO tracking_states AS s
      (workspace_id, mode, last_click_at, unknown_ref, unknown_ref_at)
    SELECT noted.workspace_id, noted.mode, noted.last_click_at,
           CASE WHEN NOT erased.is_code THEN noted.ref END,
           CASE WHEN NOT erased.is_code THEN noted.ref_at END
      FROM unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::text[], $5::timestamptz[],
                  $6::text[])
        AS noted (workspace_id, mode, last_click_at, ref, ref_at, erased_key)
     CROSS JOIN LATERAL (SELECT EXISTS (
       SELECT 1 FROM referral_tokens t
        WHERE t.workspace_id = noted.workspace_id AND t.mode = noted.mode
          AND t.token_key = noted.erased_key) AS is_code) AS erased
     ORDER BY noted.workspace_id, noted.mode
    ON CONFLICT ON CONSTRAINT pk_tracking_states DO UPDATE SET
      last_click_at = greatest(s.last_click_at, excluded.last_click_at),
      unknown_ref = CASE WHEN excluded.unknown_ref_at >= coalesce(s.unknown_ref_at, '-infinity')
                         THEN excluded.unknown_ref ELSE s.unknown_ref END,
      unknown_ref_at = greatest(s.unknown_ref_at, excluded.unknown_ref_at)
  )
  INSERT INTO click_origins AS o (workspace_id, mode, day, origin, clicks, last_seen_at)
  SELECT noted.* FROM unnest($7::uuid[], $8::text[], $9::date[], $10::text[], $11::bigint[],
                             $12::timestamptz[])
      AS noted (workspace_id, mode, day, origin, clicks, last_seen_at)
   WHERE (SELECT count(*) FROM click_origins k WHERE k.workspace_id = noted.workspace_id
             AND k.mode = noted.mode AND k.day = noted.day) < $13
      OR EXISTS (SELECT 1 FROM click_origins k WHERE k.workspace_id = noted.workspace_id
             AND k.mode = noted.mode AND k.day = noted.day AND k.origin = noted.origin)
   ORDER BY noted.workspace_id, noted.mode, noted.day, noted.origin
  ON CONFLICT ON CONSTRAINT pk_click_origins DO UPDATE SET
    clicks = o.clicks + excluded.clicks,
    last_seen_at = greatest(o.last_seen_at, excluded.last_seen_at)`;

/**
 * What the pages of each workspace sent lately, for the merchant who asks whether the script works
 * (docs/reference/clicks.md, What a merchant sees). It is noted in memory and
 * written beside the clicks: no click waits for it or for a lock of it. One per process.
 */
export class ClickTally {
  private noted = new Map<string, Noted>();
  private timer: NodeJS.Timeout | undefined;
  private saving: Promise<void> | undefined;

  constructor(
    private readonly db: Db,
    private readonly vault: Pick<Vault, 'contactHash'>,
  ) {}

  /** A click that is stored. `page` is its address or origin; a repeat (`isNew` false) is only seen. */
  click(
    scope: Scope,
    { page, at, isNew }: { page: string | null; at: Date; isNew: boolean },
  ): void {
    const noted = this.of(scope);
    if (!noted) return;
    if (isNew) noted.lastClickAt = at;
    const origin = originOf(page);
    if (origin === undefined) return;

    const day = at.toISOString().slice(0, 10);
    const key = `${day} ${origin}`;
    const count = noted.origins.get(key) ?? { origin, day, clicks: 0, lastSeenAt: at };
    if (isNew) count.clicks += 1;
    count.lastSeenAt = at;
    if (noted.origins.size < maxOrigins) noted.origins.set(key, count);
  }

  unknownRef(scope: Scope, { ref, at }: { ref: string; at: Date }): void {
    const noted = this.of(scope);
    if (noted) noted.unknownRef = { ref: ref.slice(0, 255).toWellFormed(), at };
  }

  /** Writes what is noted. Never fails: what cannot be written is of no weight. */
  async flush(): Promise<void> {
    await this.saving;
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.noted.size === 0) return;

    const all = [...this.noted.values()];
    this.noted = new Map();
    // Whatever was noted is dropped when it cannot be written: written twice it would count twice.
    this.saving = this.save(all).catch(() => undefined);
    await this.saving;
    this.saving = undefined;
    this.arm(streamAfterMs);
  }

  private of(scope: Scope): Noted | undefined {
    const key = `${scope.workspaceId}:${scope.mode}`;
    const present = this.noted.get(key);
    if (present) return present;
    if (this.noted.size >= maxScopes) return undefined;

    const noted = { scope, lastClickAt: null, unknownRef: null, origins: new Map() };
    this.noted.set(key, noted);
    this.arm(firstAfterMs);
    return noted;
  }

  private arm(afterMs: number): void {
    if (this.timer || this.saving || this.noted.size === 0) return;
    this.timer = setTimeout(() => void this.flush(), afterMs);
    this.timer.unref();
  }

  private async save(all: Noted[]): Promise<void> {
    const origins = all.flatMap(({ scope, origins: counts }) =>
      [...counts.values()].map((count) => ({ ...scope, ...count })),
    );
    await execute(this.db, saveSql, [
      all.map(({ scope }) => scope.workspaceId),
      all.map(({ scope }) => scope.mode),
      all.map(({ lastClickAt }) => lastClickAt),
      all.map(({ unknownRef }) => unknownRef?.ref ?? null),
      all.map(({ unknownRef }) => unknownRef?.at ?? null),
      all.map(({ scope, unknownRef }) =>
        unknownRef ? erasedTokenKey(this.vault, scope, referralTokenKey(unknownRef.ref)) : null,
      ),
      origins.map(({ workspaceId }) => workspaceId),
      origins.map(({ mode }) => mode),
      origins.map(({ day }) => day),
      origins.map(({ origin }) => origin),
      origins.map(({ clicks }) => clicks),
      origins.map(({ lastSeenAt }) => lastSeenAt),
      maxOriginsPerDay,
    ]);
  }
}
