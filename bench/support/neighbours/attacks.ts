import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { newId } from '../../../entities/ids';
import { openPayments, renewPayments, sendRefunds } from './attacks-of-a-processor';
import { payOut, sellWithManyKeys } from './attacks-of-a-workspace';
import { hang } from './receivers';
import { count, fire, repeat, type Attack, type Scene, type Target } from './scene';
import { click, json, reject, sale, type Tenant } from './tenant';

export const attacks: Record<string, Attack> = {
  nothing: () => Promise.resolve(),
  'a locked sale, reported 10 times a second': (scene) => holdSale(scene, `order-${newId()}`),
  'a locked payment of a processor, the same': (scene) =>
    holdSale(scene, `pi_${newId().replaceAll('-', '')}`),
  'a locked commission, decided and in bulk': holdCommission,
  'bodies of 80,000 rules, 5 a second': (scene) => repeat(scene, 5, () => sendRules(scene)),
  'wrong passwords from a network each, 20 a second': (scene) =>
    repeat(scene, 20, (turn) => guessPassword(scene, turn)),
  'sign-ins above the speed of hashing, a network each, 80 a second': (scene) =>
    repeat(scene, 80, (turn) => guessPassword(scene, turn)),
  'made-up public keys, 100 a second': (scene) => repeat(scene, 100, () => guessKey(scene)),
  'twenty exports that are not read': (scene) => stallExports(scene),
  'twenty JSON exports that are not read': (scene) => stallJsonExports(scene),
  'eight receivers that hang, 10 sales a second': hangReceivers,
  'signals and metadata of 250 KB, 5 a second': (scene) => repeat(scene, 5, () => sendLong(scene)),
  'events of 20,000 refunds, 2 a second': (scene) => repeat(scene, 2, () => sendRefunds(scene)),
  'first payments of customers with 200 paid invoices each, one a second': (scene) =>
    repeat(scene, 1, () => renewPayments(scene)),
  'sales by twenty keys of a workspace, each at the limit of one': sellWithManyKeys,
  'payouts of 5,000 commissions, made and cancelled in turn': payOut,
  'the docs page, 30 a second': (scene) =>
    repeat(scene, 30, () =>
      fire(scene, { method: 'GET', path: '/api/docs', headers: {}, body: '' }),
    ),
  'two hundred answers that are not read': (scene) => stallDocuments(scene),
};

/** What is made ready for so many seconds of an attack, before anything is measured. */
export async function prepare(name: string, target: Target, seconds: number): Promise<void> {
  if (name.startsWith('first payments')) await openPayments(target, seconds);
}

/** How long an attack goes on before it is measured: until the first receivers have timed out. */
export const leadMs = (name: string): number => (attacks[name] === hangReceivers ? 15_000 : 0);

async function hangReceivers(scene: Scene): Promise<void> {
  const takeAway = await hang(scene, 8);
  await repeat(scene, 10, () => fire(scene, sale(scene.mallory, newId())));
  await takeAway();
}

/** An id whose conversion is not committed yet, as the transaction of an event leaves it. */
async function holdSale(scene: Scene, id: string): Promise<void> {
  await scene.holder.query(
    `INSERT INTO conversion_aliases (workspace_id, mode, alias, conversion_id)
     VALUES ($1, 'live', $2, $3)`,
    [scene.mallory.workspaceId, id, newId()],
  );
  await repeat(scene, 10, () => fire(scene, sale(scene.mallory, id)));
}

async function holdCommission(scene: Scene): Promise<void> {
  const { holder, mallory } = scene;
  const commissionId = mallory.pending.pop() ?? '';
  await holder.query('SELECT 1 FROM commissions WHERE id = $1 FOR UPDATE', [commissionId]);
  const bulk = {
    ...reject(mallory, ''),
    path: `/api/v1/programs/${mallory.programId}/commissions/bulk-reject`,
    body: JSON.stringify({ commissionIds: [commissionId], reason: 'not a sale' }),
  };
  await repeat(scene, 5, async () => {
    await Promise.all([fire(scene, reject(mallory, commissionId)), fire(scene, bulk)]);
  });
}

const rules = JSON.stringify({ rules: Array.from({ length: 80_000 }, () => ({})) });

function sendRules(scene: Scene): Promise<void> {
  const { mallory } = scene;
  const path = `/api/v1/programs/${mallory.programId}/commission-rules`;
  return fire(scene, { method: 'PUT', path, headers: json(mallory.token), body: rules });
}

function guessPassword(scene: Scene, turn: number): Promise<void> {
  return fire(scene, {
    path: '/api/v1/auth/merchant/login',
    headers: {
      'Content-Type': 'application/json',
      'X-Forwarded-For': `2001:db8:${turn.toString(16)}::1`,
    },
    body: JSON.stringify({ email: `${turn}@example.test`, password: 'not the password' }),
  });
}

function guessKey(scene: Scene): Promise<void> {
  const publicKey = `pk_live_${newId().replaceAll('-', '')}`;
  const shot = click({ publicKey, ref: 'x' } as Tenant);
  return fire(scene, { ...shot, headers: { ...shot.headers, 'X-Forwarded-For': '192.0.2.1' } });
}

const longText = 'a'.repeat(250_000);

function sendLong(scene: Scene): Promise<void> {
  const shot = sale(scene.mallory, newId());
  return fire(scene, { ...shot, body: `{"click_id":"${longText}",${shot.body.slice(1)}` });
}

const stallExports = (scene: Scene): Promise<void> =>
  stall(scene, 20, [
    'GET /api/v1/commissions/export HTTP/1.1',
    `Authorization: Bearer ${scene.mallory.token}`,
  ]);

const stallJsonExports = (scene: Scene): Promise<void> =>
  stall(scene, 20, [
    `POST /api/v1/programs/${scene.mallory.programId}/partners/${scene.mallory.participantId}/export HTTP/1.1`,
    `Authorization: Bearer ${scene.mallory.token}`,
    'Content-Length: 0',
  ]);

const stallDocuments = (scene: Scene): Promise<void> =>
  stall(scene, 200, ['GET /api/openapi.json HTTP/1.1']);

/** Sockets that ask and take nothing of the answer. */
async function stall(
  { api, isOver, answers }: Scene,
  most: number,
  request: string[],
): Promise<void> {
  const { hostname, port } = new URL(api);
  const sockets: Socket[] = Array.from({ length: most }, () => {
    const socket = connect(Number(port), hostname);
    // The first bytes say how it is answered; the rest stays where it is.
    socket.once('data', (bytes) => {
      socket.pause();
      count(answers, String(bytes.subarray(9, 12)));
    });
    socket.on('error', () => undefined);
    const [first = '', ...headers] = request;
    socket.write([first, 'Host: x', ...headers, '', ''].join('\r\n'));
    return socket;
  });
  while (!isOver()) await pause(100);
  sockets.forEach((socket) => socket.destroy());
}
