import { Readable } from 'node:stream';
import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { RateLimits } from '../process/config';
import type { Registry } from '../process/metrics';
import { createExportPools, type ExportDatabases } from './export-pools';
import { createExportEntry } from './export-entry';
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

export type ExportConfig = ExportDatabases & { limits: Pick<RateLimits, 'exportsPerAccount'> };

export interface RowStreams {
  /**
   * Rows as arrays, page by page: memory stays the same whatever their number, and nothing is read
   * that the reader does not take. Ends with the stream. RATE_LIMIT_EXCEEDED while the account has
   * as many exports under way as it may.
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

/**
 * Exports read in short statements of their own connections, shared fairly among workspaces: a
 * reader however slow holds neither a connection nor a snapshot, which would keep the database from
 * cleaning up.
 */
export function createRowStreams(config: ExportConfig, metrics?: Registry): RowStreams {
  const poolOf = createExportPools(config, { connections, ...(metrics && { metrics }) });
  const places = createFairPlaces(placeBounds);
  const enter = createExportEntry(config.limits.exportsPerAccount);

  return {
    async open(exporter, rows) {
      const { accountId } = exporter;
      const leave = await enter(accountId);
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
