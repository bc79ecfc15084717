import { Client } from 'pg';
import type { QueryRunner } from 'typeorm';
import { ComposedAddresses1700000000081 } from '../../entities/migrations/0081-composed-addresses';
import { newId } from '../../entities/ids';
import { migrate } from '../../entities/database/migrate';
import { createTestDatabase, type TestDatabase } from '../support/database';

let database: TestDatabase;
let client: Client;
beforeAll(async () => {
  database = await createTestDatabase();
  await migrate(database.url);
  client = new Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

/** The address as an iPhone or a Mac may send it, and as it is kept today. */
const apart = (name: string): string => `${name}.ren\u0065\u0301@example.com`;
const composed = (name: string): string => apart(name).normalize('NFC');

async function account(email: string): Promise<string> {
  const id = newId();
  await client.query(
    `INSERT INTO partner_accounts (id, email, email_generation, name, password_hash, created_at, updated_at)
     VALUES ($1, $2, 1, 'A', 'hash', now(), now())`,
    [id, email],
  );
  return id;
}

it('composes addresses of before, and takes none from who has it already', async () => {
  const alone = await account(apart('alone'));
  const [taken, owner] = [await account(apart('both')), await account(composed('both'))];
  const half = composed('two').replace('ren\u00e9', 're\u006e\u0303\u00e9');
  const [first, second] = [
    await account(half.replace('\u00e9', 'e\u0301')),
    await account(half.normalize('NFC').replace('\u00e9', 'e\u0301')),
  ];
  const runner = { query: (text: string) => client.query(text) } as unknown as QueryRunner;
  for (const _ of ['once', 'again']) await new ComposedAddresses1700000000081().up(runner);

  const { rows } = await client.query<{ id: string; email: string }>(
    'SELECT id, email FROM partner_accounts',
  );
  const emails = Object.fromEntries(rows.map(({ id, email }) => [id, email]));
  expect(emails).toEqual({
    [alone]: composed('alone'),
    [taken]: apart('both'),
    [owner]: composed('both'),
    [first]: half.normalize('NFC'),
    [second]: half.normalize('NFC').replace('\u00e9', 'e\u0301'),
  });
});
