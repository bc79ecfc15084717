import type { Copy, Treatment } from '../../entities/rules/erasure/copies';

/** Values of the names that a copy's condition may use. */
export interface CopyParams {
  participant?: string;
  partner: string;
  program?: string;
  workspace?: string;
  mode?: string;
  emails: string[];
  emailKeys: string[];
  /** Keyed hashes of the addresses. */
  addressHashes: string[];
  at: Date;
}

const types: Record<keyof CopyParams, string> = {
  participant: 'uuid',
  partner: 'uuid',
  program: 'uuid',
  workspace: 'uuid',
  mode: 'text',
  emails: 'text[]',
  emailKeys: 'text[]',
  addressHashes: 'text[]',
  at: 'timestamptz',
};

export interface Statement {
  text: string;
  params: unknown[];
}

/** Puts places of parameters where a text has names in braces, and adds their values to the parameters. */
function bind(text: string, values: CopyParams, params: unknown[]): string {
  return text.replace(/\{(\w+)\}/g, (_match, word: string) => {
    const name = word as keyof CopyParams;
    if (values[name] === undefined) throw new Error(`a copy has no ${name}`);
    return `$${params.push(values[name])}::${types[name]}`;
  });
}

/** Rows of a copy that are not clean yet. */
function dueCondition({ where, columns }: Copy): string {
  const dirty = Object.entries(columns).flatMap(([column, treatment]) =>
    treatment.rule === 'delete' ? [] : [dirtyCondition(column, treatment)],
  );
  return dirty.length === 0 ? `(${where})` : `(${where}) AND (${dirty.join(' OR ')})`;
}

function dirtyCondition(column: string, { rule, value, dirty }: Treatment): string {
  if (dirty !== undefined) return dirty;
  if (rule === 'null') return `${column} IS NOT NULL`;
  return `${column} <> ${value ?? 'NULL'}`;
}

function assignmentsOf({ columns, also }: Copy): string {
  const set = Object.entries(columns).map(([column, { rule, value }]) =>
    rule === 'null'
      ? `${column} = NULL`
      : `${column} = CASE WHEN ${column} IS NULL THEN NULL ELSE ${value ?? 'NULL'} END`,
  );
  return [...set, ...(also === undefined ? [] : [also])].join(', ');
}

/**
 * Cleans the next rows after a key, and returns how many it changed and the last of their keys. Rows
 * are locked in the order of the key, so that two erasures never wait for each other in a circle.
 */
export function cleaning(
  copy: Copy,
  values: CopyParams,
  page: { after: readonly string[] | null; limit: number },
): Statement {
  const keys = Object.entries(copy.key);
  const names = keys.map(([column]) => column);
  const params: unknown[] = [];
  const due = bind(dueCondition(copy), values, params);
  const isDeleted = Object.values(copy.columns).every(({ rule }) => rule === 'delete');
  const after = page.after?.map(
    (text, index) => `$${params.push(text)}::text::${keys[index]?.[1] ?? 'text'}`,
  );
  const from = after ? ` AND (${names.join(', ')}) > (${after.join(', ')})` : '';
  const picked = names.map((column, index) => `${column} AS k${index}`);
  const same = names
    .map((column, index) => `${copy.table}.${column} = due.k${index}`)
    .join(' AND ');
  const found = `${same} AND ${bind(`(${copy.where})`, values, params)}`;
  const change = isDeleted
    ? `DELETE FROM ${copy.table} USING due WHERE ${found} RETURNING 1`
    : `UPDATE ${copy.table} SET ${assignmentsOf(copy)} FROM due WHERE ${found} RETURNING 1`;
  const order = names.map((_, index) => `k${index} DESC`).join(', ');
  return {
    text: `WITH due AS (
        SELECT ${picked.join(', ')} FROM ${copy.table} WHERE ${due}${from}
         ORDER BY ${names.join(', ')} LIMIT ${page.limit} FOR UPDATE),
      changed AS (${change})
      SELECT (SELECT count(*) FROM changed) AS changed,
             (SELECT ARRAY[${names.map((_, index) => `k${index}::text`).join(', ')}]
                FROM due ORDER BY ${order} LIMIT 1) AS last`,
    params,
  };
}
