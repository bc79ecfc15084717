import { Client } from 'pg';
import { createTestDatabase } from '../support/database';

describe('the database of a test file', () => {
  it('is a copy of the template that no other file sees', async () => {
    const [one, two] = await Promise.all([createTestDatabase(), createTestDatabase()]);
    const client = new Client({ connectionString: one.url });
    await client.connect();

    const { rows } = await client.query('SELECT current_database() AS name');

    expect(one.url.endsWith(rows[0].name)).toBe(true);
    expect(one.url).not.toBe(two.url);
    await client.end();
    await Promise.all([one.drop(), two.drop()]);
  });
});
