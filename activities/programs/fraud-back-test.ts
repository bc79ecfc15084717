import {
  fraudActions,
  judgeFraud,
  plainAddressRules,
  settingsInOrder,
  strictestAction,
  type FraudAction,
  type FraudFacts,
  type FraudRule,
} from '../../entities/rules/fraud/fraud';
import type { Scope } from '../../entities/rules/values/mode';
import { query, rowsAtOnce, type Db } from '../../entities/database/sql';
import { getFraudSettings, withFraudChanges, type FraudRuleChange } from './fraud-settings';

export interface BackTest {
  conversions: number;
  /**
   * Null for a rule that needs the buyer's address in plain. What it saw then is kept, and counts in
   * byAction: settings must not look milder than they are.
   */
  byRule: { rule: FraudRule; hits: number | null }[];
  byAction: { action: FraudAction; count: number }[];
}

export interface BackTestQuestion {
  programId: string;
  changes: readonly FraudRuleChange[];
  from: Date;
  to: Date;
}

/**
 * What other settings would have done to the conversions judged in a period, by what the rules saw
 * then. Stores nothing.
 */
export async function backTestFraudRules(
  db: Db,
  scope: Scope,
  question: BackTestQuestion,
): Promise<BackTest> {
  const { programId, changes } = question;
  const settings = withFraudChanges(await getFraudSettings(db, scope, programId), changes);
  const hits = new Map<FraudRule, number>();
  const counts = new Map<FraudAction, number>();
  let conversions = 0;

  for await (const facts of judgedFacts(db, scope, question)) {
    const findings = judgeFraud(settings, facts).filter(({ hit }) => hit);
    for (const { rule } of findings) hits.set(rule, (hits.get(rule) ?? 0) + 1);
    const action = strictestAction(findings);
    counts.set(action, (counts.get(action) ?? 0) + 1);
    conversions += 1;
  }
  return {
    conversions,
    byRule: settingsInOrder(settings).map(({ rule }) => ({
      rule,
      hits: plainAddressRules.includes(rule) ? null : (hits.get(rule) ?? 0),
    })),
    byAction: fraudActions
      .filter((action) => action !== 'off')
      .map((action) => ({ action, count: counts.get(action) ?? 0 })),
  };
}

/** The facts in pages: memory does not grow with the number of conversions. */
async function* judgedFacts(
  db: Db,
  scope: Scope,
  { programId, from, to }: BackTestQuestion,
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
        ORDER BY v.created_at, v.id LIMIT ${rowsAtOnce}`,
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
    if (!after || rows.length < rowsAtOnce) return;
  }
}
