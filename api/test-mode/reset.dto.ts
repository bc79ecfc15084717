import type { TestDataReset } from '../../entities/tables/test-data/test-data-reset.entity';
import { Instant, Json, OneOf, Uuid } from '../http/contract/validators';

const rowCounts = {
  schema: { type: 'object', additionalProperties: { type: 'integer' } },
  description: 'Rows by table.',
};

export class ResetDoneDto {
  @OneOf(['completed'])
  status!: 'completed';

  @Json({
    ...rowCounts,
    example: { programs: 1, participants: 3, clicks: 41, conversions: 7, commissions: 6 },
  })
  deleted!: Record<string, number>;
}

export class ResetQueuedDto {
  @OneOf(['queued'])
  status!: 'queued';

  @Uuid()
  resetId!: string;
}

export class ResetDto {
  @Uuid({ nullable: true, example: '01890a5d-ac96-774b-bcce-b302099a8057' })
  resetId!: string | null;

  @OneOf(['none', 'queued', 'running', 'completed', 'failed'], { example: 'running' })
  status!: TestDataReset['status'] | 'none';

  @Json({
    ...rowCounts,
    example: { programs: 1, participants: 3, clicks: 41, conversions: 7, commissions: 6 },
  })
  deleted!: Record<string, number>;

  @Instant({ nullable: true, example: '2026-01-31T09:30:00.000Z' })
  startedAt!: string | null;

  @Instant({ nullable: true })
  finishedAt!: string | null;
}

/** A workspace's last reset, as far as it has come. */
export function presentReset(reset: TestDataReset | undefined): ResetDto {
  if (!reset) {
    return { resetId: null, status: 'none', deleted: {}, startedAt: null, finishedAt: null };
  }
  return {
    resetId: reset.id,
    status: reset.status,
    deleted: reset.deleted ?? {},
    startedAt: reset.startedAt?.toISOString() ?? null,
    finishedAt: reset.finishedAt?.toISOString() ?? null,
  };
}
