/** What became of one item of a shared commit: its record, or why there is none. */
export type Outcome<Record> = { record: Record } | { error: unknown };

/** The record, or the refusal as a throw. */
export function recordOf<Record>(outcome: Outcome<Record> | undefined): Record {
  if (!outcome) throw new Error('an item without an outcome');
  if ('error' in outcome) throw outcome.error;
  return outcome.record;
}
