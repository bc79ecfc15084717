import { ComposedAddresses1700000000081 } from '../../entities/migrations/0081-composed-addresses';
import { newId } from '../../entities/ids';
import { useMigratedBefore } from '../support/postgres/migrated-before';

const own = useMigratedBefore();

/** The address as an iPhone or a Mac may send it, and as it is kept today. */
const apart = (name: string): string => `${name}.ren\u0065\u0301@example.com`;
const composed = (name: string): string => apart(name).normalize('NFC');

async function account(email: string): Promise<string> {
  const id = newId();
  await own.client.query(
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
  for (const _ of ['once', 'again']) await new ComposedAddresses1700000000081().up(own.runner);

  const { rows } = await own.client.query<{ id: string; email: string }>(
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
