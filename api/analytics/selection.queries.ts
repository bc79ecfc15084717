import { validationError } from '../../entities/errors';
import { periodProblem, spanOf, type Span } from '../../entities/rules/analytics/period';
import { promoCodeKey } from '../../entities/rules/partners/referral-code';
import type { Scope } from '../../entities/rules/values/mode';
import { query, type Db } from '../../entities/database/sql';
import { programOf } from '../access';
import { allPrograms, type AnalyticsQuery, type PeriodQuery } from './analytics-query.dto';
import type { PricedSelection, Selection } from './selection';
import { leadingCurrency } from './figures.queries';

interface ReadContext {
  db: Db;
  scope: Scope;
}

const fallbackCurrency = 'usd';

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
  const selection: Selection = {
    programIds: programs.map(({ id }) => id),
    linkId: asked.linkId ?? null,
    promoCode: asked.promoCode === undefined ? null : promoCodeKey(asked.promoCode),
  };
  const currency = asked.currency ?? (await currencyOf(ctx.db, { selection, programs, asked }));
  return { ...selection, scope: ctx.scope, currency };
}

interface OwnProgram {
  id: string;
  currency: string;
}

async function programsOf(ctx: ReadContext, programId: string): Promise<OwnProgram[]> {
  if (programId !== allPrograms) return [await programOf(ctx, programId.toLowerCase())];
  return query<OwnProgram>(
    ctx.db,
    'SELECT id, currency FROM programs WHERE workspace_id = $1 AND mode = $2 ORDER BY id',
    [ctx.scope.workspaceId, ctx.scope.mode],
  );
}

async function currencyOf(
  db: Db,
  {
    selection,
    programs,
    asked,
  }: { selection: Selection; programs: OwnProgram[]; asked: AnalyticsQuery },
): Promise<string> {
  const own = programs[0]?.currency ?? fallbackCurrency;
  if (asked.programId !== allPrograms || programs.length === 0) return own;
  const span: Span = spanOf(asked);
  return (await leadingCurrency(db, selection, span)) ?? own;
}
