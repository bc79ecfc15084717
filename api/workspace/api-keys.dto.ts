import type { ApiKeyRecord } from '../../activities/credentials/api-keys';
import type { FieldProblem } from '../../entities/errors';
import { keyKinds, modes, type KeyKind, type Mode } from '../../entities/rules/values/mode';
import { keyRoles, type KeyRole } from '../../entities/rules/values/roles';
import { PageQuery } from '../http/contract/pagination';
import {
  AnyText,
  Instant,
  Name,
  Nested,
  OneOf,
  QueryFlag,
  Uuid,
} from '../http/contract/validators';

export class CreateApiKeyBody {
  @OneOf(keyKinds)
  kind!: KeyKind;

  @OneOf(modes)
  mode!: Mode;

  @Name({ optional: true, nullable: true, example: 'Shop server' })
  name?: string | null;

  @OneOf(keyRoles, { optional: true, description: 'What a management key may do; of these only.' })
  role?: KeyRole;

  @Uuid({
    optional: true,
    nullable: true,
    description: 'The one programme that a management key reaches; of these only.',
  })
  programId?: string | null;
}

export class ApiKeyQuery extends PageQuery {
  @OneOf(modes, { optional: true, description: 'Narrows to one mode, whatever X-Mode says.' })
  mode?: Mode;

  @QueryFlag({ optional: true, description: 'Revoked ones, or those in use.' })
  revoked?: boolean;
}

/** A role is what makes a key manage: it goes with that kind, and that kind with it. */
export function problemsOfKey({ kind, role, programId }: CreateApiKeyBody): FieldProblem[] {
  if (kind === 'management') {
    const message = `must be one of ${keyRoles.join(', ')} for a management key`;
    return role === undefined ? [{ field: 'role', message }] : [];
  }
  const message = 'is for management keys only';
  return [
    ...(role === undefined ? [] : [{ field: 'role', message }]),
    ...(programId === undefined || programId === null ? [] : [{ field: 'programId', message }]),
  ];
}

export class KeyMakerDto {
  @Uuid()
  id!: string;

  @AnyText({
    nullable: true,
    description: 'Null once they have left.',
    example: 'mia@shop.example',
  })
  email!: string | null;
}

export class ApiKeyDto {
  @Uuid()
  id!: string;

  @OneOf(keyKinds, { example: 'secret' })
  kind!: KeyKind;

  @OneOf(modes, { example: 'test' })
  mode!: Mode;

  @AnyText({ nullable: true, example: 'Shop server' })
  name!: string | null;

  @OneOf(keyRoles, { nullable: true, description: 'Of a management key.' })
  role!: KeyRole | null;

  @Uuid({
    nullable: true,
    description: 'The one programme that a management key reaches.',
    example: null,
  })
  programId!: string | null;

  @AnyText({ example: 'sk_test_xxxx' })
  prefix!: string;

  @AnyText({ example: 'xxxx' })
  last4!: string;

  @Nested(() => KeyMakerDto, {
    nullable: true,
    description: 'The member who made it; null of old keys where nothing tells.',
  })
  createdBy!: KeyMakerDto | null;

  @Instant()
  createdAt!: string;

  @Instant({ nullable: true, description: 'To the minute.' })
  lastUsedAt!: string | null;

  @Instant({ nullable: true })
  revokedAt!: string | null;

  @AnyText({
    optional: true,
    description: 'The whole key: always for public ones, for the others only when just made.',
  })
  key?: string;
}

export function presentApiKey(record: ApiKeyRecord & { key?: string }): ApiKeyDto {
  const key = record.key ?? record.publicKey;
  return {
    id: record.id,
    kind: record.kind,
    mode: record.mode,
    name: record.name,
    role: record.role,
    programId: record.programId,
    prefix: record.prefix,
    last4: record.last4,
    createdBy: record.createdBy ? { id: record.createdBy, email: record.makerEmail } : null,
    createdAt: record.createdAt.toISOString(),
    lastUsedAt: record.lastUsedAt?.toISOString() ?? null,
    revokedAt: record.revokedAt?.toISOString() ?? null,
    ...(key === null ? {} : { key }),
  };
}
