import { defaultFraudSettings, standardFraudRules } from '../entities/rules/fraud/fraud';
import { execute, query } from '../entities/database/sql';
import { report, seedShop, type Shop } from './support/conversion-shop';
import { openStage, type Stage } from './support/stage';
import { inTurns, printTurns } from './support/turns';

/**
 * Conversions with all fraud rules on and with all of them off, in turns on the same programme. What
 * the rules look at is read in both: a back-test judges it by other settings later.
 *
 *   node bench/run.mjs fraud [seconds a turn, default 4] [turns of each, default 8] [connections]
 */
const seconds = Number(process.argv[2] ?? 4);
const turns = Number(process.argv[3] ?? 8);
const connections = Number(process.argv[4] ?? 16);
const settings = ['on', 'off'] as const;

async function main(): Promise<void> {
  const stage = await openStage();
  try {
    const shop = await seedShop(stage.db.manager);
    const api = await stage.serve('api/main.js');
    await report(api, shop, { connections, seconds: 2 * seconds, withAddress: true });
    let created = 0;
    const result = await inTurns({
      settings,
      turns,
      pids: { API: stage.pidOf(api), Postgres: stage.pids.postgres },
      run: async (setting) => {
        await turnRules(stage, shop, setting);
        const load = await report(api, shop, { connections, seconds, withAddress: true });
        created += load.statuses[201] ?? 0;
        if (load.statuses[201] !== load.requests) throw new Error(JSON.stringify(load.statuses));
        return load;
      },
    });
    printTurns(result, { settings, target: '1.15' });
    await assertStored(stage, shop, created);
  } finally {
    await stage.close();
  }
}

async function turnRules(stage: Stage, shop: Shop, setting: 'on' | 'off'): Promise<void> {
  const rules = standardFraudRules.map((rule) => {
    const { action, threshold } = defaultFraudSettings[rule];
    return [rule, { action: setting === 'on' ? action : 'off', threshold }];
  });
  await execute(
    stage.db.manager,
    `INSERT INTO program_fraud_rules (program_id, workspace_id, mode, rules, updated_at)
     VALUES ($1, $2, 'live', $3, now())
     ON CONFLICT (program_id) DO UPDATE SET rules = excluded.rules`,
    [shop.programId, shop.workspaceId, JSON.stringify(Object.fromEntries(rules))],
  );
}

/** What was answered is stored, each with its commission. */
async function assertStored(stage: Stage, shop: Shop, created: number): Promise<void> {
  const [row] = await query<{ conversions: number; commissions: number }>(
    stage.db.manager,
    `SELECT (SELECT count(*) FROM conversions WHERE workspace_id = $1 AND attributed) AS conversions,
            (SELECT count(*) FROM commissions WHERE workspace_id = $1) AS commissions`,
    [shop.workspaceId],
  );
  if (row && row.conversions >= created && row.conversions === row.commissions) return;
  throw new Error(`${created} were answered, stored are ${JSON.stringify(row)}`);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
