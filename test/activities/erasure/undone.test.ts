import { unlockSubject } from '../../../activities/erasure/access';
import { lockSubject } from '../../../activities/erasure/lock';
import { advanceCommission } from '../../../activities/commissions/advance';
import { countFrom, queryOne } from '../../../entities/database/sql';
import { newId } from '../../../entities/ids';
import { systemActor } from '../../../entities/rules/values/actor';
import { useDeps } from '../../support/app';
import { buildCommission } from '../../support/build/commissions';

const deps = useDeps();

it('what fell due while an erasure was locked is approved once it was undone', async () => {
  const db = deps.db.manager;
  const commission = await buildCommission(db, { createdAt: new Date('2026-01-01T00:00:00Z') });
  const { id: commissionId, participantId: subjectId } = commission;
  const lock = { erasureId: newId(), kind: 'participant', subjectId } as const;
  const cause = { actor: systemActor, now: new Date() };
  const hash = () =>
    queryOne<{ hash: string | null }>(
      db,
      'SELECT erased_address_hash AS hash FROM participants WHERE id = $1',
      [subjectId],
    );
  await lockSubject(deps, cause, lock);
  expect(await hash()).toEqual({ hash: expect.stringMatching(/^[\w-]{43}$/) as string });
  const waits = await advanceCommission(db, cause, { commissionId });
  expect(waits).toMatchObject({ status: 'pending', holdElapsed: true });
  const signals = `outbox WHERE topic = 'commission' AND ref = $1`;
  const before = await countFrom(db, signals, [commissionId]);

  expect(await unlockSubject(deps, cause, lock)).toBe(true);
  expect(await hash()).toEqual({ hash: null });
  expect(await countFrom(db, signals, [commissionId])).toBe(before + 1);
  const approved = await advanceCommission(db, cause, { commissionId });
  expect(approved).toMatchObject({ status: 'approved' });
});
