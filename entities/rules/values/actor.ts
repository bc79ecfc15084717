import type { OperatorNote } from './operator-note';

export const actorTypes = [
  'member',
  'partner',
  'operator',
  'api_key',
  'system',
  'processor',
] as const;

/** Who caused a change. `id` is the account or key; null for operators, the system and processors. */
export interface Actor {
  type: (typeof actorTypes)[number];
  id: string | null;
  /** Who of the operators acts, and why. It stands in the audit log only. */
  note?: OperatorNote;
}

export const systemActor: Actor = { type: 'system', id: null };
export const processorActor: Actor = { type: 'processor', id: null };
export const operatorActor: Actor = { type: 'operator', id: null };
