import { AnyText, Flag, Instant, Name, Uuid } from '../http/contract/validators';
import type { SessionRow } from './sessions.queries';

export class RenameAccountBody {
  @Name({ example: 'Mia Merchant' })
  name!: string;
}

export class SessionDto {
  @Uuid()
  id!: string;

  @Flag({ description: 'The session of this request.', example: true })
  current!: boolean;

  @Instant()
  createdAt!: string;

  @Instant({ description: 'To the minute.' })
  lastUsedAt!: string;

  @AnyText({ nullable: true })
  userAgent!: string | null;
}

export function presentSession(row: SessionRow, currentId: string): SessionDto {
  return {
    id: row.id,
    current: row.id === currentId,
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt.toISOString(),
    userAgent: row.userAgent,
  };
}
