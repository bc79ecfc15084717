import { once } from 'node:events';
import { createServer, request, type ClientRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AppError } from '../../../entities/errors';
import { newId } from '../../../entities/ids';
import { readRawBody } from '../../../api/http/contract/body/body';
import type { ImportDto } from '../../../api/imports/imports.dto';
import { useApp } from '../../support/app';
import { buildMember, signIn } from '../../support/build/accounts';
import { buildProgram } from '../../support/build/programs';
import { cutover } from '../../support/imports';

const app = useApp();
const csv = 'partner_id,email\np1,ann@example.com\n';
const whole = 20 * 1024 * 1024;

/** A workspace with an import, and how a file of it is begun. */
async function buildMover() {
  const owner = await buildMember(app.deps.db.manager);
  const program = await buildProgram(app.deps.db.manager, { workspaceId: owner.workspaceId });
  const { accessToken } = await signIn(app.deps, owner);
  const path = `/api/v1/programs/${program.id}/imports`;
  const made = await app.client.as(accessToken).post<ImportDto>(path, { source: 'csv', cutover });
  const begin = (bytes: number): ClientRequest =>
    request(`${app.url}${path}/${made.body.id}/files/partners`, {
      method: 'PUT',
      headers: {
        'Content-Type': 'text/csv',
        'Content-Length': bytes,
        Authorization: `Bearer ${accessToken}`,
      },
    });
  return { begin };
}

const answerTo = async (sent: ClientRequest): Promise<number | undefined> => {
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  answer.resume();
  return answer.statusCode;
};

it('files of megabytes are one of a workspace in memory: the next waits on its way', async () => {
  const [mover, neighbour] = [await buildMover(), await buildMover()];
  const slow = mover.begin(whole);
  slow.on('error', () => undefined);
  // The body is more than sockets hold: it is being read.
  await new Promise((resolve) => slow.write(Buffer.alloc(16 * 1024 * 1024, 'x'), resolve));
  const next = mover.begin(csv.length);
  let isAnswered = false;
  const answered = answerTo(next).finally(() => (isAnswered = true));
  next.end(csv);
  // Another workspace's file is read meanwhile.
  const other = neighbour.begin(csv.length);
  other.end(csv);
  expect(await answerTo(other)).toBe(204);
  const wasAnswered = isAnswered;
  slow.destroy();
  expect(wasAnswered).toBe(false);
  expect(await answered).toBe(204);
});

it('a file that comes slowly loses its place', async () => {
  const read: Promise<unknown>[] = [];
  const server = createServer((req) => {
    read.push(readRawBody({ req }, whole, 20).catch((error: unknown) => error));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const slow = request({ port, host: '127.0.0.1', method: 'PUT', path: `/${newId()}` });
  const lost = once(slow, 'error');
  slow.write('x');
  await lost;
  expect(await read[0]).toBeInstanceOf(AppError);
  server.close();
});
