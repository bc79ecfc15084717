import { AppError } from '../../entities/errors';
import { isUuid, uuidTime } from '../../entities/ids';
import { selectList, type Selected, type Selection } from '../../entities/database/columns';
import type { Scope } from '../../entities/rules/values/mode';
import { Click } from '../../entities/tables/clicks/click.entity';
import { execute, prepared, type Db } from '../../entities/database/sql';

const shown = [
  'id',
  'createdAt',
  'workspaceId',
  'mode',
  'programId',
  'participantId',
  'linkId',
  'visitorId',
  'creditable',
  'expiresAt',
  'url',
  'referrer',
  'userAgent',
  'ipHash',
] as const satisfies Selection<Click>;

export type ClickRecord = Selected<Click, typeof shown>;

const findSql = `SELECT ${selectList(Click, 'k', shown)} FROM clicks AS k
  WHERE k.id = $1 AND k.created_at = $2 AND k.workspace_id = $3`;

/**
 * The click of that id in the workspace, in either mode: the caller compares `mode` and reports a
 * MODE_MISMATCH. Undefined for any other string, also one that is no id at all.
 */
export async function findClick(
  db: Db,
  scope: Pick<Scope, 'workspaceId'>,
  clickId: string,
): Promise<ClickRecord | undefined> {
  if (!isUuid(clickId)) return undefined;

  const [click] = await prepared<ClickRecord>(db, {
    name: 'find_click',
    text: findSql,
    values: [clickId, uuidTime(clickId), scope.workspaceId],
  });
  return click;
}

/**
 * Ends a test click's attribution window at once (docs/reference/clicks.md, Attribution window), so
 * that CLICK_EXPIRED can be seen. A window that ended earlier stays as it is. NOT_FOUND for a click
 * of another workspace or mode; the caller has made sure that the mode is test.
 */
export async function expireClick(
  db: Db,
  scope: Scope,
  { clickId, now }: { clickId: string; now: Date },
): Promise<ClickRecord> {
  const click = await findClick(db, scope, clickId);
  if (!click || click.mode !== scope.mode) throw new AppError('NOT_FOUND');

  // The window includes its end, so it ends just before a conversion of this very millisecond.
  const end = new Date(now.getTime() - 1);
  await execute(
    db,
    `UPDATE clicks SET expires_at = least(expires_at, $5)
      WHERE id = $1 AND created_at = $2 AND workspace_id = $3 AND mode = $4`,
    [click.id, click.createdAt, scope.workspaceId, scope.mode, end],
  );
  return { ...click, expiresAt: click.expiresAt < end ? click.expiresAt : end };
}
