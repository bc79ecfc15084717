import { foldCommissionCounts } from '../../../activities/commissions/day-counts';
import { commissionSortKeys } from '../../../api/commissions/commission-filter.dto';
import type {
  CommissionFilter,
  CommissionSortKey,
} from '../../../api/commissions/commission-filter.dto';
import { listCommissions } from '../../../api/commissions/commission-list.queries';
import { seedCommissions, seedProgram } from '../../../bench/support/commission-world';
import type { CommissionWorld } from '../../../bench/support/commission-world';
import type { Db } from '../../../entities/database/sql';
import { query } from '../../../entities/database/sql';
import { buildWorkspace } from '../../support/build/accounts';
import { useDatabase } from '../../support/data-source';

const database = useDatabase();
let db: Db;
let worlds: CommissionWorld[];

/** The number of commissions is more than a page walks over: shorter ways to deep pages are taken. */
const count = 5_000;

beforeAll(async () => {
  db = database.source.manager;
  const { id } = await buildWorkspace(db);
  const one = await seedProgram(db, id, 7);
  const two = await seedProgram(db, id, 3);
  await seedCommissions(db, one, { count });
  await seedCommissions(db, two, { count: 300 });
  await foldCommissionCounts(db);
  worlds = [one, two];
}, 60_000);

const columns: Record<CommissionSortKey, string> = {
  createdAt: 'c.created_at',
  amountCents: 'c.amount_cents',
  status: 'c.status',
  commissionType: 'c.commission_type',
  needsReview: 'c.needs_review',
  partnerName: 'p.partner_name',
};

async function inOrder(
  programIds: string[],
  window: { sortBy: CommissionSortKey; sortOrder: 'asc' | 'desc' },
  where = 'true',
): Promise<string[]> {
  const { sortBy, sortOrder } = window;
  const rows = await query<{ id: string }>(
    db,
    `SELECT c.id FROM commissions AS c JOIN participants AS p ON p.id = c.participant_id
      WHERE c.program_id = ANY($1) AND ${where}
      ORDER BY ${columns[sortBy]} ${sortOrder}, c.id ${sortOrder}`,
    [programIds],
  );
  return rows.map((row) => row.id);
}

async function pageIds(
  programIds: string[],
  window: { sortBy: CommissionSortKey; sortOrder: 'asc' | 'desc'; page: number },
  filter: CommissionFilter = {},
): Promise<string[]> {
  const [world] = worlds;
  const scope = { workspaceId: world?.workspaceId ?? '', mode: 'live' as const };
  const page = await listCommissions(db, { scope, programIds, filter }, { ...window, limit: 100 });
  return page.rows.map((row) => row.id);
}

describe('every page of a long list', () => {
  const cases = commissionSortKeys.flatMap((sortBy) =>
    (['asc', 'desc'] as const).flatMap((sortOrder) =>
      [1, 2].map((programs) => ({ sortBy, sortOrder, programs })),
    ),
  );

  it.each(cases)(
    'sorted by $sortBy $sortOrder over $programs programme(s) is in its place',
    async ({ programs, ...window }) => {
      const programIds = worlds.slice(0, programs).map((world) => world.programId);
      const all = await inOrder(programIds, window);
      const last = Math.ceil(all.length / 100);
      for (const page of [1, 19, 22, 26, 37, last - 1, last, last + 1]) {
        const expected = all.slice((page - 1) * 100, page * 100);
        expect(await pageIds(programIds, { ...window, page })).toEqual(expected);
      }
    },
  );

  it('with filters is in its place, too', async () => {
    const programIds = worlds.map((world) => world.programId);
    const window = { sortBy: 'createdAt', sortOrder: 'desc' } as const;
    const notFlagged = await inOrder(programIds, window, 'NOT c.needs_review');
    const days = await inOrder(programIds, window, "c.created_at < date_trunc('day', now())");
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    for (const page of [23, 30, 45]) {
      const part = (ids: string[]): string[] => ids.slice((page - 1) * 100, page * 100);
      const flagged = await pageIds(programIds, { ...window, page }, { needsReview: false });
      expect(flagged).toEqual(part(notFlagged));
      const dated = await pageIds(programIds, { ...window, page }, { dateTo: yesterday });
      expect(dated).toEqual(part(days));
    }
  });
});
