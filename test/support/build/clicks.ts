import type { ClickRecord } from '../../../activities/clicks/clicks';
import { Click } from '../../../entities/tables/clicks/click.entity';
import { newId, uuidTime } from '../../../entities/ids';
import type { Db } from '../../../entities/database/sql';
import { buildParticipant, type BuiltParticipant, type ParticipantOverrides } from './programs';
import { insertAll } from '../../../entities/database/insert-all';

const day = 24 * 3_600_000;

export interface ClickOverrides extends Partial<
  Pick<
    ClickRecord,
    | 'linkId'
    | 'visitorId'
    | 'creditable'
    | 'expiresAt'
    | 'url'
    | 'referrer'
    | 'userAgent'
    | 'ipHash'
  >
> {
  /** When it was made; now unless told. */
  at?: Date;
  /** The participant; when it is left out, one is made of `participantOf`. */
  participant?: BuiltParticipant;
  participantOf?: ParticipantOverrides;
}

/** A stored click of a participant, through its default link, with a window of 30 days. */
export async function buildClick(db: Db, overrides: ClickOverrides = {}): Promise<ClickRecord> {
  const { at, participant: given, participantOf, ...columns } = overrides;
  const participant = given ?? (await buildParticipant(db, participantOf ?? {}));
  const id = newId(at ?? new Date());
  const createdAt = uuidTime(id);
  const click: ClickRecord = {
    id,
    createdAt,
    workspaceId: participant.workspaceId,
    mode: participant.mode,
    programId: participant.programId,
    participantId: participant.id,
    linkId: participant.linkId,
    visitorId: newId(),
    creditable: participant.status === 'approved',
    expiresAt: new Date(createdAt.getTime() + 30 * day),
    url: 'https://shop.example/?ref=partner',
    referrer: null,
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0 Safari/537.36',
    ipHash: null,
    ...columns,
  };
  await insertAll(db, { into: Click, rows: [{ ...click }] });
  return click;
}
