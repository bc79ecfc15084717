import {
  resolveReferralToken,
  setReferralCode,
} from '../../../activities/partners/referral-tokens';
import { execute, transaction } from '../../../entities/database/sql';
import type { Db } from '../../../entities/database/sql';
import { buildLink, buildParticipant, buildProgram } from '../../support/build/programs';
import type { BuiltParticipant } from '../../support/build/programs';
import { useDatabase } from '../../support/data-source';

const database = useDatabase();
let db: Db;

beforeAll(() => {
  db = database.source.manager;
});

const setCode = (participant: BuiltParticipant, code: string): Promise<void> =>
  transaction(db, (tx) =>
    setReferralCode(
      tx,
      { ...participant, participantId: participant.id },
      { code, now: new Date() },
    ),
  );

describe('resolving a ref', () => {
  it('finds the default link by the referral code in any case', async () => {
    const participant = await buildParticipant(db, { referralCode: 'Anna-1' });

    const resolved = await resolveReferralToken(db, participant, 'ANNA-1');

    expect(resolved).toEqual({
      linkId: participant.linkId,
      participantId: participant.id,
      programId: participant.programId,
      participantStatus: 'approved',
      erased: false,
      attributionWindowDays: 30,
      targetUrl: 'https://shop.example',
    });
  });

  it('finds a link by its token, with its own target', async () => {
    const participant = await buildParticipant(db);
    const link = await buildLink(db, participant, { targetUrl: 'https://shop.example/sale' });

    const resolved = await resolveReferralToken(db, participant, link.token);

    expect(resolved).toMatchObject({ linkId: link.id, targetUrl: 'https://shop.example/sale' });
  });

  it('tells that the participant is erased', async () => {
    const participant = await buildParticipant(db, { erasedAt: new Date() });
    const resolved = await resolveReferralToken(db, participant, participant.referralCode);
    expect(resolved?.erased).toBe(true);
  });

  it.each(['pending', 'rejected', 'suspended'] as const)('resolves while %s', async (status) => {
    const participant = await buildParticipant(db, { status });
    const resolved = await resolveReferralToken(db, participant, participant.referralCode);
    expect(resolved?.participantStatus).toBe(status);
  });

  it('finds nothing for a deleted link, the other mode, another workspace, or nonsense', async () => {
    const participant = await buildParticipant(db);
    const link = await buildLink(db, participant);
    await execute(db, 'UPDATE referral_tokens SET retired_at = now() WHERE link_id = $1', [
      link.id,
    ]);
    const stranger = await buildProgram(db);

    const found = await Promise.all([
      resolveReferralToken(db, participant, link.token),
      resolveReferralToken(db, { ...participant, mode: 'test' }, participant.referralCode),
      resolveReferralToken(db, stranger, participant.referralCode),
      resolveReferralToken(db, participant, 'no such code'),
      resolveReferralToken(db, participant, '\0'),
    ]);

    expect(found).toEqual([undefined, undefined, undefined, undefined, undefined]);
  });
});

describe('changing a referral code', () => {
  it('keeps the replaced code leading to its participant', async () => {
    const participant = await buildParticipant(db, { referralCode: 'first-code' });

    await setCode(participant, 'second-code');

    const [first, second] = await Promise.all([
      resolveReferralToken(db, participant, 'first-code'),
      resolveReferralToken(db, participant, 'second-code'),
    ]);
    expect(first?.participantId).toBe(participant.id);
    expect(second).toEqual(first);
  });

  it('takes up its own code again, a past one too, as it is typed now', async () => {
    const participant = await buildParticipant(db, { referralCode: 'own-code' });
    await setCode(participant, 'own-other');
    await setCode(participant, 'OWN-Code');
    await setCode(participant, 'OWN-Code');
    const resolved = await resolveReferralToken(db, participant, 'own-code');
    expect(resolved?.participantId).toBe(participant.id);
  });

  it("refuses another participant's code, past ones too, and its own link tokens", async () => {
    const program = await buildProgram(db);
    const holder = await buildParticipant(db, { program, referralCode: 'held-code' });
    await setCode(holder, 'held-new');
    const other = await buildParticipant(db, { program });
    const link = await buildLink(db, other);

    for (const code of ['held-code', 'HELD-NEW', link.token]) {
      await expect(setCode(other, code)).rejects.toMatchObject({ code: 'REFERRAL_CODE_TAKEN' });
    }
  });

  it('gives a code to exactly one of many who ask at once', async () => {
    const program = await buildProgram(db);
    const rivals = await Promise.all(
      Array.from({ length: 8 }, () => buildParticipant(db, { program })),
    );

    const outcomes = await Promise.allSettled(rivals.map((rival) => setCode(rival, 'wanted')));

    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1);
  });

  it('lets two workspaces and both modes use one code', async () => {
    const live = await buildParticipant(db, { referralCode: 'shared' });
    const { workspaceId } = live;
    const test = await buildParticipant(db, { referralCode: 'shared', workspaceId, mode: 'test' });
    const foreign = await buildParticipant(db, { referralCode: 'shared' });
    const resolved = await Promise.all(
      [live, test, foreign].map((scope) => resolveReferralToken(db, scope, 'shared')),
    );
    expect(resolved.map((one) => one?.participantId)).toEqual([live.id, test.id, foreign.id]);
  });
});
