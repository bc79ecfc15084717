import { createHash } from 'node:crypto';
import { execute, queryOne, transaction, type Tx } from '../../entities/database/sql';
import type { Json } from '../../entities/rules/billing/json';
import { importKinds, type ImportKind } from '../../entities/rules/imports/kinds';
import type { ImportPlace, ImportProgress } from '../../entities/rules/imports/place';
import {
  afterPage,
  firstSourcePlace,
  waitFor,
  type SourcePlace,
} from '../../entities/rules/imports/source-place';
import type { Import } from '../../entities/tables/imports/import.entity';
import { accessOf } from './access';
import { ImportFailure, fail, type Stores } from './check';
import { holdForWork, keepPlace } from './imports';
import { askSource, type Asked, type SourceStores } from './sources/ask';
import { freshOf, type ToldObject } from './sources/fresh';
import { isWanted, type SourceApi, type SourceList } from './sources/source';
import { cellAt } from './sources/told';
import { sources } from './sources/sources';
import { stageRows } from './stage';

export type ReadStores = Stores & SourceStores;

/** Lists of a source by API, when it is one whose pages are to be read next. */
export function apiOf({ source }: Pick<Import, 'source'>): SourceApi | null {
  return sources[source].api;
}

/**
 * The next page: asked for outside of any transaction, then kept with the place behind it. How long to wait
 * before the next, in milliseconds.
 */
export async function readPage(
  stores: ReadStores,
  { held, place, now }: { held: Import; place: ImportPlace; now: Date },
): Promise<number> {
  const api = apiOf(held);
  const { source } = held;
  if (!api || source === 'csv') throw new Error('a source without an API');
  const at = place.source ?? firstSourcePlace;
  const left = at.wait === null ? 0 : Date.parse(at.wait.until) - now.getTime();
  if (left > 0) return left;
  const list = api.lists[at.list];
  const access = accessOf(stores, held);
  const path = list?.path({ cursor: at.cursor, only: held.onlyCampaigns });
  const asked: Asked | null =
    path === undefined
      ? null
      : access === null
        ? { kind: 'rejected' }
        : await askSource(stores, { source, api }, { access, path });
  return transaction(stores.db, async (tx) => {
    const current = await holdForWork(tx, held);
    // Whoever else has read the page was faster.
    if (!current || JSON.stringify(current.place) !== JSON.stringify(held.place)) return 0;
    if (!list || asked === null) return endReading(tx, current, at);
    return takeAnswer({ tx, stores, held: current, now }, { list, at, asked, place });
  });
}

interface Work {
  tx: Tx;
  stores: ReadStores;
  held: Import;
  now: Date;
}

interface Came {
  list: SourceList;
  at: SourcePlace;
  asked: Asked;
  place: ImportPlace;
}

async function takeAnswer(work: Work, { list, at, asked, place }: Came): Promise<number> {
  const { tx, held, now } = work;
  const failed = (why: string): Promise<number> =>
    give(work, new ImportFailure('IMPORT_SOURCE_FAILED', `${list.name}: ${why}.`));
  switch (asked.kind) {
    case 'rejected':
      await execute(tx, 'UPDATE imports SET credentials_encrypted = NULL WHERE id = $1', [held.id]);
      return give(
        work,
        new ImportFailure('IMPORT_KEY_REJECTED', 'The source does not accept the key.'),
      );
    case 'odd':
      return failed(asked.why);
    case 'later': {
      const wait = waitFor(at.wait, asked, now);
      if (!wait) return failed('it does not answer, or asks to wait longer than half an hour');
      const { progress } = held;
      await keepPlace(tx, held.id, { place: { ...place, source: { ...at, wait } }, progress });
      return Date.parse(wait.until) - now.getTime();
    }
    case 'answer': {
      const next = await takePage(work, { list, at, body: asked.body });
      if ('failure' in next) return failed(next.failure);
      const progress = progressOf(held, { at, next });
      await keepPlace(tx, held.id, { place: { ...place, source: next.source }, progress });
      return 0;
    }
  }
}

