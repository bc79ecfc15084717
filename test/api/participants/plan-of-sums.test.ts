import { unfoldedClicks } from '../../../api/participants/click-sums';
import { pageWithTotals } from '../../../api/participants/participants.queries';
import { salesOfLinks } from '../../../api/participants/tracking-links.queries';
import { execute, query, type Db } from '../../../entities/database/sql';
import { asOwner } from '../../support/database';
import { eventually } from '../../support/eventually';
import { useDeps } from '../../support/app';
import { buildCommission } from '../../support/build/commissions';
import { buildParticipant, buildProgram } from '../../support/build/programs';
import { buildSales } from '../../support/build/figures';

const deps = useDeps();

interface Node {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  Plans?: Node[];
}

const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** Vacuums a table, until no older transaction of another connection may see the rows any more. */
async function vacuumed(table: string): Promise<unknown> {
  await asOwner(deps.config.databaseUrl, `VACUUM ANALYZE ${table}`);
  const [row] = await query(
    deps.db.manager,
    'SELECT 1 FROM pg_class WHERE relname = $1 AND relallvisible >= relpages - 1',
    [table],
  );
  return row;
}

it('a page of partners is summed from indexes alone, never by reading sales of the programme', async () => {
  const db = deps.db.manager;
  const program = await buildProgram(db);
  const participants = [];
  for (let n = 0; n < 20; n += 1) participants.push(await buildParticipant(db, { program }));
  const at = new Date();
  await buildSales(
    db,
    participants.flatMap((participant) => Array.from({ length: 100 }, () => ({ participant, at }))),
  );
  for (const participant of participants) await buildCommission(db, { program, participant });
  const [{ columns } = { columns: '' }] = await query<{ columns: string }>(
    db,
    `SELECT string_agg(column_name, ', ') AS columns FROM information_schema.columns
      WHERE table_name = 'commissions' AND is_generated = 'NEVER'
        AND column_name NOT IN ('id', 'conversion_id')`,
  );
  await execute(
    db,
    // Commissions of one partner lie among those of all, as in life.
    `INSERT INTO commissions (id, conversion_id, ${columns})
     SELECT gen_random_uuid(), gen_random_uuid(), ${columns} FROM commissions, generate_series(1, 100)
      ORDER BY random()`,
  );
  await eventually(() => vacuumed('conversions'));
  await eventually(() => vacuumed('commissions'));

  const plan = await planOf(
    db,
    `WITH ${unfoldedClicks('ARRAY[$1::uuid]')},
       page AS (SELECT *, group_id AS "groupId", program_id AS "programId" FROM participants WHERE program_id = $1 ORDER BY created_at DESC LIMIT 5)
     ${pageWithTotals}`,
    program.id,
  );
  expect(plan).toEqual([
    ['Index Only Scan', 'ix_commissions_participant'],
    ['Index Only Scan', 'ix_conversions_participant'],
  ]);
  const [first] = participants;
  expect(await planOf(db, `WITH ${salesOfLinks} SELECT * FROM sales`, first?.id ?? '')).toEqual([
    ['Index Only Scan', 'ix_conversions_participant'],
  ]);
});

/** How sales and commissions are read. */
async function planOf(db: Db, statement: string, id: string): Promise<unknown[]> {
  const [plan] = await query<{ 'QUERY PLAN': { Plan: Node }[] }>(
    db,
    `EXPLAIN (FORMAT JSON) ${statement}`,
    [id],
  );
  return nodesOf(plan?.['QUERY PLAN'][0]?.Plan as Node)
    .filter((node) => ['conversions', 'commissions'].includes(node['Relation Name'] ?? ''))
    .map((node) => [node['Node Type'], node['Index Name']])
    .sort();
}
