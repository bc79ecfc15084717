import { adoptTest, hasWaitingInTest } from '../../../activities/accounts/addresses';
import { transaction } from '../../../entities/database/sql';
import type { RequestContext } from '../contract/request';

/** A partner comes by in test mode: what servers added there for an address that they have proved is theirs. */
export async function adoptInTest({ db, now, mode, actor }: RequestContext): Promise<void> {
  if (actor?.type !== 'partner' || actor.id === null || mode !== 'test') return;
  const accountId = actor.id;
  if (!(await hasWaitingInTest(db, accountId))) return;
  await transaction(db, (tx) => adoptTest(tx, { now }, { accountId }));
}
