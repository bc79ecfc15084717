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
  @Int({ min: 1, description: 'Of the file; the header is line 1.' })
  line!: number;

  @Uuid()
  itemId!: string;

  @OneOf(payoutItemStatuses)
  from!: PayoutItemStatus;

  @OneOf(reportedStatuses)
  to!: ReportedStatus;

  @AnyText({ nullable: true })
  transactionId!: string | null;
}

export class ResultProblemDto {
  @Int({ min: 1 })
  line!: number;

  @AnyText()
  message!: string;
}

export class PayoutResultsDto {
  @Flag({ description: 'Nothing was booked.' })
  dryRun!: boolean;

  @Int({ min: 0, description: 'Without the header.' })
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

  @Int({ min: 0 })
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

export const payoutResultsExample: PayoutResultsDto = {
  dryRun: true,
  rows: 2,
  changes: [
    {
      line: 2,
      itemId: '0198c0de-7100-7000-8000-000000000071',
      from: 'ready',
      to: 'paid',
      transactionId: '5UR12345',
    },
  ],
  unchanged: 0,
  skipped: 0,
  problems: [{ line: 3, message: 'No item of this payout fits.' }],
  problemCount: 1,
};
