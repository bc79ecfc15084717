import { ProgramFraudRules } from '../../entities/tables/programs/program-fraud-rules.entity';
import { update } from '../../entities/database/update';
import { insertAll } from '../../entities/database/insert-all';
import type { FieldProblem } from '../../entities/errors';
import {
  fraudSettingsOf,
  hasThreshold,
  type FraudAction,
  type FraudRule,
  type FraudSettings,
} from '../../entities/rules/fraud/fraud';
import type { Scope } from '../../entities/rules/values/mode';
import { queryOne, transaction, type Db } from '../../entities/database/sql';
import type { CommandContext } from '../journal/cause';
import { record } from '../journal/record';
import { holdProgramOpen } from './programs';

/** What a merchant sets of one rule; a threshold that is left out stays as it is. */
export interface FraudRuleChange {
  rule: FraudRule;
  action: FraudAction;
  threshold?: number | null | undefined;
}

/** What is wrong with a list of changes as a whole; single fields were checked before. */
export function fraudRuleProblems(changes: readonly FraudRuleChange[]): FieldProblem[] {
  return changes.flatMap(({ rule, threshold }, index) => {
    const path = `rules[${index}]`;
    const isRepeated = changes.findIndex((other) => other.rule === rule) < index;
    if (isRepeated) return [{ field: `${path}.rule`, message: 'is named twice' }];
    if (threshold === undefined || (threshold === null) !== hasThreshold(rule)) return [];
    const message = hasThreshold(rule)
      ? 'must be an integer of at least 0'
      : 'must be null or left out: this rule has no threshold';
    return [{ field: `${path}.threshold`, message }];
  });
}

/** The settings of all rules of a programme that the caller may see. */
export async function getFraudSettings(
  db: Db,
  scope: Scope,
  programId: string,
): Promise<FraudSettings> {
  return fraudSettingsOf(await findStored(db, scope, { programId, lock: false }));
}

/**
 * Sets the rules that are named, each once; the others stay. They hold from the next report on.
 * PROGRAM_ARCHIVED.
 */
export function updateFraudRules(
  db: Db,
  context: CommandContext,
  { programId, changes }: { programId: string; changes: readonly FraudRuleChange[] },
): Promise<FraudSettings> {
  const { scope, now } = context;
  return transaction(db, async (tx) => {
    await holdProgramOpen(tx, programId, scope);
    const own = { programId, workspaceId: scope.workspaceId, mode: scope.mode };
    await insertAll(tx, {
      into: ProgramFraudRules,
      rows: [{ ...own, rules: {}, updatedAt: now }],
      onConflict: 'ON CONFLICT (program_id) DO NOTHING',
    });
    const stored = await findStored(tx, scope, { programId, lock: true });
    const settings = withFraudChanges(fraudSettingsOf(stored), changes);
    await update(tx, ProgramFraudRules, { set: { rules: settings, updatedAt: now }, where: own });
    await record(tx, context, {
      audit: { action: 'fraud_rules.updated', target: { type: 'program', id: programId } },
    });
    return settings;
  });
}

async function findStored(
  db: Db,
  scope: Scope,
  { programId, lock }: { programId: string; lock: boolean },
): Promise<Partial<FraudSettings> | null> {
  const row = await queryOne<{ rules: Partial<FraudSettings> }>(
    db,
    `SELECT rules FROM program_fraud_rules
      WHERE program_id = $1 AND workspace_id = $2 AND mode = $3 ${lock ? 'FOR UPDATE' : ''}`,
    [programId, scope.workspaceId, scope.mode],
  );
  return row?.rules ?? null;
}

/** The settings with the changes: only rules that are named change; a threshold that is left out stays. */
export function withFraudChanges(
  settings: FraudSettings,
  changes: readonly FraudRuleChange[],
): FraudSettings {
  const changed = { ...settings };
  for (const { rule, action, threshold } of changes) {
    changed[rule] = { action, threshold: threshold ?? settings[rule]?.threshold ?? null };
  }
  return changed;
}
