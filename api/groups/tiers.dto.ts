import {
  figureMetrics,
  maxAtLeast,
  type FigureMetric,
} from '../../entities/rules/programs/figures';
import { maxSteps, type Tiers } from '../../entities/rules/programs/tiers';
import { Flag, Int, ListOf, OneOf, Uuid } from '../http/contract/validators';

export class TierStepDto {
  @Int({ min: 1, max: maxAtLeast, description: 'Of revenue minor units.', example: 10 })
  atLeast!: number;

  @Uuid()
  groupId!: string;
}

/** What a figure counts. */
export const metricField = {
  description:
    "customers: whose first attributed payment was the partner's; conversions: sales above 0, renewals too; revenue: net of refunds, in the programme's currency alone.",
};

/** The tiers of a programme: the figure from which on a partner is in each group. */
export class TiersDto {
  @OneOf(figureMetrics, metricField)
  metric!: FigureMetric;

  @OneOf(['lifetime'])
  window!: 'lifetime';

  @Flag({ description: 'False: nobody is moved down.' })
  demote!: boolean;

  @ListOf(() => TierStepDto, { description: 'Rising.' })
  steps!: TierStepDto[];
}

export class TiersBody {
  @OneOf(figureMetrics, metricField)
  metric!: FigureMetric;

  @OneOf(['lifetime'], { optional: true })
  window?: 'lifetime';

  @Flag({ optional: true, description: 'Only false.' })
  demote?: boolean;

  @ListOf(() => TierStepDto, {
    max: maxSteps,
    description: 'Rising, each group once, never the default one.',
  })
  steps!: TierStepDto[];
}

export function presentTiers({ metric: of, steps }: Tiers): TiersDto {
  const shown = steps.map(({ atLeast, groupId }) => ({ atLeast, groupId }));
  return { metric: of, window: 'lifetime', demote: false, steps: shown };
}
