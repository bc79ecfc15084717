import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { movingSql } from '../../entities/database/moving';
import {
  stripeEventMoves,
  stripeEventStatuses,
  type StripeEventTrigger,
} from '../../entities/rules/billing/event-status';
import { sourcesOf, targetsOf, type Moves } from '../../entities/rules/values/moves';
import {
  deliveryMoves,
  deliveryStatuses,
  type DeliveryTrigger,
} from '../../entities/rules/webhooks/delivery-status';

const root = path.join(__dirname, '..', '..');
const sources = ['activities', 'api', 'entities', 'runtime', 'stack', 'workers']
  .flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
      path.join(root, folder, file),
    ),
  )
  .filter((file) => file.endsWith('.ts') && !file.includes(`${path.sep}migrations${path.sep}`))
  .map((file) => readFileSync(file, 'utf8'));

/** The texts of SQL that change rows of a table, from the table's name to the end of the text. */
function changesOf(table: string): string[] {
  return sources.flatMap((source) => {
    const updates = source.matchAll(new RegExp(`UPDATE ${table}\\b([^\`]*)\``, 'g'));
    const upserts = source.matchAll(
      new RegExp(`INSERT INTO ${table}\\b[^\`]*?DO UPDATE([^\`]*)\``, 'g'),
    );
    return [...updates, ...upserts].map(([, text = '']) => text);
  });
}

const tables = [
  { table: 'webhook_deliveries', moves: deliveryMoves, statuses: deliveryStatuses },
  { table: 'stripe_events', moves: stripeEventMoves, statuses: stripeEventStatuses },
] as { table: string; moves: Moves<string, string>; statuses: readonly string[] }[];

describe.each(tables)('the moves of $table', ({ table, moves, statuses }) => {
  const triggers = [...new Set(statuses.flatMap((status) => Object.keys(moves[status] ?? {})))];

  it('know every status', () => {
    expect(Object.keys(moves).sort()).toEqual([...statuses].sort());
    const targets = triggers.flatMap((trigger) => targetsOf(moves, trigger));
    expect(statuses).toEqual(expect.arrayContaining(targets));
  });

  it('give each trigger the same targets from wherever it leaves', () => {
    for (const trigger of triggers) {
      const lists = sourcesOf(moves, trigger).map((status) => moves[status]?.[trigger]);
      for (const list of lists) expect(list).toEqual(targetsOf(moves, trigger));
    }
  });

  it('refuse every move that they do not hold', () => {
    for (const trigger of triggers) {
      const allowed = targetsOf(moves, trigger);
      for (const to of statuses) {
        const make = () => movingSql(moves, { trigger, to, of: 'd' });
        if (allowed.includes(to)) expect(make().set).toBe(`status = '${to}'`);
        else expect(make).toThrow('no move to');
      }
    }
  });

  it('stand behind every change of a status in the code', () => {
    const changes = changesOf(table);
    // Triggers that set the same columns share a statement.
    expect(changes.length).toBeGreaterThan(triggers.length / 2);
    const moving = changes.filter((text) => /\.set\}/.test(text));
    for (const text of moving) {
      const [, name = ''] = /\$\{([\w.]+)\.set\}/.exec(text) ?? [];
      // Either the same statement or the one that picks its rows holds the condition.
      expect(sources.some((source) => source.includes(`\${${name}.where}`))).toBe(true);
    }
    const byHand = changes.filter((text) => /\bSET\b(?:(?!\bWHERE\b)[^])*\bstatus\s*=/.test(text));
    expect(byHand).toEqual([]);
  });

  it('are all made somewhere', () => {
    const code = sources.join('\n');
    for (const trigger of triggers) {
      expect(code).toMatch(new RegExp(`movingSql\\([^)]*trigger: '${trigger}'`));
    }
  });
});

describe('movingSql', () => {
  it('binds a status that is not known yet to those that the trigger leads to', () => {
    const attempt: DeliveryTrigger = 'attempt';
    expect(
      movingSql(deliveryMoves, { trigger: attempt, to: { sql: 'r.status' }, of: 'd' }),
    ).toEqual({
      set: 'status = r.status',
      where:
        `d.status IN ('pending', 'retrying') ` +
        `AND r.status IN ('succeeded', 'retrying', 'dead_letter', 'cancelled')`,
    });
  });

  it('leaves rows alone that the trigger does not move', () => {
    const release: StripeEventTrigger = 'settle';
    const { where } = movingSql(stripeEventMoves, { trigger: release, to: 'processed', of: 'e' });
    expect(where).toBe(`e.status IN ('ignored', 'waiting')`);
  });
});
