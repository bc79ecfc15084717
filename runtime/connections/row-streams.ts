import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { RateLimits } from '../config/config';
import type { Registry } from '../observe/metrics';
import { createExportPools, type ExportDatabases } from './export-pools';
import { AppError } from '../../entities/errors';
import { KeyedSemaphore } from '../load/keyed-semaphore';
import { rowsAtOnce } from '../../entities/database/sql';

export interface PageStatement {
  text: string;
  params: unknown[];
}

/** An export, as statements that each give a part of its rows. */
export interface PagedRows {
  /** Bounds the sum of the rows' sizes, which are read before the first of them. */
  size?: SizeBound;
  /**
   * A page of at most `limit` rows that follow the row of this key, null for the first ones. The
   * first column is the key, by which they are sorted.
   */
  page(after: string | null, limit: number): PageStatement;
  /** The first statement gives all there is: a few rows for each of many. */
  isWhole?: boolean;
  /** Where a page costs as much as all of them, few large ones; else small ones, read in no time. */
  pageSize?: number;
  /** What comes of a row of the statement; done when it is its turn to be written. */
  decode?(row: Row): unknown[];
}

interface SizeBound {
  /** Like the page of rows, with the size of a row in the second column. */
  page: PagedRows['page'];
  max: number;
  /** What is thrown beyond that. */
  refusal(): Error;
}

export type ExportConfig = ExportDatabases & { limits: Pick<RateLimits, 'exportsPerAccount'> };

/** A key counts as an account of its own; a partner has no workspace. */
export type Exporter = ({ accountId: string } | { apiKeyId: string }) & { workspaceId?: string };

export type RowStreams = ReturnType<typeof createRowStreams>;

/** The end of an export is seen a little later here than by its reader, who may ask for the next one. */
const maxWaitMs = 2_000;

/**
 * Exports read in short statements of their own connections: a reader however slow holds neither a
 * connection nor a snapshot, which would keep the database from cleaning up.
 */
export function createRowStreams(config: ExportConfig, metrics?: Registry) {
  const poolOf = createExportPools(config, {
    // Apart from those of all other requests: a statement at a time on each.
    connections: 2,
    ...(metrics && { metrics }),
  });
  const underWay = new KeyedSemaphore({
    // Each keeps two pages in memory.
    permits: 100,
    // Streams for the members of one workspace, or for all partners: anybody may have many accounts of these.
    permitsPerKey: 30,
    maxWaitingPerKey: 0,
    maxWaitMs,
    refusal: allAreBusy,
  });
  const ofAccounts = new KeyedSemaphore({
    permits: Infinity,
    // 0 is any number.
    permitsPerKey: config.limits.exportsPerAccount || Infinity,
    maxWaitingPerKey: 50,
    maxWaitMs,
    refusal: accountIsBusy,
  });

  return {
    /**
     * Rows as arrays, page by page: memory stays the same whatever their number, and nothing is read
     * that the reader does not take. Ends with the stream. RATE_LIMIT_EXCEEDED while the account has
     * as many exports under way as it may, SERVICE_UNAVAILABLE while its workspace or the process has.
     * `prepare` is called once the export may begin.
     */
    async open(
      exporter: Exporter,
      prepare: () => PagedRows | Promise<PagedRows>,
    ): Promise<Readable> {
      const { workspaceId = 'partners' } = exporter;
      const holder = 'apiKeyId' in exporter ? exporter.apiKeyId : exporter.accountId;
      const releases = [await ofAccounts.acquire(holder)];
      const end = (): void => releases.forEach((release) => release());
      try {
        releases.push(await underWay.acquire(workspaceId));
        const rows = await prepare();
        const read = readerOf(await poolOf());
        if (rows.size) await checkSize(read, rows, rows.size);
        const first = await read(rows.page(null, rows.pageSize ?? rowsAtOnce));
        const stream = Readable.from(rowsOf(pages({ read, rows }, first), rows), {
          objectMode: true,
        });
        return stream.once('close', end);
      } catch (error) {
        end();
        throw error;
      }
    },
  };
}

const retryLater = { headers: { 'Retry-After': '10' } };

function accountIsBusy(): Error {
  const message = 'An export of this account is under way. Wait for its end.';
  return new AppError('RATE_LIMIT_EXCEEDED', { message, ...retryLater });
}

function allAreBusy(): Error {
  return new AppError('SERVICE_UNAVAILABLE', retryLater);
}

type Row = (string | null)[];
type Read = (statement: PageStatement) => Promise<Row[]>;

function readerOf(pool: Pool): Read {
  return async ({ text, params }) =>
    (await pool.query<Row>({ text, values: params, rowMode: 'array' })).rows;
}

/** Sizes are read in pages as well: one statement over all rows would keep a processor for as long as it takes. */
async function checkSize(
  read: Read,
  rows: PagedRows,
  { page, max, refusal }: SizeBound,
): Promise<void> {
  let left = max;
  for await (const sizes of pages({ read, rows: { ...rows, page } })) {
    left -= sizes.reduce((sum, [, size]) => sum + Number(size), 0);
    if (left < 0) throw refusal();
  }
}

/** While the reader takes one page, the next one is read. */
async function* pages(
  { read, rows }: { read: Read; rows: PagedRows },
  first?: Row[],
): AsyncGenerator<Row[]> {
  const { pageSize = rowsAtOnce, isWhole = false } = rows;
  const readAfter = (page: Row[]): Promise<Row[]> | undefined => {
    const last = page.at(-1)?.[0];
    if (isWhole || page.length < pageSize || typeof last !== 'string') return undefined;
    const next = read(rows.page(last, pageSize));
    // It is awaited below, unless the reader has left by then.
    next.catch(() => undefined);
    return next;
  };
  let page: Row[] | undefined = first ?? (await read(rows.page(null, pageSize)));
  while (page) {
    const next = readAfter(page);
    yield page;
    page = await next;
  }
}

/** The rows of pages; others are served between two pages, however much their reader takes. */
async function* rowsOf(
  pages: AsyncGenerator<Row[]>,
  { decode }: PagedRows,
): AsyncGenerator<unknown[]> {
  let written = 0;
  for await (const page of pages) {
    for (const row of page) {
      yield decode ? decode(row) : row;
      written += 1;
      if (written % rowsAtOnce === 0) await nextTurn();
    }
  }
}
