import { defaultFraudSettings, standardFraudRules } from '../entities/rules/fraud/fraud';
import { execute, query } from '../entities/database/sql';
import { buildShops, type Shop } from './support/click-world';
import { load, type LoadResult } from './support/load';
import { conversionOf } from './support/workloads';
import { runBench, type Stage } from './support/stage';
import { inTurns, printTurns } from './support/turns';

/**
 * Conversions with all fraud rules on and with all of them off, in turns on the same programmes. What
 * the rules look at is read in both: a back-test judges it by other settings later.
 *
 *   node bench/run.mjs fraud [seconds a turn, default 4] [turns of each, default 8] [connections]
 */
const seconds = Number(process.argv[2] ?? 4);
const turns = Number(process.argv[3] ?? 8);
const connections = Number(process.argv[4] ?? 16);
const settings = ['on', 'off'] as const;

async function main(stage: Stage): Promise<void> {
  const shops = await buildShops(stage.db.manager, 1_000);
  const api = await stage.serve('api/main.js');
  await report(api, shops, 2 * seconds);
  let created = 0;
  const result = await inTurns({
    settings,
    turns,
    pids: { API: stage.pidOf(api), Postgres: stage.pids.postgres },
    run: async (setting) => {
      await turnRules(stage, setting);
      const load = await report(api, shops, seconds);
      created += load.statuses[201] ?? 0;
      if (load.statuses[201] !== load.requests) throw new Error(JSON.stringify(load.statuses));
      return load;
    },
  });
  printTurns(result, { settings, target: '1.15' });
  await assertStored(stage, created);
}

let buyers = 0;

/** Sales, each by another buyer. */
function report(url: string, shops: readonly Shop[], duration: number): Promise<LoadResult> {
  const makeRequest = () => {
    buyers += 1;
    return conversionOf(shops, { prospect_email: `buyer${buyers}@buyers.example` });
  };
  return load({ url, connections, seconds: duration, makeRequest });
}

async function turnRules(stage: Stage, setting: 'on' | 'off'): Promise<void> {
  const rules = standardFraudRules.map((rule) => {
    const { action, threshold } = defaultFraudSettings[rule];
    return [rule, { action: setting === 'on' ? action : 'off', threshold }];
  });
  await execute(
    stage.db.manager,
    `INSERT INTO program_fraud_rules (program_id, workspace_id, mode, rules, updated_at)
     SELECT id, workspace_id, mode, $1, now() FROM programs
     ON CONFLICT (program_id) DO UPDATE SET rules = excluded.rules`,
    [JSON.stringify(Object.fromEntries(rules))],
  );
}

/** What was answered is stored, each with its commission. */
async function assertStored(stage: Stage, created: number): Promise<void> {
  const [row] = await query<{ conversions: number; commissions: number }>(
    stage.db.manager,
    `SELECT (SELECT count(*) FROM conversions WHERE attributed) AS conversions,
            (SELECT count(*) FROM commissions) AS commissions`,
  );
  if (row && row.conversions >= created && row.conversions === row.commissions) return;
  throw new Error(`${created} were answered, stored are ${JSON.stringify(row)}`);
}

runBench(main);
