import { changedSince } from '../../../activities/restore/audit-lines';
import { releasePayouts } from '../../../activities/restore/release-payouts';
import { afterRestore } from '../../../activities/restore/steps';
import { query } from '../../../entities/database/sql';
import { operatorActor } from '../../../entities/rules/values/actor';
import type { TestApp } from '../app';
import { copyDatabase, restoreDatabase, type TestDatabase } from '../database';
import { until } from '../eventually';

/** A copy of the database, and when it was made. */
export interface Backup {
  copy: TestDatabase;
  at: Date;
}

export async function backUp({ deps }: TestApp): Promise<Backup> {
  const at = deps.clock.now();
  const copy = await copyDatabase({ url: deps.config.databaseUrl });
  await connects(deps);
  return { copy, at };
}

/**
 * Puts the copy in the place of the database, and does what `aps restored` does, with all audit lines that were
 * shipped until then: those of now are added to them. Payouts wait for `release`.
 */
export async function restore(
  { deps }: TestApp,
  { copy, at: since }: Backup,
  shipped: Set<string>,
): Promise<void> {
  const lines = await query<{ line: string }>(
    deps.db.manager,
    'SELECT row_to_json(a)::text AS line FROM audit_log AS a',
  );
  for (const { line } of lines) shipped.add(line);
  const changes = changedSince([...shipped].join('\n'), since);
  await restoreDatabase({ url: deps.config.databaseUrl }, copy);
  await connects(deps);
  const cause = { actor: operatorActor, now: deps.clock.now() };
  for await (const { step, isWhole, lines: told } of afterRestore(deps, cause, {
    ...{ since, erasures: null, changes },
  })) {
    if (!isWhole) throw new Error(`${step}: ${told.join('; ')}`);
  }
}

export function release({ deps }: TestApp): Promise<number> {
  return releasePayouts(deps.db.manager, { actor: operatorActor, now: deps.clock.now() });
}

/** Connections that were ended are noticed one by one. */
function connects({ db }: TestApp['deps']): Promise<void> {
  return until(async () => {
    const answers = await Promise.allSettled(
      Array.from({ length: 10 }, () => query(db.manager, 'SELECT 1')),
    );
    return answers.every(({ status }) => status === 'fulfilled');
  });
}
