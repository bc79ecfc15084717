import type { MigrationInterface, QueryRunner } from 'typeorm';

const counted: readonly (readonly [string, string])[] = [
  ["('conversions', 1::bigint)", "('conversions', (v.source <> 'import')::int::bigint)"],
  [
    '(v.amount_cents = 0)::int::bigint',
    "(v.amount_cents = 0 AND v.source <> 'import')::int::bigint",
  ],
];

const functions = ['note_conversions()', 'analytics_rebuild(timestamptz, timestamptz)'];

/** Imported sales are revenue of their day, and no conversions: nobody clicked here for them. */
export class ImportsInFigures1700000000103 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const name of functions) await runner.query(replacing(name, counted));
  }

  async down(runner: QueryRunner): Promise<void> {
    const back = counted.map(([before, after]) => [after, before] as const);
    for (const name of functions) await runner.query(replacing(name, back));
  }
}

/** Writes a function anew with other texts in it, whatever else of it was changed since. */
function replacing(name: string, texts: readonly (readonly [string, string])[]): string {
  const steps = texts.map(
    ([before, after]) => `
      IF position($before$${before}$before$ IN body) = 0 THEN
        RAISE EXCEPTION '${name} does not say what this changes';
      END IF;
      body := replace(body, $before$${before}$before$, $after$${after}$after$);`,
  );
  return `DO $do$
    DECLARE body text := pg_get_functiondef('${name}'::regprocedure);
    BEGIN
      ${steps.join('\n')}
      EXECUTE body;
    END $do$`;
}
