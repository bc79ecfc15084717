import { transaction, type Db, type Tx } from '../../../entities/database/sql';

export interface HeldTransaction {
  /** What is done in it. */
  tx: Tx;
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

const isRolledBack = new Error('rolled back');

/** A transaction that stays open until it is told to end. */
export function holdTransaction(db: Db): Promise<HeldTransaction> {
  return new Promise((resolve, reject) => {
    const over = transaction(db, async (tx) => {
      await new Promise<void>((commit, rollback) => {
        const end = async (how: () => void): Promise<void> => {
          how();
          await over.catch((error: unknown) => {
            if (error !== isRolledBack) throw error;
          });
        };
        resolve({
          tx,
          commit: () => end(commit),
          rollback: () => end(() => rollback(isRolledBack)),
        });
      });
    });
    over.catch(reject);
  });
}
