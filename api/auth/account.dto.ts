import { AnyText, Flag, Instant, Name, Uuid } from '../http/contract/validators';
import type { SessionRow } from './sessions.queries';

export class RenameAccountBody {
  @Name({ example: 'Mia Merchant' })
  name!: string;
}

export class SessionDto {
  @Uuid()
  id!: string;

  @Flag({ description: 'The session of this request.' })
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

export const sessionExample: SessionDto = {
  id: '019a0b1c-2d3e-7f40-8a51-62738495a6b9',
  current: true,
  createdAt: '2026-01-31T09:30:00.000Z',
  lastUsedAt: '2026-01-31T10:15:00.000Z',
  userAgent: 'Mozilla/5.0',
};