function progressOf(
  held: Import,
  { at, next: { source, total } }: { at: SourcePlace; next: PageTaken },
): ImportProgress {
  const step = apiOf(held)?.lists[source.list]?.name ?? 'judge';
  return source.list === at.list
    ? { step, done: source.read, total }
    : { step, done: 0, total: null };
}

interface PageTaken {
  source: SourcePlace;
  total: number | null;
}

async function give({ tx, held, now }: Work, failure: ImportFailure): Promise<number> {
  await fail(tx, held, { failure, now });
  return 0;
}

async function takePage(
  work: Work,
  { list, at, body }: { list: SourceList; at: SourcePlace; body: unknown },
): Promise<PageTaken | { failure: string }> {
  const { held } = work;
  const page = list.page(body, at.cursor);
  if (!page) return { failure: 'it answers something else than this list' };
  const { objects, next, total } = page;
  const told = objects.map((object): ToldObject => {
    const isOurs = isWanted(list, object, held.onlyCampaigns);
    return { object, rows: isOurs ? list.rows(object, { statuses: held.statuses }) : [] };
  });
  const fresh = await freshOf(work, told, at.pass);
  await stageObjects(work, list, fresh);
  const terms = termsOf(list, told, held);
  const place = { ...at, terms: terms.length > 0 ? [...(at.terms ?? []), ...terms] : at.terms };
  const came = { fresh: fresh.length, objects: objects.length, next, total, hash: hashOf(objects) };
  const after = afterPage(place, came);
  return 'failure' in after ? after : { source: after, total };
}

const mostTerms = 50;

function termsOf(list: SourceList, told: readonly ToldObject[], held: Import) {
  const wanted = told.filter(({ object }) => isWanted(list, object, held.onlyCampaigns));
  return wanted.slice(0, mostTerms).flatMap(({ object }) => list.terms?.(object) ?? []);
}

function hashOf(objects: readonly Json[]): string {
  const ids = objects.map((object) => cellAt(object, 'id'));
  return createHash('sha256').update(JSON.stringify(ids)).digest('base64').slice(0, 22);
}

/** Their rows, kind by kind, each behind the last of its kind. */
async function stageObjects(
  { tx, stores, held }: Work,
  { name }: SourceList,
  objects: readonly ToldObject[],
): Promise<void> {
  const { currency, statuses } = held;
  const idPrefix = apiOf(held)?.idPrefix ?? null;
  const stage = { tx, vault: stores.vault, held, reading: { currency, statuses, idPrefix } };
  const numbered = objects.flatMap(({ rows }, index) =>
    rows.map((row) => ({ row, line: index + 1 })),
  );
  for (const kind of importKinds) {
    const own = numbered.filter(({ row }) => row.kind === kind);
    if (own.length === 0) continue;
    const rows = own.map(({ row: { cells, problem }, line }) => ({ line, cells, problem }));
    await stageRows(stage, { kind, file: name, rows }, await lastOf(tx, held.id, kind));
  }
}

async function lastOf(tx: Tx, importId: string, kind: ImportKind): Promise<number> {
  const row = await queryOne<{ n: number }>(
    tx,
    'SELECT n FROM import_rows WHERE import_id = $1 AND kind = $2 ORDER BY n DESC LIMIT 1',
    [importId, kind],
  );
  return row?.n ?? 0;
}

/** All lists are read: their rows are judged next. */
async function endReading(tx: Tx, held: Import, { terms }: SourcePlace): Promise<number> {
  const place = { ...firstJudged, source: { ...firstSourcePlace, terms } };
  await keepPlace(tx, held.id, { place, progress: { step: 'judge', done: 0, total: null } });
  return 0;
}

const firstJudged: ImportPlace = {
  step: 2,
  kind: importKinds[0],
  part: 0,
  chunk: 0,
  after: 0,
  cursor: null,
};
