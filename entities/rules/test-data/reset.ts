import type { Moves } from '../values/moves';

export type ResetStatus = 'queued' | 'running' | 'completed' | 'failed';

/** Test data of a workspace; or all of one that was closed. */
export type ResetScope = 'test_data' | 'workspace';

export const resetTriggers = ['begin', 'complete', 'fail'] as const;
export type ResetTrigger = (typeof resetTriggers)[number];

/** Every move there is. */
export const resetMoves: Moves<ResetStatus, ResetTrigger> = {
  queued: { begin: ['running'], fail: ['failed'] },
  running: { complete: ['completed'], fail: ['failed'] },
  completed: {},
  failed: {},
};
