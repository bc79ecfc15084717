import type { MoveResult } from '../../activities/partners/move';
import { AppError, errorRegistry } from '../../entities/errors';
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
import { exampleOf } from '../http/contract/example';
import { toEnvelope } from '../http/contract/error-envelope';

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

  @OneOf(participantStatuses, {
    optional: true,
    description: 'Of the participant.',
    example: 'approved',
  })
  status?: ParticipantStatus;

  @AnyText({ optional: true, description: 'The code of the single operation.' })
  code?: string;

  @AnyText({ optional: true })
  message?: string;
}

export class BulkMoveDto {
  @Int({ min: 0, example: 1 })
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

  @Uuid({
    nullable: true,
    description: 'The account or key.',
    example: '0198c0de-3000-7000-8000-000000000031',
  })
  id!: string | null;
}

/** A time in which a participant was in a group. */
export class MembershipDto {
  @Uuid()
  groupId!: string;

  @AnyText({ example: 'Gold' })
  groupName!: string;

  @Instant()
  from!: string;

  @Instant({ nullable: true, description: 'Null: until now.' })
  until!: string | null;

  @OneOf(groupSources, { example: 'hand' })
  source!: GroupSource;

  @Nested(() => MembershipActorDto)
  actor!: MembershipActorDto;

  @AnyText({ nullable: true, example: 'Agreed by phone.' })
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

const failed: MovedDto = {
  participantId: '0198c0de-2000-7000-8000-000000000012',
  ok: false,
  code: 'PARTICIPANT_ERASED',
  message: errorRegistry.PARTICIPANT_ERASED.message,
};

export const partlyMovedExample = exampleOf(BulkMoveDto, {
  failed: 1,
  results: [exampleOf(MovedDto), failed],
});

export const noneMovedExample = {
  ...toEnvelope(new AppError('BULK_ALL_FAILED')),
  results: [failed],
};
