import type { MigrationInterface, QueryRunner } from 'typeorm';
import { numberOf } from '../../entities/database/schema-version';
import { migrations } from '../../entities/migrations';
import { laterMigrations } from '../support/postgres/later-migrations';
import { nextMigrations } from '../support/operate/next-release';

/** What comes after it finds data that is used while it runs. */
const baseline = 1;

type Migration = (new () => MigrationInterface & {
  transaction?: boolean;
  /** The release that was the last to use what this one drops. */
  unusedSince?: string;
}) & { name: string };

interface Rule {
  problem: string;
  /** Whether a statement offends; `made` are the tables that the same migration creates. */
  offends(statement: string, made: ReadonlySet<string>): boolean;
}

const tableAfter = (pattern: RegExp, statement: string): string =>
  pattern.exec(statement)?.[1]?.toLowerCase() ?? '';
const altered = (statement: string): string =>
  tableAfter(/^ALTER TABLE (?:IF EXISTS )?(?:ONLY )?(\w+)/i, statement);

const onExisting =
  (pattern: RegExp) =>
  (statement: string, made: ReadonlySet<string>): boolean =>
    pattern.test(statement) && !made.has(altered(statement));

const rules: readonly Rule[] = [
  {
    problem: 'an index on an existing table is built CONCURRENTLY',
    offends: (statement, made) =>
      /^CREATE (UNIQUE )?INDEX (?!CONCURRENTLY|(IF NOT EXISTS )?\w+ ON ONLY )/i.test(statement) &&
      !made.has(tableAfter(/ ON (?:ONLY )?(\w+)/i, statement)),
  },
  {
    problem: 'IF NOT EXISTS would keep the invalid index of an attempt that failed: use buildIndex',
    offends: (statement) => /^CREATE (UNIQUE )?INDEX CONCURRENTLY IF NOT/i.test(statement),
  },
  {
    problem: 'a column does not change its type: add another one and fill it in batches',
    offends: onExisting(/^ALTER TABLE .*\bALTER (COLUMN )?\w+ (SET DATA )?TYPE\b/is),
  },
  {
    problem: 'a constraint is added NOT VALID, and validated by a migration of its own',
    offends: onExisting(
      /^ALTER TABLE (?!.*NOT VALID).*\bADD (CONSTRAINT \w+ )?(CHECK|FOREIGN KEY)\b/is,
    ),
  },
  {
    problem: 'a key is added USING an index that was built CONCURRENTLY',
    offends: onExisting(
      /^ALTER TABLE (?!.*USING INDEX).*\bADD (CONSTRAINT \w+ )?(PRIMARY KEY|UNIQUE)\b/is,
    ),
  },
  {
    problem: 'NOT NULL reads the whole table: add a check NOT VALID and validate it first',
    offends: onExisting(/^ALTER TABLE .*\bSET NOT NULL\b/is),
  },
  {
    problem: 'a new column that must not be null needs a constant default',
    offends: onExisting(/^ALTER TABLE .*\bADD COLUMN (?!.*\bDEFAULT\b)[^,]*\bNOT NULL\b/is),
  },
  {
    problem: 'a name in use is not changed: processes of the last release still use it',
    offends: onExisting(/^ALTER TABLE .*\bRENAME\b/is),
  },
  {
    problem:
      'an UPDATE or DELETE of a whole table locks its rows for as long as it takes: do it in batches',
    offends: (statement, made) =>
      /^(UPDATE|DELETE FROM) (?!.*\bWHERE\b)/is.test(statement) &&
      !made.has(tableAfter(/^(?:UPDATE|DELETE FROM) (?:ONLY )?(\w+)/i, statement)),
  },
  {
    problem: 'VACUUM FULL and CLUSTER lock a table for as long as it is copied',
    offends: (statement) => /^(VACUUM FULL|CLUSTER)\b/i.test(statement),
  },
];

const isDrop = (statement: string): boolean =>
  /^DROP (TABLE|VIEW|TYPE|FUNCTION)\b/i.test(statement) ||
  /^ALTER TABLE .*\bDROP (COLUMN )?(?!CONSTRAINT\b|DEFAULT\b|NOT NULL\b|EXPRESSION\b|IDENTITY\b)(IF EXISTS )?\w+/is.test(
    statement,
  );
const dropped =
  'processes of the last release still use what is dropped: say in `unusedSince` which release was the last to';
const validated =
  'VALIDATE reads the whole table: beside NOT VALID, in one transaction, it holds the lock of the ALTER';

/** What a whole migration offends against. */
function ofTheWhole(statements: readonly string[], unusedSince: string | undefined): string[] {
  const isAdded = statements.some((statement) => /\bNOT VALID\b/i.test(statement));
  const isValidated = statements.some((statement) => /\bVALIDATE CONSTRAINT\b/i.test(statement));
  return [
    ...(unusedSince === undefined && statements.some(isDrop) ? [dropped] : []),
    ...(isAdded && isValidated ? [validated] : []),
  ];
}

/** The statements of a migration; its functions are one statement each. */
async function statementsOf(
  migration: InstanceType<Migration>,
  way: 'up' | 'down' = 'up',
): Promise<string[]> {
  const texts: string[] = [];
  const runner = {
    query: (text: string): Promise<unknown[]> => {
      texts.push(text);
      return Promise.resolve([]);
    },
  };
  await migration[way](runner as unknown as QueryRunner);
  return texts.flatMap(split);
}

