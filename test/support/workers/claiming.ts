import {
  claimDue,
  type ClaimCommand,
  type Claims,
} from '../../../activities/webhooks/delivery/claim';
import type { TestDeps } from '../app';

/** Claims as a dispatcher with nothing under way does. */
export const claimSome = (
  deps: Pick<TestDeps, 'db'>,
  overrides: Partial<ClaimCommand> = {},
): Promise<Claims> =>
  claimDue(deps.db.manager, {
    now: new Date(Date.now() + 60_000),
    held: [],
    breakerFailures: 5,
    afterEndpointId: null,
    roomOf: new Map(),
    room: 100,
    limit: 100,
    ...overrides,
  });
