import { validationError } from '../../entities/errors';
import { periodProblem, spanOf } from '../../entities/rules/analytics/period';
import { promoCodeKey } from '../../entities/rules/partners/referral-code';
import type { Scope } from '../../entities/rules/values/mode';
import { query, type Db } from '../../entities/database/sql';
import type { Program } from '../../entities/tables/programs/program.entity';
import { programOf } from '../access';
import { allPrograms, type AnalyticsQuery, type PeriodQuery } from './analytics-query.dto';
import type { PricedSelection, Selection } from './selection';
import { leadingCurrency } from './figures.queries';

interface ReadContext {
  db: Db;
  scope: Scope;
}

/** VALIDATION_ERROR for what no single field is wrong with. */
export function checkQuery(asked: PeriodQuery): void {
  const problem = periodProblem(asked);
  if (problem) throw validationError(problem.field, problem.message);
  if (asked.linkId !== undefined && asked.promoCode !== undefined) {
    throw validationError('promoCode', 'must not be given together with linkId');
  }
}

/** FORBIDDEN and PROGRAM_NOT_FOUND as of a path, once the fields are right. */
export async function selectionOf(
  ctx: ReadContext,
  asked: AnalyticsQuery,
): Promise<PricedSelection> {
  checkQuery(asked);
  const programs = await programsOf(ctx, asked.programId);
  const programIds = programs.map(({ id }) => id);
  const isOne = asked.programId !== allPrograms;
  const { groupId, participantId } = asked;
  const whose = {
    ...{ asked, programIds },
    ...(groupId === undefined ? {} : { groupId }),
    ...(participantId === undefined ? {} : { participantIds: [participantId] }),
  };
  const priced = await withCurrency(ctx.db, whose, { programs, isOne });
  return { ...priced, scope: ctx.scope };
}

async function programsOf(
  ctx: ReadContext,
  programId: string,
): Promise<Pick<Program, 'id' | 'currency'>[]> {
  if (programId !== allPrograms) return [await programOf(ctx, programId.toLowerCase())];
  return query(
    ctx.db,
    'SELECT id, currency FROM programs WHERE workspace_id = $1 AND mode = $2 ORDER BY id',
    [ctx.scope.workspaceId, ctx.scope.mode],
  );
}

interface Asked extends Pick<Selection, 'programIds' | 'participantIds' | 'groupId'> {
  asked: PeriodQuery;
}

/**
 * What is asked for, with the one currency of its revenue: of one programme its own, of several the one
 * with most.
 */
export async function withCurrency(
  db: Db,
  { asked, ...whose }: Asked,
  { programs, isOne }: { programs: readonly { currency: string }[]; isOne: boolean },
): Promise<Selection & { currency: string }> {
  const selection: Selection = {
    ...whose,
    linkId: asked.linkId ?? null,
    promoCode: asked.promoCode === undefined ? null : promoCodeKey(asked.promoCode),
  };
  const usual = programs[0]?.currency ?? 'usd';
  const isSettled = asked.currency !== undefined || isOne || programs.length === 0;
  const leading = isSettled ? asked.currency : await leadingCurrency(db, selection, spanOf(asked));
  return { ...selection, currency: leading ?? usual };
}
