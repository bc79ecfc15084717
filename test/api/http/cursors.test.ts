import fc from 'fast-check';
import { classSchema } from '../../../api/http/contract/openapi';
import { newId } from '../../../entities/ids';
import { useApp } from '../../support/app';
import { connectAsOwner } from '../../support/database';
import { buildParticipant, buildProgram } from '../../support/build/programs';
import { pick, timeOf, type Json, type ListRows, type Setting } from '../../support/lists/copies';
import { statementEntries } from '../../support/lists/books';
import {
  callerOf,
  envelopes,
  hasField,
  lists,
  pathOf,
  sizeOf,
  type Operation,
} from '../../support/lists/operations';
import { listRows } from '../../support/lists/rows';
import { buildWorld, type World } from '../../support/world';

interface Envelope {
  data: Json[];
  total: number;
  page: number;
  nextCursor: string | null;
}

const mode = 'test';

// The connection ends before the suite's database goes.
afterAll(() => setting.db.end());
const app = useApp();
let world: World;
let setting: Setting;

beforeAll(async () => {
  world = await buildWorld(app, { mode });
  const { workspaceId, programId } = world;
  const db = await connectAsOwner(app.deps.config.databaseUrl);
  setting = { db, vault: app.deps.vault, world };
  const other = await buildProgram(app.deps.db.manager, { workspaceId, mode });
  for (const partnerName of ['Ava', 'Ava', 'Zoë']) {
    await buildParticipant(app.deps.db.manager, { program: other, partnerName });
  }
  // What the world has none of.
  await db.query(
    `INSERT INTO erasure_receipts
       (id, kind, workspace_id, mode, program_id, participant_id, erased_at)
     VALUES ($1, 'participant', $2, $3, $4, $1, now())`,
    [newId(), workspaceId, mode, programId],
  );
  await db.query(
    `INSERT INTO conversion_refunds
       (id, workspace_id, mode, conversion_id, external_refund_id, amount_cents, created_at)
     VALUES ($1, $2, $3, $4, 'first', 1, now())`,
    [newId(), workspaceId, mode, world.id('conversionId', '/:conversionId')],
  );
  await db.query(
    `UPDATE mails SET status = 'suppressed', subject = 'A mail', recipient = 'pat@example.com' WHERE workspace_id = $1`,
    [workspaceId],
  );
  await statementEntries.make(setting, { n: 0, at: new Date().toISOString(), source: {} });
}, 60_000);

/** Each way in which a list can be sorted. */
function ordersOf({ spec }: Operation): string[] {
  const properties = classSchema(spec.query as new () => object)['properties'] as Json;
  const valuesOf = (name: string): string[] =>
    ((properties[name] as { enum?: string[] } | undefined)?.enum ?? []).map(
      (value) => `&${name}=${value}`,
    );
  const keys = [...valuesOf('sortBy'), ...valuesOf('sort')];
  const directions = [...valuesOf('sortOrder'), ...valuesOf('order')];
  if (keys.length === 0) return [''];
  return keys.flatMap((key) => directions.map((direction) => key + direction));
}

/** Half an hour ago: nothing that the world made has the time of a copy. */
const start = new Date(Date.now() - 1_800_000);
let made = 0;

/** Some copies came long before the others, so that what is made meanwhile stands anywhere. */
function makeOne(rows: ListRows, source: Json): Promise<string> {
  made += 1;
  const n = made % 2 === 0 ? made : made + 10_000;
  return rows.make(setting, { n, at: timeOf(n, start), source });
}

async function read(operation: Operation, query: string): Promise<Envelope> {
  const answer = await callerOf(app, world, operation, mode).get<Envelope & Json>(
    pathOf(world, operation) + query,
  );
  expect([operation.name, query, answer.status, answer.body['details']]).toEqual([
    operation.name,
    query,
    200,
    undefined,
  ]);
  return answer.body;
}

async function readByPages(operation: Operation, order: string): Promise<Json[]> {
  const rows: Json[] = [];
  for (let page = 1; ; page += 1) {
    const query = `${order}&${sizeOf(operation)}=100&page=${page}`;
    const { data } = await read(operation, query);
    rows.push(...data);
    if (data.length < 100) return rows;
  }
}

type Event = 'made' | 'changed' | 'removed' | 'its row removed';
interface Step {
  limit: number;
  events: Event[];
  at: number;
}

interface Reading {
  operation: Operation;
  rows: ListRows;
  source: Json;
  order: string;
  /** Copies that are there. */
  copies: Set<string>;
  changed: Set<string>;
}

const leastRows = 14;

async function begin(operation: Operation, order: string): Promise<Reading & { before: string[] }> {
  const rows = listRows[operation.name];
  if (!rows) throw new Error(`no rows are known for ${operation.name}`);
  const found = await readByPages(operation, order);
  const [source] = found;
  if (!source) throw new Error(`the world has nothing for ${operation.name}`);
  const copies = new Set<string>();
  for (let n = found.length; n < leastRows || copies.size < 6; n += 1)
    copies.add(await makeOne(rows, source));
  const before = (await readByPages(operation, order)).map(rows.keyOf);
  return { operation, rows, source, order, copies, changed: new Set(), before };
}

async function happen(reading: Reading, event: Event, { at, last }: { at: number; last: Json }) {
  const { rows, copies } = reading;
  const lastKey = rows.keyOf(last);
  const key = event === 'its row removed' ? lastKey : pick([...copies, lastKey], at);
  if (event === 'made') {
    copies.add(await makeOne(rows, reading.source));
  } else if (event === 'changed') {
    reading.changed.add(key);
    await rows.change?.(setting, key);
  } else if (copies.delete(key)) {
    await rows.remove?.(setting, key);
  }
}

