import { query } from '../../../entities/database/sql';
import { loadConfig } from '../../../runtime/config/config';
import { openDeps } from '../../../runtime/process/deps';
import { createApiClient } from '../api-client';
import { movableClock, type TestApp } from '../app';
import { buildPayPalShop, compareBooks } from '../paypal/shop';
import type { UpgradeStage } from './upgrade-stage';

export interface BatchUnderWay {
  /** The ids of its items. */
  statuses(): Promise<string[]>;
  /** The differences between our books and those of the stand-in. */
  differences(): Promise<string[]>;
  close(): Promise<void>;
}

/** A payout of one item, sent by whichever release serves at the moment. */
export async function beginBatch(stage: UpgradeStage): Promise<BatchUnderWay> {
  const url = stage.apis[0]?.url ?? '';
  const clock = movableClock();
  const opened = await openDeps(loadConfig(stage.environment), 'test', { clock });
  const deps = { ...opened, clock };
  const app: TestApp = { deps, url, client: createApiClient(url), close: () => deps.close() };
  const shop = await buildPayPalShop(app);
  const payout = await shop.payout();
  // The clocks of the processes are not moved, as that of a code would be.
  clock.advance(-90_000);
  const { status } = await shop.send(payout);
  if (status !== 202) throw new Error(`the payout was answered by ${status}`);
  return {
    async statuses() {
      const rows = await query<{ status: string }>(
        deps.db.manager,
        'SELECT status FROM payout_items WHERE payout_id = $1',
        [payout.id],
      );
      return rows.map((row) => row.status);
    },
    differences: () => compareBooks(app, stage.paypal, payout),
    close: app.close,
  };
}
