import type { Db } from '../../../entities/database/sql';
import { useApp } from '../../support/app';
import { buildMember } from '../../support/build/accounts';
import { buildCommission } from '../../support/build/commissions';
import { buildParticipant, buildProgram } from '../../support/build/programs';
import { callerOf } from '../../support/callers';

/** The largest integer that every JSON reader holds exactly. */
const largest = 9_007_199_254_740_991;

const app = useApp();
let db: Db;

beforeAll(async () => {
  db = app.deps.db.manager;
});

it.each(['commissions', 'revenue'] as const)(
  'a sum of %s is exact, or refused when no number holds it',
  async (name) => {
    const member = await buildMember(db);
    const program = await buildProgram(db, { workspaceId: member.workspaceId });
    const participant = await buildParticipant(db, { program });
    const api = await callerOf(app, member);
    const list = `/api/v1/programs/${program.id}/partners`;
    const one = `${list}/${participant.id}`;
    const sell = async (amount: number) => {
      const { id } = await buildCommission(db, {
        ...{ program, participant },
        ...(name === 'revenue' && { conversionAmountCents: amount }),
      });
      if (name === 'revenue') return;
      await db.query('UPDATE commissions SET amount_cents = $2 WHERE id = $1', [id, amount]);
    };

    await sell(largest - 100);
    await sell(100);
    expect((await api.get(one)).body[name]).toEqual([{ currency: 'usd', amountCents: largest }]);

    await sell(100);
    for (const path of [one, list]) {
      const { status, body } = await api.get(path);
      expect([path, status, body['code']]).toEqual([path, 422, 'AMOUNT_TOO_LARGE']);
    }
  },
);
