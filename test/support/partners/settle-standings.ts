import { relayHandlers } from '../../../workers/relay/handlers';
import type { TestApp } from '../app';
import { relayOnce } from '../workers/relay-once';

/** Events lead to partners to look at, those to moves and bonuses, and these to further events. */
export async function settleStandings(app: TestApp): Promise<void> {
  const handlers = relayHandlers(app.deps);
  for (let round = 0; round < 2; round += 1) {
    await relayOnce(app.deps, 'event_notices', handlers.event_notices);
    for (let turn = 0; turn < 3; turn += 1) {
      await relayOnce(app.deps, 'standing', handlers.standing);
    }
  }
}
