import type { Moves } from '../values/moves';

export const importStatuses = [
  'draft',
  'reading',
  'checked',
  'applying',
  'applied',
  'undoing',
  'undone',
  'stopped',
  'cancelled',
  'failed',
] as const;
export type ImportStatus = (typeof importStatuses)[number];

export const importTriggers = [
  'edit',
  'read',
  'check',
  'fail',
  'cancel',
  'apply',
  'book',
  'stop',
  'expire',
  'undo',
  'take_back',
] as const;
export type ImportTrigger = (typeof importTriggers)[number];

/**
 * Every move there is. `check` ends a reading, `book` the applying and `take_back` the undoing; a stop
 * lies between two batches, and is applied on or undone; what nobody went on with stays as far as it came.
 */
export const importMoves: Moves<ImportStatus, ImportTrigger> = {
  draft: { edit: ['draft'], read: ['reading'], cancel: ['cancelled'] },
  reading: { check: ['checked'], fail: ['failed'], cancel: ['cancelled'] },
  checked: { edit: ['draft'], read: ['reading'], apply: ['applying'], cancel: ['cancelled'] },
  applying: { book: ['applied'], stop: ['stopped'] },
  applied: { undo: ['undoing'] },
  undoing: { take_back: ['undone'] },
  undone: {},
  stopped: { apply: ['applying'], expire: ['applied'], undo: ['undoing'] },
  cancelled: {},
  failed: { edit: ['draft'], read: ['reading'], cancel: ['cancelled'] },
};

/** Whether the trigger leads somewhere from here. */
export function mayMove(status: ImportStatus, trigger: ImportTrigger): boolean {
  return importMoves[status][trigger] !== undefined;
}

/** The statuses after which nothing is left of what was read: another import of the programme may begin. */
export const endedStatuses = [
  'applied',
  'undone',
  'cancelled',
] as const satisfies readonly ImportStatus[];

/** The statuses in which a workflow works. */
export const busyStatuses = [
  'reading',
  'applying',
  'undoing',
] as const satisfies readonly ImportStatus[];

export function isBusy(status: ImportStatus): boolean {
  return busyStatuses.some((busy) => busy === status);
}

/** The days in which an applied import can be undone, and for which what was read of an open one is kept. */
export const importKeptDays = 30;

/** The hours in which what was checked may be applied. */
export const checkHoldsHours = 24;
