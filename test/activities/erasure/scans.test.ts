import type { ScanPlace } from '../../../activities/erasure/scans/place';
import { scanWorkspace } from '../../../activities/erasure/scans/scans';
import { execute, queryOne } from '../../../entities/database/sql';
import { newId } from '../../../entities/ids';
import { useDeps } from '../../support/app';

const deps = useDeps();

it('a box that does not open is counted and keeps no other from being cleaned', async () => {
  const [principalId, workspaceId, participantId, erasureId] = [newId(), newId(), newId(), newId()];
  const [mode, path] = ['live', '/api/v1/programs'] as const;
  const at = new Date();
  const db = deps.db.manager;
  const answer = JSON.stringify({ note: 'zoe@partner.example' });
  const store = (key: string, box: string) =>
    execute(
      db,
      `INSERT INTO idempotency_keys (principal_id, mode, path, key, workspace_id, body_hash,
              claim_token, claimed_at, answer, created_at)
       VALUES ($1, $2, $3, $4, $5, '', $1, $6, $7, $6)`,
      [principalId, mode, path, key, workspaceId, at, box],
    );
  await store('a', deps.vault.encrypt(answer, ['idempotency_keys.answer', 'another place']));
  const place = ['idempotency_keys.answer', principalId, mode, path, 'b'] as const;
  await store('b', deps.vault.encrypt(answer, place));
  await execute(
    db,
    `INSERT INTO erasures (id, kind, subject_id, status, requested_by_type, erased_at)
     VALUES ($1, 'account', $2, 'anonymised', 'partner', $3)`,
    [erasureId, newId(), at],
  );
  await execute(
    db,
    `INSERT INTO erasure_receipts (id, erasure_id, kind, participant_id, erased_at)
     VALUES ($1, $2, 'participant', $3, $4)`,
    [newId(), erasureId, participantId, at],
  );

  const scanned = {
    erasure: { id: erasureId },
    participation: { id: participantId, workspaceId, mode },
    identifying: ['zoe@partner.example'],
    participantIds: [participantId],
    since: null,
  } as unknown as ScanPlace;
  expect(await scanWorkspace(deps, scanned, { from: null, until: () => false })).toBeNull();

  const row = await queryOne<{ answer: string }>(
    db,
    `SELECT answer FROM idempotency_keys WHERE principal_id = $1 AND key = 'b'`,
    [principalId],
  );
  expect(deps.vault.decrypt(row?.answer ?? '', place)).not.toContain('zoe');
  const receipt = await queryOne<{ changes: object }>(
    db,
    'SELECT changes FROM erasure_receipts WHERE erasure_id = $1',
    [erasureId],
  );
  expect(receipt?.changes).toEqual({ idempotency_keys: 1, 'idempotency_keys (unreadable)': 1 });
});
