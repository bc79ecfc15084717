import { newId } from '../../../entities/ids';
import { count, fire, repeat, type Scene } from './scene';
import { json, sale } from './tenant';

/** The most that a workspace may have, each with the 120 a minute that a key has by default. */
const maxKeys = 20;
const salesPerKey = 2;
const secretKeys: string[] = [];

export async function sellWithManyKeys(scene: Scene): Promise<void> {
  // One is there from the start.
  while (secretKeys.length < maxKeys - 1) secretKeys.push(await makeKey(scene));
  await repeat(scene, secretKeys.length * salesPerKey, (turn) => {
    const secretKey = secretKeys[turn % secretKeys.length] ?? '';
    return fire(scene, sale({ ...scene.mallory, secretKey }, newId()));
  });
}

async function makeKey({ api, mallory }: Scene): Promise<string> {
  const response = await fetch(`${api}/api/v1/workspace/api-keys`, {
    method: 'POST',
    headers: json(mallory.token),
    body: JSON.stringify({ kind: 'secret', mode: 'live' }),
  });
  const { key } = (await response.json()) as { key?: string };
  if (!key) throw new Error(`no key: ${response.status}`);
  return key;
}

/** Makes and cancels payouts without a pause: the next one is asked for as soon as the last one was cancelled. */
export async function payOut(scene: Scene): Promise<void> {
  const { api, mallory, holder } = scene;
  const chosen = await holder.query<{ id: string }>(
    `SELECT id FROM commissions WHERE program_id = $1 AND status IN ('pending', 'approved')
      ORDER BY id LIMIT 5000`,
    [mallory.programId],
  );
  const commissionIds = chosen.rows.map(({ id }) => id);
  await holder.query(
    `UPDATE commissions SET status = 'approved', owed_cents = amount_cents, approved_at = now()
      WHERE id = ANY($1) AND status = 'pending'`,
    [commissionIds],
  );
  await holder.query('COMMIT; BEGIN');
  const post = async (path: string, body?: object): Promise<{ id?: string }> => {
    const response = await fetch(api + path, {
      method: 'POST',
      headers: json(mallory.token),
      ...(body && { body: JSON.stringify(body) }),
    });
    count(scene.answers, String(response.status));
    return (await response.json()) as { id?: string };
  };
  while (!scene.isOver()) {
    const { id } = await post('/api/v1/payouts', { programId: mallory.programId, commissionIds });
    if (id) await post(`/api/v1/payouts/${id}/cancel`);
  }
}