async function readByCursors(reading: Reading, steps: readonly Step[]): Promise<string[]> {
  const { operation, rows, order } = reading;
  const met: string[] = [];
  let cursor = '';
  for (let n = 0; ; n += 1) {
    const { limit, events, at } = pick(steps, n);
    const page = await read(operation, `${order}&${sizeOf(operation)}=${limit}${cursor}`);
    met.push(...page.data.map(rows.keyOf));
    expect(page.page).toBe(1);
    if (!rows.isUncounted) expect(page.total).toBeGreaterThanOrEqual(page.data.length);
    const last = page.data.at(-1);
    if (page.nextCursor === null || !last) return met;
    // Twelve pages have events: with more of them a reader of small pages would never be done.
    for (const event of n < 12 ? events : []) await happen(reading, event, { at: at + n, last });
    cursor = `&cursor=${encodeURIComponent(page.nextCursor)}`;
  }
}

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    limit: fc.integer({ min: 1, max: 4 }),
    events: fc.array(fc.constantFrom<Event>('made', 'changed', 'removed', 'its row removed'), {
      minLength: 1,
      maxLength: 3,
    }),
    at: fc.nat(50),
  }),
  { minLength: 4, maxLength: 8 },
);

it('every envelope of a list has the next cursor, and every list takes it', () => {
  const lacking = envelopes.filter(
    ({ spec }) => !hasField(spec.responses[200]?.type, 'nextCursor'),
  );
  expect(lacking.map(({ name }) => name)).toEqual([]);
  expect(lists.filter(({ spec }) => !hasField(spec.query, 'cursor'))).toEqual([]);
  expect(lists.map(({ name }) => name).sort()).toEqual(Object.keys(listRows).sort());
});

const refused = async (operation: Operation, query: string): Promise<unknown> => {
  const answer = await callerOf(app, world, operation, mode).get(pathOf(world, operation) + query);
  return [answer.status, answer.body['details']];
};
const wrong = (field: string) => [400, [{ field, message: expect.any(String) }]];

describe('a list that is read while rows come, change and go', () => {
  const cases = lists.flatMap((operation) =>
    ordersOf(operation).map((order) => [operation.name, order, operation] as const),
  );

  it.each(cases)(
    '%s%s: each row that stays is met once, in its place',
    async (_, order, operation) => {
      await fc.assert(
        fc.asyncProperty(steps, async (script) => {
          const { before, ...reading } = await begin(operation, order);
          const met = await readByCursors(reading, script);
          const after = (await readByPages(operation, order)).map(reading.rows.keyOf);
          const isMoved = (key: string): boolean => order !== '' && reading.changed.has(key);
          const stayed = before.filter((key) => after.includes(key) && !isMoved(key));
          expect(met.filter((key) => stayed.includes(key))).toEqual(stayed);
          const others = met.filter((key) => !isMoved(key));
          expect(new Set(others).size).toBe(others.length);
        }),
        { numRuns: 1, endOnFailure: true },
      );
    },
  );
});

describe('a cursor', () => {
  const cursorOf = async (operation: Operation, query = ''): Promise<string> => {
    const { nextCursor } = await read(operation, `${query}&${sizeOf(operation)}=1`);
    return `&cursor=${encodeURIComponent(nextCursor ?? '')}`;
  };

  it.each(lists.map((operation, n) => [operation.name, operation, n] as const))(
    'of %s is good for it alone, and without a page',
    async (_, operation, n) => {
      const cursor = await cursorOf(operation);
      expect((await read(operation, `${cursor}&${sizeOf(operation)}=2`)).data).toHaveLength(2);
      expect(await refused(operation, `${cursor}&page=1`)).toEqual(wrong('page'));
      expect(await refused(pick(lists, n + 1), cursor)).toEqual(wrong('cursor'));
      expect(await refused(operation, `${cursor.slice(0, -1)}`)).toEqual(wrong('cursor'));
      expect(await refused(operation, '&cursor=')).toEqual(wrong('cursor'));
    },
  );

  const named = (name: string): Operation => {
    const found = lists.find((operation) => operation.name === name);
    if (!found) throw new Error(`no list is called ${name}`);
    return found;
  };

  it('belongs to filters, order, mode and workspace', async () => {
    const list = named('listAllCommissions');
    const cursor = await cursorOf(list, '&sortBy=partnerName');
    expect(await refused(list, `${cursor}&sortBy=partnerName&sortOrder=asc`)).toEqual(
      wrong('cursor'),
    );
    expect(await refused(list, cursor)).toEqual(wrong('cursor'));
    expect(await refused(list, `${cursor}&sortBy=partnerName&status=paid`)).toEqual(
      wrong('cursor'),
    );
    // What is the default changes nothing.
    await read(list, `${cursor}&sortBy=partnerName&sortOrder=desc&limit=3`);

    const url = `${list.path}?sortBy=partnerName${cursor}`;
    const live = await app.client.as(world.owner.token, 'live').get(url);
    const elsewhere = await buildWorld(app, { mode });
    const theirs = await app.client.as(elsewhere.owner.token, mode).get(url);
    for (const { status, body } of [live, theirs]) {
      expect([status, body['details']]).toEqual(wrong('cursor'));
    }
    const member = await app.client.as(world.members.viewer, mode).get(url);
    expect(member.status).toBe(200);
  });

  it('shows no name, and is the same for a list that stands still', async () => {
    const list = named('listParticipants');
    const cursor = await cursorOf(list, '&sortBy=partnerName');
    const { data } = await read(list, '&sortBy=partnerName&limit=1');
    const inside = Buffer.from(decodeURIComponent(cursor), 'base64url').toString('latin1');
    expect(inside).not.toContain(String(data[0]?.['partnerName']));
    expect(await cursorOf(list, '&sortBy=partnerName')).toBe(cursor);
  });
});
