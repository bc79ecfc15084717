import { Readable } from 'node:stream';
import { setImmediate as letOthersRun, setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';
import { AppError } from '../../../entities/errors';
import type { Registry } from '../process/metrics';
import { createExportPools, type ExportDatabases } from './export-pools';
import { createFairPlaces, type FairPlaces } from '../batching/fair-places';

export interface Statement {
  text: string;
  params: unknown[];
}

/** An export, as statements that each give a part of its rows. */
export interface PagedRows {
  /**
   * At most `limit` rows that follow the row of this key, null for the first ones. The first column
   * is the key, by which they are sorted.
   */
  page(after: string | null, limit: number): Statement;
  /** The first statement gives all there is: a few rows for each of many. */
  isWhole?: boolean;
}

export interface Exporter {
  workspaceId: string;
  accountId: string;
}

export interface RowStreams {
  /**
   * Rows as arrays, page by page: memory stays the same whatever their number, and nothing is read
   * that the reader does not take. Ends with the stream. RATE_LIMIT_EXCEEDED while the account has
   * an export under way.
   */
  open(exporter: Exporter, rows: PagedRows): Promise<Readable>;
}

const pageSize = 4_000;
/** Then other requests are served. */
const rowsAtATime = 100;

/** Connections of exports, apart from those of all other requests. */
const connections = 4;
const placeBounds = {
  places: connections,
  perOwner: 2,
  waitingPerOwner: 50,
  waitingInAll: 500,
  patienceMs: 20_000,
  retryAfterSeconds: 10,
};

/** Each keeps two pages in memory. */
const mostUnderWay = 100;

/**
 * Exports read in short statements of their own connections, shared fairly among workspaces: a
 * reader however slow holds neither a connection nor a snapshot, which would keep the database from
 * cleaning up.
 */
export function createRowStreams(databases: ExportDatabases, metrics?: Registry): RowStreams {
  const poolOf = createExportPools(databases, { connections, ...(metrics && { metrics }) });
  const places = createFairPlaces(placeBounds);
  const underWay = new Map<string, Promise<void>>();

  return {
    async open(exporter, rows) {
      const { accountId } = exporter;
      const leave = await enter(underWay, accountId);
      try {
        const read = readerOf(await poolOf(), places, exporter);
        const first = await read(rows.page(null, pageSize));
        const stream = Readable.from(pages(first, { read, rows }), { objectMode: true });
        return stream.once('close', leave);
      } catch (error) {
        leave();
        throw error;
      }
    },
  };
}

/** The end of an export is seen a little later here than by its reader, who may ask for the next one. */
const entryPatienceMs = 2_000;

/** Waits a moment for the account's export before; returns what ends the new one. */
async function enter(underWay: Map<string, Promise<void>>, accountId: string): Promise<() => void> {
  const until = performance.now() + entryPatienceMs;
  for (let last = underWay.get(accountId); last; last = underWay.get(accountId)) {
    const left = until - performance.now();
    if (left <= 0) refuseSecond();
    await Promise.race([last, pause(left)]);
  }
  if (underWay.size >= mostUnderWay) {
    throw new AppError('SERVICE_UNAVAILABLE', { headers: { 'Retry-After': '10' } });
  }
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  underWay.set(accountId, ended);
  return () => {
    underWay.delete(accountId);
    end();
  };
}

function refuseSecond(): never {
  throw new AppError('RATE_LIMIT_EXCEEDED', {
    message: 'An export of this account is under way. Wait for its end.',
    headers: { 'Retry-After': '10' },
  });
}

type Row = (string | null)[];
type Read = (statement: Statement) => Promise<Row[]>;

function readerOf(pool: Pool, places: FairPlaces, { workspaceId }: Exporter): Read {
  return ({ text, params }) =>
    places.run(workspaceId, async () => {
      const { rows } = await pool.query<Row>({ text, values: params, rowMode: 'array' });
      return rows;
    });
}

/** While the reader takes one page, the next one is read. */
async function* pages(
  first: Row[],
  { read, rows }: { read: Read; rows: PagedRows },
): AsyncGenerator<Row> {
  const readAfter = (page: Row[]): Promise<Row[]> | undefined => {
    const last = page.at(-1)?.[0];
    if (rows.isWhole || page.length < pageSize || typeof last !== 'string') return undefined;
    const next = read(rows.page(last, pageSize));
    // It is awaited below, unless the reader has left by then.
    next.catch(() => undefined);
    return next;
  };
  for (let page: Row[] | undefined = first; page;) {
    const next = readAfter(page);
    for (let first = 0; first < page.length; first += rowsAtATime) {
      yield* page.slice(first, first + rowsAtATime);
      // As long as its reader's buffers have room, a page would else be written in one go.
      await letOthersRun();
    }
    page = await next;
  }
}
