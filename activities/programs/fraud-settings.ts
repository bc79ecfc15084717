import { AppError, type FieldProblem } from '../../entities/errors';
import {
  fraudActions,
  fraudRules,
  fraudSettingsOf,
  hasThreshold,
  judgeFraud,
  plainAddressRules,
  strictestAction,
  type FraudAction,
  type FraudFacts,
  type FraudRule,
  type FraudSettings,
} from '../../entities/rules/fraud/fraud';
import type { Scope } from '../../entities/rules/values/mode';
import { type Db, execute, query, queryOne, transaction } from '../../entities/database/sql';
import { recordAudit } from '../journal/audit';
import type { Cause } from '../journal/cause';
import { holdProgramOpen } from './programs';

/** What a merchant sets of one rule; a threshold that is left out stays as it is. */
export interface FraudRuleChange {
  rule: FraudRule;
  action: FraudAction;
  threshold?: number | null | undefined;
}

/** What is wrong with a list of changes as a whole; single fields were checked before. */
function fraudRuleProblems(changes: readonly FraudRuleChange[]): FieldProblem[] {
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
 * Sets the rules that are named; the others stay. They hold from the next report on.
 * PROGRAM_ARCHIVED.
 */
export function updateFraudRules(
  db: Db,
  command: { scope: Scope; programId: string; changes: readonly FraudRuleChange[] },
  cause: Cause,
): Promise<FraudSettings> {
  assertChanges(command.changes);
  const { scope, programId, changes } = command;
  return transaction(db, async (tx) => {
    await holdProgramOpen(tx, programId);
    await execute(
      tx,
      `INSERT INTO program_fraud_rules (program_id, workspace_id, mode, rules, updated_at)
       VALUES ($1, $2, $3, '{}', $4) ON CONFLICT (program_id) DO NOTHING`,
      [programId, scope.workspaceId, scope.mode, cause.now],
    );
    const stored = await findStored(tx, scope, { programId, lock: true });
    const settings = withChanges(fraudSettingsOf(stored), changes);
    await execute(
      tx,
      `UPDATE program_fraud_rules SET rules = $4, updated_at = $5
        WHERE program_id = $1 AND workspace_id = $2 AND mode = $3`,
      [programId, scope.workspaceId, scope.mode, JSON.stringify(settings), cause.now],
    );
    await recordAudit(tx, {
      workspaceId: scope.workspaceId,
      actor: cause.actor,
      action: 'fraud_rules.updated',
      target: { type: 'program', id: programId },
      requestId: cause.requestId,
      at: cause.now,
    });
    return settings;
  });
}

export interface BackTest {
  conversions: number;
  /** Null for a rule that needs the buyer's address in plain, which is not kept. */
  byRule: { rule: FraudRule; hits: number | null }[];
  byAction: { action: FraudAction; count: number }[];
}

const pageSize = 5_000;

/**
 * What other settings would have done to the conversions judged in a period, by what the rules saw
 * then. Stores nothing.
 */
export async function backTestFraudRules(
  db: Db,
  question: {
    scope: Scope;
    programId: string;
    changes: readonly FraudRuleChange[];
    from: Date;
    to: Date;
  },
): Promise<BackTest> {
  assertChanges(question.changes);
  const { scope, programId, changes } = question;
  const settings = withChanges(await getFraudSettings(db, scope, programId), changes);
  const hits = new Map<FraudRule, number>();
  const counts = new Map<FraudAction, number>();
  let conversions = 0;

  for await (const facts of judgedFacts(db, question)) {
    const findings = judgeFraud(settings, facts).filter(
      ({ rule, hit }) => hit && !plainAddressRules.includes(rule),
    );
    for (const { rule } of findings) hits.set(rule, (hits.get(rule) ?? 0) + 1);
    const action = strictestAction(findings);
    counts.set(action, (counts.get(action) ?? 0) + 1);
    conversions += 1;
  }
  return {
    conversions,
    byRule: fraudRules.map((rule) => ({
      rule,
      hits: plainAddressRules.includes(rule) ? null : (hits.get(rule) ?? 0),
    })),
    byAction: fraudActions
      .filter((action) => action !== 'off')
      .map((action) => ({ action, count: counts.get(action) ?? 0 })),
  };
}

/** Page by page, so that a busy month needs no more memory than a quiet one. */
async function* judgedFacts(
  db: Db,
  { scope, programId, from, to }: { scope: Scope; programId: string; from: Date; to: Date },
): AsyncGenerator<FraudFacts> {
  let after: { createdAt: Date; id: string } | undefined;
  for (;;) {
    const rows: { id: string; createdAt: Date; facts: FraudFacts }[] = await query(
      db,
      `SELECT v.id, v.created_at AS "createdAt", d.facts
         FROM conversions v JOIN attribution_decisions d ON d.conversion_id = v.id
        WHERE v.workspace_id = $1 AND v.mode = $2 AND v.program_id = $3 AND d.facts IS NOT NULL
          AND v.created_at >= $4 AND v.created_at < $5
          AND ($6::timestamptz IS NULL OR (v.created_at, v.id) > ($6::timestamptz, $7::uuid))
        ORDER BY v.created_at, v.id LIMIT ${pageSize}`,
      [
        scope.workspaceId,
        scope.mode,
        programId,
        from,
        to,
        after?.createdAt ?? null,
        after?.id ?? null,
      ],
    );
    for (const { facts } of rows) yield facts;
    after = rows.at(-1);
    if (!after || rows.length < pageSize) return;
  }
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

function withChanges(settings: FraudSettings, changes: readonly FraudRuleChange[]): FraudSettings {
  const changed = { ...settings };
  for (const { rule, action, threshold } of changes) {
    changed[rule] = { action, threshold: threshold ?? settings[rule].threshold };
  }
  return changed;
}

function assertChanges(changes: readonly FraudRuleChange[]): void {
  const details = fraudRuleProblems(changes);
  if (details.length > 0) throw new AppError('VALIDATION_ERROR', { details });
}
