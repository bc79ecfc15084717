import { ServiceError } from '@temporalio/client';
import { anonymiseSubject } from '../../../activities/erasure/anonymise';
import { lockSubject } from '../../../activities/erasure/lock';
import { revokeAccess } from '../../../activities/erasure/access';
import type { ErasureKey } from '../../../activities/erasure/subject';
import { requestErasure } from '../../../api/erasure/request-erasure';
import { newId } from '../../../entities/ids';
import { queryOne } from '../../../entities/database/sql';
import { systemActor } from '../../../entities/rules/values/actor';
import type { EraseRequest } from '../../../runtime/temporal/messages';
import { type TestDeps, useDeps } from '../../support/app';
import { buildPartner } from '../../support/build/accounts';
import { buildParticipant } from '../../support/build/programs';

const deps = useDeps();

const now = new Date();
const lock = (key: ErasureKey) => lockSubject(deps, { actor: systemActor, now }, key);
const pass = (erasureId: string) => anonymiseSubject(deps, { now }, erasureId);

async function aPartner() {
  const db = deps.db.manager;
  const { id: subjectId } = await buildPartner(db);
  const { id } = await buildParticipant(db, { partnerId: subjectId, partnerName: 'Jane Doe' });
  const look = () =>
    queryOne(
      db,
      `SELECT p.partner_name AS name, p.erased_at IS NOT NULL AS erased FROM participants AS p
        WHERE p.id = $1`,
      [id],
    );
  return { subjectId, look };
}

/** Asks over a connection that `reached` gets the request through, and that then breaks. */
function ask(subjectId: string, reached: (key: ErasureKey) => Promise<unknown>) {
  const kind = 'account';
  const breaking = async (_name: string, { args }: { args: [EraseRequest] }) => {
    await reached({ erasureId: args[0].erasureId, kind, subjectId });
    const cause = Object.assign(new Error('broken'), { code: 14, details: '', metadata: {} });
    throw new ServiceError('the connection broke', { cause });
  };
  const temporal = {
    within: (_ms: number, call: (client: unknown) => Promise<unknown>) =>
      call({ workflow: { executeUpdateWithStart: breaking } }),
  } as unknown as TestDeps['temporal'];
  return requestErasure(
    { ...deps, temporal },
    { kind, subjectId, actor: { type: 'partner', id: newId() } },
  );
}

const away = { code: 'SERVICE_UNAVAILABLE', headers: { 'Retry-After': '10' } };
const untouched = { name: 'Jane Doe', erased: false };

describe('an erasure whose answer from Temporal is lost', () => {
  it('never begins when it had not: 503 means that nothing happens later either', async () => {
    const { subjectId, look } = await aPartner();
    let key: ErasureKey | undefined;
    await expect(ask(subjectId, (asked) => Promise.resolve((key = asked)))).rejects.toMatchObject(
      away,
    );

    // The request reaches a worker after all.
    if (!key) throw new Error('nothing was asked');
    await lock(key);
    await revokeAccess(deps, key.erasureId);
    expect(await pass(key.erasureId)).toBe(false);
    expect(await look()).toEqual(untouched);
  });

  it('is undone when it had begun', async () => {
    const { subjectId, look } = await aPartner();
    let key: ErasureKey | undefined;
    await expect(ask(subjectId, (asked) => lock((key = asked)))).rejects.toMatchObject(away);

    expect(await look()).toEqual(untouched);
    expect(await pass(key?.erasureId ?? '')).toBe(false);
  });

  it('is refused as erased when another request erased meanwhile', async () => {
    const { subjectId, look } = await aPartner();
    const other: ErasureKey = { erasureId: newId(), kind: 'account', subjectId };
    await expect(
      ask(subjectId, async () => {
        await lock(other);
        await pass(other.erasureId);
      }),
    ).rejects.toMatchObject({ code: 'ALREADY_ERASED' });

    expect(await look()).toEqual({ name: 'Erased partner', erased: true });
  });

  it('is answered as done when it is', async () => {
    const { subjectId, look } = await aPartner();
    const answer = await ask(subjectId, async (key) => {
      await lock(key);
      await pass(key.erasureId);
    });

    expect(answer).toEqual({ erasedAt: now.toISOString() });
    expect(await look()).toEqual({ name: 'Erased partner', erased: true });
  });
});
