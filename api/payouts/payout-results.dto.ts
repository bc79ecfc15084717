import {
  payoutItemStatuses,
  reportedStatuses,
  type PayoutItemStatus,
  type ReportedStatus,
} from '../../entities/rules/payouts/status';
import type { JudgedResults } from '../../entities/rules/payouts/judged-results';
import { present } from '../http/contract/present';
import { AnyText, Flag, Int, ListOf, OneOf, Uuid } from '../http/contract/validators';

export class ResultChangeDto {
  @Int({ min: 1, description: 'Of the file; the header is line 1.', example: 2 })
  line!: number;

  @Uuid()
  itemId!: string;

  @OneOf(payoutItemStatuses)
  from!: PayoutItemStatus;

  @OneOf(reportedStatuses)
  to!: ReportedStatus;

  @AnyText({ nullable: true, example: '5UR12345' })
  transactionId!: string | null;
}

export class ResultProblemDto {
  @Int({ min: 1, example: 3 })
  line!: number;

  @AnyText({ example: 'No item of this payout fits.' })
  message!: string;
}

export class PayoutResultsDto {
  @Flag({ description: 'Nothing was booked.', example: true })
  dryRun!: boolean;

  @Int({ min: 0, description: 'Without the header.', example: 2 })
  rows!: number;

  @ListOf(() => ResultChangeDto, {
    description:
      'What the file changes, by item; as it was where a row brings the first transaction.',
  })
  changes!: ResultChangeDto[];

  @Int({ min: 0, description: 'Rows that say what is known, or that nothing is decided.' })
  unchanged!: number;

  @Int({ min: 0, description: 'Rows that tell of no item: fees, holds, transfers.' })
  skipped!: number;

  @ListOf(() => ResultProblemDto, { description: 'The first 100.' })
  problems!: ResultProblemDto[];

  @Int({ min: 0, example: 1 })
  problemCount!: number;
}

/** More would say no more, and be as large as the file. */
const maxProblems = 100;

export function presentResults({
  dryRun,
  rows,
  ...judged
}: JudgedResults & { dryRun: boolean; rows: number }): PayoutResultsDto {
  const { changes, unchanged, skipped, problems } = judged;
  return {
    dryRun,
    rows,
    changes: changes.map((change) => present(ResultChangeDto, change)),
    unchanged,
    skipped,
    problems: problems.slice(0, maxProblems),
    problemCount: problems.length,
  };
}
