import {
  payoutItemStatuses,
  reportedStatuses,
  type PayoutItemStatus,
  type ReportedStatus,
} from '../../entities/rules/payouts/status';
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

  @ListOf(() => ResultChangeDto, { description: 'What the file changes, in its order.' })
  changes!: ResultChangeDto[];

  @Int({ min: 0, description: 'Rows that say what is known, or that nothing is decided.' })
  unchanged!: number;

  @ListOf(() => ResultProblemDto)
  problems!: ResultProblemDto[];
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
  problems: [{ line: 3, message: 'No item of this payout fits.' }],
};
