import { execute, type Tx } from '../../../entities/database/sql';
import type { ImportKind } from '../../../entities/rules/imports/kinds';
import type { ImportRow } from '../../../entities/tables/imports/import-row.entity';
import type { Import } from '../../../entities/tables/imports/import.entity';
import type { Vault } from '../../../runtime/crypto/vault';
import { judgeCommissions } from './commissions';
import { judgeCustomers } from './customers';
import { noteGroups } from './groups';
import { judgeLinks } from './links';
import { judgePartners } from './partners';
import type { Judged, Phase } from './verdict';

export interface JudgeWork {
  tx: Tx;
  vault: Pick<Vault, 'encrypt' | 'decrypt' | 'contactHash'>;
}

/** Judges rows of a kind, by what is here now, and notes it. */
export async function judgeBatch(
  work: JudgeWork,
  held: Import,
  { kind, rows, phase }: { kind: ImportKind; rows: readonly ImportRow[]; phase: Phase },
): Promise<void> {
  const good = rows.filter(({ problem }) => problem === null);
  await noteVerdicts(work.tx, await judgeRows(work, held, { kind, rows: good, phase }));
  if (kind === 'partners') await noteGroups(work.tx, held, good);
}

/** Rows without a problem of their own, by what is here now. */
export function judgeRows(
  { tx, vault }: JudgeWork,
  held: Import,
  { kind, rows, phase }: { kind: ImportKind; rows: readonly ImportRow[]; phase: Phase },
): Promise<Judged<unknown>[]> {
  const stores = { db: tx, vault };
  switch (kind) {
    case 'partners':
      return judgePartners(stores, held, rows);
    case 'links':
      return judgeLinks(stores, held, { rows, phase });
    case 'customers':
      return judgeCustomers(tx, held, { rows, phase });
    case 'commissions':
      return judgeCommissions(tx, held, { rows, phase });
  }
}

/** Keeps with the rows what they were judged, where they were judged otherwise before. */
export async function noteVerdicts(tx: Tx, all: readonly Judged<unknown>[]): Promise<void> {
  const judged = all.filter(isNews);
  const [first] = judged;
  if (!first) return;
  const { importId, kind } = first.row;
  const problems = judged.map(({ verdict }) => ('problem' in verdict ? verdict.problem : null));
  await execute(
    tx,
    `UPDATE import_rows AS r SET outcome = v.outcome, problem = v.problem, message = v.message
       FROM unnest($3::int[], $4::text[], $5::text[], $6::text[])
         AS v (n, outcome, problem, message)
      WHERE r.import_id = $1 AND r.kind = $2 AND r.n = v.n AND r.n BETWEEN $7 AND $8`,
    [
      importId,
      kind,
      judged.map(({ row }) => row.n),
      judged.map(({ verdict }) => ('problem' in verdict ? null : verdict.outcome)),
      problems.map((problem) => problem?.code ?? null),
      problems.map((problem) => problem?.message ?? null),
      // The planner, which knows nothing of rows that are new, cannot take all of them for these.
      ...[first.row.n, judged.at(-1)?.row.n],
    ],
  );
}

function isNews({ row, verdict }: Judged<unknown>): boolean {
  if ('problem' in verdict) return row.problem !== verdict.problem.code;
  return row.problem !== null || row.outcome !== verdict.outcome;
}
