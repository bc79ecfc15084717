import { boxColumns, resealAll } from '../../../activities/maintenance/reseal';
import { createVault, type Vault } from '../../../runtime/crypto/vault';
import { getPartner, updatePartner } from '../../../activities/accounts/partner-profile';
import { validSecrets } from '../../../activities/webhooks/delivery/send';
import { execute, query } from '../../../entities/database/sql';
import { newId } from '../../../entities/ids';
import { systemActor } from '../../../entities/rules/values/actor';
import { useDeps } from '../../support/app';
import { buildMember, buildPartner } from '../../support/build/accounts';
import { buildEndpoint } from '../../support/build/webhooks';

const deps = useDeps();

const withKeys = (ids: string[]): Vault => {
  const known = deps.config.secrets.encryptionKeys[0]?.key ?? Buffer.alloc(32);
  const keyOf = (id: string): Buffer => (id === 'old' ? known : Buffer.alloc(32, id));
  const encryptionKeys = ids.map((id) => ({ id, key: keyOf(id) }));
  return createVault({ ...deps.config.secrets, encryptionKeys });
};

it('a box that is copied to another row does not open there', async () => {
  const db = deps.db.manager;
  const [one, two] = [await buildPartner(db), await buildPartner(db)];
  for (const { id } of [one, two]) {
    const patch = { vatId: id };
    const cause = { actor: systemActor, now: new Date() };
    await updatePartner({ db, vault: deps.vault }, cause, { accountId: id, patch });
  }
  await execute(
    db,
    `UPDATE partner_accounts AS a SET vat_id_encrypted = b.vat_id_encrypted
       FROM partner_accounts AS b WHERE a.id = $1 AND b.id = $2`,
    [one.id, two.id],
  );
  await expect(getPartner({ db, vault: deps.vault }, one.id)).rejects.toThrow();
  expect(await getPartner({ db, vault: deps.vault }, two.id)).toMatchObject({ vatId: two.id });
  await execute(db, 'UPDATE partner_accounts SET vat_id_encrypted = NULL');
});

it('names every column that holds boxes', async () => {
  const columns = await query<{ name: string }>(
    deps.db.manager,
    `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
      WHERE table_schema = 'public'
        AND (column_name ~ '_encrypted$|^sealed$' OR table_name || '.' || column_name = ANY($1))`,
    [['stripe_events.body', 'idempotency_keys.answer']],
  );
  const named = new Set(boxColumns.map(({ table, column }) => `${table}.${column}`));
  expect(columns.map(({ name }) => name).filter((name) => !named.has(name))).toEqual([]);
});

it('what is stored is encrypted again under the first key, in batches', async () => {
  const db = deps.db.manager;
  const old = withKeys(['old']);
  const { workspaceId } = await buildMember(db);
  const endpoint = await buildEndpoint({ ...deps, vault: old }, { workspaceId, mode: 'test' });
  const principalId = newId();
  const keys = Array.from({ length: 450 }, (_, n) => String(n + 1));
  const answers = keys.map((key) =>
    old.encrypt('{"status":200}', ['idempotency_keys.answer', principalId, 'test', '/x', key]),
  );
  await execute(
    db,
    `INSERT INTO idempotency_keys (principal_id, mode, path, key, body_hash, claim_token, claimed_at,
       created_at, answer)
     SELECT $1, 'test', '/x', r.key, '', gen_random_uuid(), now(), now(), r.answer
       FROM unnest($2::text[], $3::text[]) AS r (key, answer)`,
    [principalId, keys, answers],
  );
  await execute(db, `UPDATE idempotency_keys SET answer = 'v1.gone.a.b' WHERE key = '7'`);
  // The next key is the first one, and the old one behind it opens what there is.
  const both = withKeys(['new', 'old']);
  const sums = (await resealAll({ db: deps.db, vault: both })).filter(
    ({ written, unreadable }) => written + unreadable > 0,
  );
  expect(sums).toEqual([
    { table: 'webhook_endpoints', column: 'secret_encrypted', written: 1, unreadable: 0 },
    { table: 'idempotency_keys', column: 'answer', written: 449, unreadable: 1 },
  ]);
  const alone = withKeys(['new']);
  const [sealed] = await query<{ id: string; secretEncrypted: string }>(
    db,
    `SELECT id, secret_encrypted AS "secretEncrypted" FROM webhook_endpoints`,
  );
  expect(sealed?.id).toBe(endpoint.id);
  expect(
    validSecrets(
      { vault: alone },
      {
        id: endpoint.id,
        secretEncrypted: sealed?.secretEncrypted ?? '',
        previousSecretEncrypted: null,
        previousSecretUntil: null,
      },
      new Date(),
    ),
  ).toEqual([endpoint.signingSecret]);
  const again = await resealAll({ db: deps.db, vault: alone });
  expect(again.reduce((sum, { written }) => sum + written, 0)).toBe(0);
});
