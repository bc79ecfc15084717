import type { CommandContext } from '../../../activities/journal/cause';
import { decideParticipant } from '../../../activities/partners/participant-decisions';
import {
  addPromoCode,
  changeReferralCode,
  removePromoCode,
} from '../../../activities/partners/promo-codes';
import { createLink, deleteLink } from '../../../activities/partners/tracking-links';
import { addApiKey, revokeApiKey } from '../../../activities/credentials/api-keys';
import { countFrom, queryOne, type Db } from '../../../entities/database/sql';
import { newId } from '../../../entities/ids';
import { systemActor } from '../../../entities/rules/values/actor';
import type { Scope } from '../../../entities/rules/values/mode';
import { useDatabase } from '../../support/data-source';
import { buildApiKey, buildWorkspace } from '../../support/build/accounts';
import { buildLink, buildParticipant, buildPromoCode } from '../../support/build/programs';

const database = useDatabase();
let db: Db;
beforeAll(async () => {
  db = database.source.manager;
});

const vault = { contactHash: (text: string) => text };
const contextOf = ({ workspaceId, mode }: Scope): CommandContext => ({
  ...{ scope: { workspaceId, mode }, actor: systemActor, now: new Date() },
});

async function buildStory() {
  const participant = await buildParticipant(db);
  const link = await buildLink(db, participant);
  const { code } = await buildPromoCode(db, participant);
  const key = { programId: participant.programId, participantId: participant.id };
  return { participant, key, linkId: link.id, code };
}

type Story = Awaited<ReturnType<typeof buildStory>>;
type Command = (context: CommandContext, story: Story) => Promise<unknown>;

const targetUrl = 'https://shop.example/offer';
const commands: [string, Command][] = [
  ['decides', (c, { key }) => decideParticipant(db, c, { ...key, decision: 'suspend' })],
  ['adds a promo code', (c, { key }) => addPromoCode(db, c, { ...key, code: 'STRANGER' })],
  ['removes a promo code', (c, { key, code }) => removePromoCode(db, c, { ...key, code })],
  [
    'changes the referral code',
    (c, { key }) => changeReferralCode({ db, vault }, c, { ...key, code: `code-${key.programId}` }),
  ],
  ['creates a link', (c, { key }) => createLink(db, c, { ...key, targetUrl })],
  ['deletes a link', (c, { key, linkId }) => deleteLink(db, c, { ...key, linkId })],
];

const stateOf = ({ participant }: Story) =>
  queryOne(
    db,
    `SELECT p.status, p.referral_code, array(SELECT code FROM promo_codes
              WHERE participant_id = p.id ORDER BY code) AS codes,
            array(SELECT deleted_at::text FROM tracking_links
              WHERE participant_id = p.id ORDER BY id) AS links,
            (SELECT count(*) FROM audit_log WHERE workspace_id = p.workspace_id) AS audited
       FROM participants AS p WHERE p.id = $1`,
    [participant.id],
  );

describe.each([
  ['another workspace', ({ mode }: Scope): Scope => ({ workspaceId: newId(), mode })],
  ['the other mode', ({ workspaceId }: Scope): Scope => ({ workspaceId, mode: 'test' })],
])('a context of %s', (_name, otherThan) => {
  it.each(commands)('changes nothing when it %s', async (_command, run) => {
    const story = await buildStory();
    const before = await stateOf(story);
    await expect(run(contextOf(otherThan(story.participant)), story)).rejects.toMatchObject({
      code: 'PROGRAM_NOT_FOUND',
    });
    expect(await stateOf(story)).toEqual(before);
  });
});

it.each(commands)('a context of the own scope %s', async (_name, run) => {
  const story = await buildStory();
  const before = await stateOf(story);
  await run(contextOf(story.participant), story);
  expect(await stateOf(story)).not.toEqual(before);
});

it('leaves the keys of another workspace alone', async () => {
  const key = await buildApiKey(db);
  const { id: workspaceId } = await buildWorkspace(db);
  const stranger = contextOf({ workspaceId, mode: key.mode });
  await expect(revokeApiKey(db, stranger, { apiKeyId: key.id })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
  await addApiKey(db, stranger, { kind: 'public', mode: 'live', name: null, createdBy: newId() });
  const own = (id: string) =>
    countFrom(db, 'api_keys WHERE workspace_id = $1 AND revoked_at IS NULL', [id]);
  expect([await own(key.workspaceId), await own(workspaceId)]).toEqual([1, 1]);
});
