import type { MoveResult } from '../../activities/partners/move';
import { errorRegistry } from '../../entities/errors';
import {
  participantStatuses,
  type ParticipantStatus,
} from '../../entities/rules/partners/participant-status';
import { groupSources, type GroupSource } from '../../entities/rules/programs/groups';
import { actorTypes, type Actor } from '../../entities/rules/values/actor';
import { ErrorDto } from '../http/contract/error-envelope';
import { present } from '../http/contract/present';
import {
  absent,
  AnyText,
  Flag,
  Instant,
  Int,
  ListOf,
  Nested,
  OneOf,
  Text,
  Uuid,
  Uuids,
} from '../http/contract/validators';

export class MoveBody {
  @Uuid({ description: 'Where they go; the default group has the id of the programme.' })
  groupId!: string;

  @Text({ min: 1, max: 500, ...absent, description: 'Shown in the history to members only.' })
  reason?: string | null;
}

export class BulkMoveBody extends MoveBody {
  @Uuids({ min: 1, max: 100, distinct: true, description: '1 to 100, each once.' })
  participantIds!: string[];
}

export class MovedDto {
  @Uuid()
  participantId!: string;

  @Flag()
  ok!: boolean;

  @OneOf(participantStatuses, { optional: true, description: 'Of the participant.' })
  status?: ParticipantStatus;

  @AnyText({ optional: true, description: 'The code of the single operation.' })
  code?: string;

  @AnyText({ optional: true })
  message?: string;
}

export class BulkMoveDto {
  @Int({ min: 0 })
  succeeded!: number;

  @Int({ min: 0 })
  failed!: number;

  @ListOf(() => MovedDto, { description: 'In the order of the request.' })
  results!: MovedDto[];
}

export class BulkMoveFailedDto extends ErrorDto {
  @OneOf(['BULK_ALL_FAILED'])
  declare code: 'BULK_ALL_FAILED';

  @ListOf(() => MovedDto, { optional: true, description: 'With BULK_ALL_FAILED.' })
  results?: MovedDto[];
}

export function presentMoves(results: readonly MoveResult[]): BulkMoveDto {
  const items = results.map(({ participantId, status, code }): MovedDto => {
    const after = { participantId, ok: code === undefined, ...(status ? { status } : {}) };
    return code === undefined ? after : { ...after, code, message: errorRegistry[code].message };
  });
  const succeeded = items.filter(({ ok }) => ok).length;
  return { succeeded, failed: items.length - succeeded, results: items };
}

class MembershipActorDto {
  @OneOf(actorTypes)
  type!: Actor['type'];

  @Uuid({ nullable: true, description: 'The account or key.' })
  id!: string | null;
}

/** A time in which a participant was in a group. */
export class MembershipDto {
  @Uuid()
  groupId!: string;

  @AnyText()
  groupName!: string;

  @Instant()
  from!: string;

  @Instant({ nullable: true, description: 'Null: until now.' })
  until!: string | null;

  @OneOf(groupSources)
  source!: GroupSource;

  @Nested(() => MembershipActorDto)
  actor!: MembershipActorDto;

  @AnyText({ nullable: true })
  reason!: string | null;
}

export interface MembershipRow {
  groupId: string;
  groupName: string;
  from: Date;
  until: Date | null;
  source: GroupSource;
  actorType: Actor['type'];
  actorId: string | null;
  reason: string | null;
}

export function presentMembership({ actorType, actorId, ...row }: MembershipRow): MembershipDto {
  return present(MembershipDto, { ...row, actor: { type: actorType, id: actorId } });
}

const moved: MovedDto = {
  participantId: '0198c0de-2000-7000-8000-000000000002',
  ok: true,
  status: 'approved',
};
const failed: MovedDto = {
  participantId: '0198c0de-2000-7000-8000-000000000012',
  ok: false,
  code: 'PARTICIPANT_ERASED',
  message: errorRegistry.PARTICIPANT_ERASED.message,
};
export const movesExample: BulkMoveDto = { succeeded: 1, failed: 0, results: [moved] };
export const partlyMovedExample: BulkMoveDto = {
  succeeded: 1,
  failed: 1,
  results: [moved, failed],
};
export const noneMovedExample = {
  statusCode: 422,
  error: 'Unprocessable Entity',
  code: 'BULK_ALL_FAILED' as const,
  message: errorRegistry.BULK_ALL_FAILED.message,
  results: [failed],
};

export const membershipExample: MembershipDto = {
  groupId: '0198c0de-6000-7000-8000-000000000006',
  groupName: 'Gold',
  from: '2026-02-01T08:00:00.000Z',
  until: null,
  source: 'hand',
  actor: { type: 'member', id: '0198c0de-3000-7000-8000-000000000031' },
  reason: 'Agreed by phone.',
};
