import type { TestDataReset } from '../../entities/tables/test-data/test-data-reset.entity';
import { Instant, Json, OneOf, Uuid } from '../http/contract/validators';

const rowCounts = {
  schema: { type: 'object', additionalProperties: { type: 'integer' } },
  description: 'Rows by table.',
};

export class ResetDoneDto {
  @OneOf(['completed'])
  status!: 'completed';

  @Json(rowCounts)
  deleted!: Record<string, number>;
}

export class ResetQueuedDto {
  @OneOf(['queued'])
  status!: 'queued';

  @Uuid()
  resetId!: string;
}

export class ResetDto {
  @Uuid({ nullable: true })
  resetId!: string | null;

  @OneOf(['none', 'queued', 'running', 'completed', 'failed'])
  status!: TestDataReset['status'] | 'none';

  @Json(rowCounts)
  deleted!: Record<string, number>;

  @Instant({ nullable: true })
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
