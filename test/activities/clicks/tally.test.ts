import { ClickTally } from '../../../activities/clicks/tally';
import { erasedTokenKey } from '../../../activities/partners/referral-tokens';
import { newId } from '../../../entities/ids';
import { execute, query } from '../../../entities/database/sql';
import type { Scope } from '../../../entities/rules/values/mode';
import { useDeps } from '../../support/app';
import { buildParticipant } from '../../support/build/programs';
import { buildWorkspace } from '../../support/build/accounts';

const deps = useDeps();
let scope: Scope;
let tally: ClickTally;

beforeEach(async () => {
  const { id } = await buildWorkspace(deps.db.manager);
  scope = { workspaceId: id, mode: 'test' };
  tally = new ClickTally(deps.db.manager, deps.vault);
});

const at = (minute: number) => new Date(Date.UTC(2026, 0, 31, 23, minute));

const origins = () =>
  query<{ day: string; origin: string; clicks: number; lastSeenAt: Date }>(
    deps.db.manager,
    `SELECT day::text, origin, clicks, last_seen_at AS "lastSeenAt" FROM click_origins
      WHERE workspace_id = $1 ORDER BY day, origin`,
    [scope.workspaceId],
  );

const state = async () => {
  const [row] = await query<{ click: Date | null; ref: string | null; refAt: Date | null }>(
    deps.db.manager,
    `SELECT last_click_at AS click, unknown_ref AS ref, unknown_ref_at AS "refAt"
       FROM tracking_states WHERE workspace_id = $1 AND mode = $2`,
    [scope.workspaceId, scope.mode],
  );
  return row;
};

const page = 'https://shop.example/?ref=acme';

describe('what pages sent', () => {
  it('is counted by origin and UTC day, repeats only seen', async () => {
    tally.click(scope, { page, at: at(10), isNew: true });
    tally.click(scope, { page, at: at(20), isNew: false });
    tally.click(scope, { page: null, at: at(30), isNew: true });
    tally.click(scope, { page, at: at(70), isNew: true });
    await tally.flush();
    tally.click(scope, { page, at: at(15), isNew: true });
    await tally.flush();

    const origin = 'https://shop.example';
    expect(await origins()).toEqual([
      { day: '2026-01-31', origin, clicks: 2, lastSeenAt: at(20) },
      { day: '2026-02-01', origin, clicks: 1, lastSeenAt: at(70) },
    ]);
    // What another process writes late takes nothing back.
    expect(await state()).toEqual({ click: at(70), ref: null, refAt: null });
  });

  it('names the ref that led nowhere last', async () => {
    tally.unknownRef(scope, { ref: 'first', at: at(1) });
    tally.unknownRef(scope, { ref: `second${'x'.repeat(300)}`, at: at(2) });
    await tally.flush();
    const late = new ClickTally(deps.db.manager, deps.vault);
    late.unknownRef(scope, { ref: 'late', at: at(0) });
    await late.flush();

    expect(await state()).toMatchObject({ ref: `second${'x'.repeat(249)}`, refAt: at(2) });
  });

  it('names no code that an erased partner had', async () => {
    const { id } = await buildParticipant(deps.db.manager, { ...scope, referralCode: 'anna' });
    await execute(
      deps.db.manager,
      'UPDATE referral_tokens SET token_key = $2 WHERE participant_id = $1',
      [id, erasedTokenKey(deps.vault, scope, 'anna')],
    );
    tally.unknownRef(scope, { ref: 'nobody', at: at(1) });
    await tally.flush();
    tally.unknownRef(scope, { ref: 'Anna', at: at(2) });
    await tally.flush();

    expect(await state()).toMatchObject({ ref: 'nobody', refAt: at(1) });
  });

  it('fills neither memory nor table with made-up origins', async () => {
    for (let round = 0; round < 5; round += 1) {
      for (let index = 0; index < 100; index += 1) {
        const made = `https://${round}-${index}.example/`;
        tally.click(scope, { page: made, at: at(round), isNew: true });
      }
      await tally.flush();
    }
    expect(await origins()).toHaveLength(200);
    tally.click(scope, { page: 'https://0-0.example/', at: at(9), isNew: true });
    await tally.flush();
    expect((await origins()).find(({ origin }) => origin === 'https://0-0.example')?.clicks).toBe(
      2,
    );
  });

  it('is written by several processes at once without waiting in a circle', async () => {
    const scopes = Array.from({ length: 20 }, () => ({ ...scope, workspaceId: newId() }));
    const tallies = Array.from({ length: 6 }, () => new ClickTally(deps.db.manager, deps.vault));
    for (const [index, each] of tallies.entries()) {
      const order = index % 2 === 0 ? scopes : [...scopes].reverse();
      for (const one of order) each.click(one, { page, at: at(1), isNew: true });
    }
    await Promise.all(tallies.map((each) => each.flush()));

    const [sum] = await query<{ clicks: number }>(
      deps.db.manager,
      'SELECT sum(clicks)::bigint AS clicks FROM click_origins WHERE workspace_id = ANY ($1::uuid[])',
      [scopes.map(({ workspaceId }) => workspaceId)],
    );
    expect(sum?.clicks).toBe(120);
  });
});
