import { createHash } from 'node:crypto';
import { boxColumns } from '../../../activities/maintenance/reseal';
import { query, type Db } from '../../../entities/database/sql';
import type { TestDeps } from '../app';

/** Every form in which a text may lie about: plain, URL, base64 at any offset, hex, plain hash. */
function formsOf(token: string): string[] {
  const bytes = Buffer.from(token);
  const shifted = [0, 1, 2].flatMap((offset) => {
    const padded = Buffer.concat([Buffer.alloc(offset), bytes]);
    // The characters at both ends depend on what stands beside the token.
    const inner = (text: string): string =>
      text.replace(/=+$/, '').slice(Math.ceil((offset * 8) / 6), offset === 0 ? -2 : -1);
    return [inner(padded.toString('base64')), inner(padded.toString('base64url'))];
  });
  const hash = createHash('sha256').update(token);
  const digest = hash.digest();
  return [
    token,
    encodeURIComponent(token),
    ...shifted,
    bytes.toString('hex'),
    digest.toString('hex'),
    digest.toString('base64').slice(0, -2),
    digest.toString('base64url'),
  ];
}

/** Where the tokens are found, as `token in place`; texts are compared without their case. */
export function findTraces(places: ReadonlyMap<string, string>, tokens: string[]): string[] {
  const found: string[] = [];
  for (const [place, text] of places) {
    const lower = text.toLowerCase();
    for (const token of tokens) {
      const forms = formsOf(token).map((form) => form.toLowerCase());
      if (forms.some((form) => lower.includes(form))) found.push(`${token} in ${place}`);
    }
  }
  return found;
}

const boxPattern = /v[12]\.[\w-]+\.[\w-]{16}\.[\w-]{22,}/g;

/** Every table as text, with whatever the vault can open. */
export async function readTables({
  db,
  vault,
}: Pick<TestDeps, 'db' | 'vault'>): Promise<Map<string, string>> {
  const tables = await query<{ name: string }>(
    db.manager,
    `SELECT c.relname AS name FROM pg_class c
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
        AND NOT c.relispartition ORDER BY 1`,
  );
  const texts = new Map<string, string>();
  for (const { name } of tables) {
    const rows = await query<{ row: string }>(db.manager, `SELECT t::text AS row FROM ${name} t`);
    const text = rows.map(({ row }) => row).join('\n');
    const opened = await openBoxes(db.manager, vault, name);
    const unknown = (text.match(boxPattern) ?? []).filter((box) => !opened.has(box));
    if (unknown.length > 0) throw new Error(`${name} has boxes in a column that reseal.ts misses`);
    texts.set(`table ${name}`, [text, ...opened.values()].join('\n'));
  }
  return texts;
}

/** What the boxes of a table hold, by box. */
async function openBoxes(
  db: Db,
  vault: Pick<TestDeps, 'vault'>['vault'],
  name: string,
): Promise<Map<string, string>> {
  const opened = new Map<string, string>();
  for (const { column, key, of = key, place } of boxColumns.filter(({ table }) => table === name)) {
    const row = of.map((part) => `${part}::text`).join(', ');
    const boxes = await query<{ row: string[]; box: string }>(
      db,
      `SELECT ARRAY[${row}] AS row, ${column} AS box FROM ${name} WHERE ${column} IS NOT NULL`,
    );
    for (const { row: id, box } of boxes) opened.set(box, vault.decrypt(box, [place, ...id]));
  }
  return opened;
}

/** Every key of this test in Redis, with its value. */
export async function readRedis({ redis }: TestDeps): Promise<string> {
  const { client, prefix } = redis;
  const keys = await client.keys(`${prefix}*`);
  const values = await Promise.all(keys.map((key) => client.dump(key)));
  return [...keys, ...values.map(String)].join('\n');
}

/** Every history of the namespace, as JSON and with its payloads in plain. */
export async function readHistories({ temporal }: TestDeps): Promise<string> {
  const texts: string[] = [];
  for await (const { workflowId } of temporal.client.workflow.list()) {
    const history = await temporal.client.workflow.getHandle(workflowId).fetchHistory();
    texts.push(
      JSON.stringify(history, (_key, value: unknown) =>
        value instanceof Uint8Array ? Buffer.from(value).toString() : value,
      ),
    );
  }
  return texts.join('\n');
}
