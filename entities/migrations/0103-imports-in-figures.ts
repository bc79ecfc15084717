import type { MigrationInterface, QueryRunner } from 'typeorm';

const counted = {
  "('conversions', 1::bigint)": "('conversions', (v.source <> 'import')::int::bigint)",
  '(v.amount_cents = 0)::int::bigint': "(v.amount_cents = 0 AND v.source <> 'import')::int::bigint",
};

/** Imported sales are revenue of their day, and no conversions: nobody clicked here for them. */
export class ImportsInFigures1700000000103 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const name of functions) await replaceIn(runner, name, Object.entries(counted));
  }

  async down(runner: QueryRunner): Promise<void> {
    const back = Object.entries(counted).map(([before, after]): [string, string] => [
      after,
      before,
    ]);
    for (const name of functions) await replaceIn(runner, name, back);
  }
}

const functions = ['note_conversions()', 'analytics_rebuild(timestamptz, timestamptz)'];

/** Writes a function anew with other texts in it, whatever else of it was changed since. */
async function replaceIn(
  runner: QueryRunner,
  name: string,
  texts: readonly [string, string][],
): Promise<void> {
  const rows = (await runner.query(
    `SELECT pg_get_functiondef('${name}'::regprocedure) AS text`,
  )) as { text: string }[];
  const text = rows[0]?.text ?? '';
  const replaced = texts.reduce((so, [before, after]) => so.replaceAll(before, after), text);
  if (texts.some(([before]) => !text.includes(before))) {
    throw new Error(`${name} does not say what this changes`);
  }
  await runner.query(replaced);
}
