import type { Db } from '../../../entities/database/sql';
import { buildCommission } from '../../support/build/commissions';
import { trailOf } from '../../support/stored/commission-trail';
import { asOwner } from '../../support/database';
import { useDatabase } from '../../support/data-source';

const database = useDatabase();
let db: Db;

beforeAll(async () => {
  db = database.source.manager;
});

describe('ledger and history', () => {
  it.each(['ledger_entries', 'commission_history'])(
    'of %s take no update or delete',
    async (table) => {
      await buildCommission(db);
      const change = (statement: string) => asOwner(database.url, statement);
      await expect(change(`DELETE FROM ${table}`)).rejects.toThrow('append-only');
      await expect(change(`UPDATE ${table} SET mode = mode`)).rejects.toThrow('append-only');
    },
  );

  it('are purged by a transaction that says so first', async () => {
    const commission = await buildCommission(db);
    await asOwner(
      database.url,
      `BEGIN; SET LOCAL app.purge = 'on';
       DELETE FROM ledger_entries WHERE commission_id = '${commission.id}'; COMMIT`,
    );
    expect((await trailOf(db, commission.id)).ledger).toEqual([]);
  });
});