function split(text: string): string[] {
  const bodies: string[] = [];
  const flat = text
    .replace(/--.*$/gm, '')
    .replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, (body) => `$${bodies.push(body)}`);
  return flat
    .split(';')
    .map((statement) => statement.trim().replace(/\s+/g, ' '))
    .filter(Boolean);
}

function problemsOf(
  statements: readonly string[],
  inTransaction: boolean,
  unusedSince?: string,
): string[] {
  const created = statements.flatMap(
    (statement) => /^CREATE TABLE (?:IF NOT EXISTS )?(\w+)/i.exec(statement)?.[1] ?? [],
  );
  const made = new Set(created.map((table) => table.toLowerCase()));
  const found = statements.flatMap((statement) =>
    rules.filter((rule) => rule.offends(statement, made)).map(({ problem }) => problem),
  );
  const concurrently = statements.filter((statement) => /\bCONCURRENTLY\b/i.test(statement));
  if (concurrently.length > 0 && inTransaction) {
    found.push('CONCURRENTLY needs a migration with `transaction = false`');
  }
  const others = statements.filter(
    (statement) => !/\bCONCURRENTLY\b|^(RE)?SET lock_timeout|^SELECT\b/i.test(statement),
  );
  if (!inTransaction && others.length > 0) {
    found.push('outside a transaction there is nothing but CONCURRENTLY');
  }
  return found.concat(impatient(statements), ofTheWhole(statements, unusedSince));
}

const noLockTimeout =
  'CONCURRENTLY waits for others as long as it takes: use buildIndex or dropIndex';

/** One that gives up half-way leaves an invalid index behind. */
function impatient(statements: readonly string[]): string[] {
  let isPatient = false;
  return statements.flatMap((statement) => {
    if (/^(RE)?SET lock_timeout/i.test(statement))
      isPatient = /^SET lock_timeout = 0$/i.test(statement);
    return /\bCONCURRENTLY\b/i.test(statement) && !isPatient ? [noLockTimeout] : [];
  });
}

const later = ([...migrations, ...laterMigrations, ...nextMigrations] as readonly Migration[])
  .filter(({ name }) => numberOf(name) > baseline)
  // A class shows no name in a title.
  .map((migration) => ({ name: migration.name, migration }));

it.each(later)('$name can run beside traffic', async ({ migration }) => {
  const instance = new migration();
  const statements = await statementsOf(instance);
  const problems = problemsOf(statements, instance.transaction !== false, instance.unusedSince);
  expect(problems).toEqual([]);
});

it.each(later)('$name waits for others on its way back too', async ({ migration }) => {
  expect(impatient(await statementsOf(new migration(), 'down'))).toEqual([]);
});

it('numbers every migration once', () => {
  const numbers = migrations.map(({ name }) => numberOf(name));
  expect(numbers.every((number) => number > 0)).toBe(true);
  expect(new Set(numbers).size).toBe(numbers.length);
});

describe('a migration that would stop traffic', () => {
  it.each([
    ['CREATE INDEX ix_a ON clicks (id)', 'CONCURRENTLY'],
    ['ALTER TABLE clicks ALTER COLUMN id TYPE text', 'type'],
    ['ALTER TABLE clicks ADD CONSTRAINT ck_a CHECK (id IS NOT NULL)', 'NOT VALID'],
    ['ALTER TABLE clicks ADD CONSTRAINT uq_a UNIQUE (id)', 'USING'],
    ['ALTER TABLE clicks ALTER COLUMN id SET NOT NULL', 'NOT NULL'],
    ['ALTER TABLE clicks ADD COLUMN a int NOT NULL', 'default'],
    ['ALTER TABLE clicks RENAME COLUMN id TO key', 'name'],
    ['CREATE INDEX CONCURRENTLY ix_a ON clicks (id)', 'transaction = false'],
    ['DROP INDEX CONCURRENTLY ix_a', 'as long as it takes'],
    ['DROP TABLE clicks', 'unusedSince'],
    ['ALTER TABLE clicks DROP COLUMN id', 'unusedSince'],
    ['ALTER TABLE clicks DROP id', 'unusedSince'],
    ['UPDATE clicks SET id = id', 'in batches'],
    ['DELETE FROM clicks', 'in batches'],
    [
      'ALTER TABLE clicks ADD CONSTRAINT ck_a CHECK (id IS NOT NULL) NOT VALID; ALTER TABLE clicks VALIDATE CONSTRAINT ck_a',
      'beside NOT VALID',
    ],
    ['SET lock_timeout = 0; RESET lock_timeout; DROP INDEX CONCURRENTLY ix_a', 'use buildIndex'],
  ])('is found: %s', (statement, problem) => {
    expect(problemsOf(split(statement), true).join()).toContain(problem);
  });

  it.each([
    'CREATE TABLE a (id uuid); CREATE INDEX ix_a ON a (id); ALTER TABLE a ADD CHECK (id IS NOT NULL)',
    'ALTER TABLE clicks ADD COLUMN a int NOT NULL DEFAULT 0',
    'ALTER TABLE clicks ADD CONSTRAINT ck_a CHECK (id IS NOT NULL) NOT VALID',
    'ALTER TABLE clicks VALIDATE CONSTRAINT ck_a',
    'ALTER TABLE clicks DROP CONSTRAINT ck_a',
    'ALTER TABLE clicks ALTER COLUMN id DROP DEFAULT',
    'ALTER TABLE clicks ALTER COLUMN id DROP NOT NULL',
    "UPDATE clicks SET id = id WHERE mode = 'test'",
    'CREATE TABLE a (id uuid); UPDATE a SET id = id',
  ])('is not %s', (statements) => {
    expect(problemsOf(split(statements), true)).toEqual([]);
  });
});
