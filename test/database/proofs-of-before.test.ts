import { Addresses1700000000040 } from '../../entities/migrations/0040-addresses';
import { AddressesAreFound1700000000041 } from '../../entities/migrations/0041-addresses-are-found';
import { AskForProofs1700000000042 } from '../../entities/migrations/0042-ask-for-proofs';
import { newId } from '../../entities/ids';
import { useMigratedBefore } from '../support/postgres/migrated-before';

const own = useMigratedBefore();

const execute = (text: string, params: unknown[] = []) => own.client.query(text, params);

const steps = [
  new Addresses1700000000040(),
  new AddressesAreFound1700000000041(),
  new AskForProofs1700000000042(),
];

interface Before {
  /** Whether the address that the account has is confirmed, and since when. */
  verifiedAt?: string | null;
  moves?: number;
  /** Null: not opened. */
  claimedAt?: string | null;
  /** Where the mail about it went, while that is kept. */
  mailedTo?: string;
  hasPassword?: boolean;
}

interface Found {
  id: string;
  bound: string | null;
  proven: boolean;
  asked: number;
}

const programId = newId();
const workspaceId = newId();
const added = '2026-01-10T00:00:00Z';

/** A participation that a server made before addresses had to be proved, as that release left it. */
async function addedBefore(before: Before): Promise<string> {
  const { verifiedAt = null, moves = 0, claimedAt = '2026-01-11T00:00:00Z', mailedTo } = before;
  const [partner, id] = [newId(), newId()];
  const email = `${partner}@before.example`;
  const password = before.hasPassword === false ? null : 'hash';
  await execute(
    `INSERT INTO partner_accounts (id, email, email_generation, email_verified_at, name,
       password_hash, created_at, updated_at) VALUES ($1, $2, $3, $4, 'A', $5, $6, $6)`,
    [partner, email, 1 + moves, verifiedAt, password, added],
  );
  await execute(
    `INSERT INTO participants (id, workspace_id, mode, program_id, partner_id, partner_name,
       partner_email, status, referral_code, created_at, claimed_at, updated_at)
     VALUES ($1, $2, 'live', $3, $4, 'A', $5, 'approved', 'code', $6, $7, $6)`,
    [id, workspaceId, programId, partner, email, added, claimedAt],
  );
  if (mailedTo !== undefined) {
    await execute(
      `INSERT INTO mails (id, type, recipient, params, status, created_at)
       VALUES ($1, 'partner.added', $2, jsonb_build_object('participantId', $3::text), 'sent', $4)`,
      [newId(), mailedTo === 'the same' ? email : mailedTo, id, added],
    );
  }
  return id;
}

it('keeps what was proved, and asks once for what nobody proved', async () => {
  for (const step of [...steps].reverse()) await step.down(own.runner);
  await execute(
    `INSERT INTO workspaces (id, name, created_at, updated_at) VALUES ($1, 'W', now(), now())`,
    [workspaceId],
  );
  await execute(
    `INSERT INTO programs (id, workspace_id, mode, name, website_url, currency, status,
       attribution_window_days, approval_mode, public_applications, commission_type, rate_bps, basis,
       recurring, hold_days, auto_approve, created_at, updated_at)
     VALUES ($1, $2, 'live', 'P', 'https://p.example', 'usd', 'active', 30, 'auto', true,
       'percentage', 100, 'gross', false, 0, true, now(), now())`,
    [programId, workspaceId],
  );
  const later = '2026-02-01T00:00:00Z';
  const before = '2026-01-01T00:00:00Z';
  const cases = {
    confirmed: await addedBefore({ verifiedAt: later }),
    'never confirmed': await addedBefore({}),
    'moved, then added': await addedBefore({ verifiedAt: before, moves: 1 }),
    'moved after, by the log': await addedBefore({
      ...{ verifiedAt: later, moves: 1, mailedTo: 'first@before.example' },
    }),
    'the same, by the log': await addedBefore({
      ...{ verifiedAt: later, moves: 1, mailedTo: 'the same' },
    }),
    'may have moved': await addedBefore({ verifiedAt: later, moves: 1 }),
    'nobody opened': await addedBefore({ claimedAt: null, hasPassword: false }),
    'own application': await addedBefore({ claimedAt: added }),
  };
  for (const step of steps) await step.up(own.runner);

  const { rows } = await own.client.query<Found>(
    `SELECT p.id, CASE WHEN p.bound_email = a.email THEN 'own' ELSE p.bound_email END AS bound,
            p.proven_at IS NOT NULL AS proven,
            (SELECT count(*)::int FROM mails AS m JOIN outbox AS o ON o.ref = m.id
              WHERE m.account_id = a.id AND m.type = 'account.verify_email') AS asked
       FROM participants AS p JOIN partner_accounts AS a ON a.id = p.partner_id`,
  );
  const found = Object.fromEntries(
    Object.entries(cases).map(([name, id]) => {
      const row = rows.find((one) => one.id === id);
      return [name, [row?.bound, row?.proven, row?.asked]];
    }),
  );
  expect(found).toEqual({
    confirmed: ['own', true, 0],
    'never confirmed': ['own', false, 1],
    'moved, then added': ['own', true, 0],
    'moved after, by the log': ['first@before.example', false, 0],
    'the same, by the log': ['own', true, 0],
    'may have moved': ['own', false, 1],
    'nobody opened': ['own', false, 0],
    'own application': [null, false, 0],
  });
});
