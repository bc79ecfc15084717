import type { ReachedBonus } from '../../activities/standings/bonuses';
import { maxBonusCents, maxBonuses } from '../../entities/rules/programs/bonuses';
import {
  figureMetrics,
  maxAtLeast,
  type FigureMetric,
} from '../../entities/rules/programs/figures';
import { maxHoldDays } from '../../entities/rules/programs/terms';
import { present } from '../http/contract/present';
import {
  absent,
  CurrencyCode,
  Flag,
  Instant,
  Int,
  ListOf,
  Name,
  Nested,
  OneOf,
  Uuid,
  Uuids,
} from '../http/contract/validators';
import { metricField } from './tiers.dto';

const nullable = { nullable: true } as const;
const inherited = "Null: the group's, else the programme's.";

class BonusWindowDto {
  @Instant({
    ...nullable,
    description: 'Inclusive; null: all that ever was.',
    example: '2026-01-31T09:30:00.000Z',
  })
  from!: string | null;

  @Instant({ ...nullable, description: 'Exclusive; null: without end.' })
  to!: string | null;
}

class BonusWindowBody {
  @Instant({
    ...absent,
    description: 'Inclusive. Absent: when the bonus was first given; null: all that ever was.',
  })
  from?: string | null;

  @Instant({ ...absent, description: 'Exclusive.' })
  to?: string | null;
}

const groupsField = {
  min: 1,
  max: 100,
  distinct: true,
  description: 'For partners who are in one of these; null: for all.',
} as const;

/** What a partner earns once, by a figure. */
export class BonusDto {
  @Uuid()
  id!: string;

  @Name({ example: 'First three' })
  name!: string;

  @OneOf(figureMetrics, metricField)
  metric!: FigureMetric;

  @Int({ min: 1, max: maxAtLeast, example: 3 })
  atLeast!: number;

  @Nested(() => BonusWindowDto, { description: 'Which payments count, by when they were made.' })
  window!: BonusWindowDto;

  @Int({ min: 1, max: maxBonusCents, description: 'Minor units.', example: 10_000 })
  amountCents!: number;

  @CurrencyCode()
  currency!: string;

  @Uuids({ ...groupsField, nullable: true })
  groupIds!: string[] | null;

  @Int({ min: 0, max: maxHoldDays, ...nullable, description: inherited, example: null })
  holdDays!: number | null;

  @Flag({ ...nullable, description: inherited, example: null })
  autoApprove!: boolean | null;

  @Int({ min: 0, description: 'Approved partners who have its figure and have not earned it.' })
  reached!: number;
}

export class BonusesDto {
  @ListOf(() => BonusDto)
  bonuses!: BonusDto[];
}

class GivenBonusBody {
  @Uuid({ ...absent, description: 'Of one that goes on; a new one has none.' })
  id?: string | null;

  @Name({
    example: 'First three',
    description: 'Partners read it, and it is pinned on commissions for ever: no names of persons.',
  })
  name!: string;

  @OneOf(figureMetrics, metricField)
  metric!: FigureMetric;

  @Int({ min: 1, max: maxAtLeast, description: 'Of revenue minor units.' })
  atLeast!: number;

  @Nested(() => BonusWindowBody, {
    ...absent,
    description:
      'Which payments count, by when they were made; what is told after `to` and was paid before it counts.',
  })
  window?: BonusWindowBody | null;

  @Int({ min: 1, max: maxBonusCents, description: 'Minor units.' })
  amountCents!: number;

  @CurrencyCode({ ...absent, description: "The programme's unless given." })
  currency?: string | null;

  @Uuids({ ...absent, ...groupsField })
  groupIds?: string[] | null;

  @Int({ min: 0, max: maxHoldDays, ...absent, description: inherited })
  holdDays?: number | null;

  @Flag({ ...absent, description: inherited })
  autoApprove?: boolean | null;
}

export class BonusesBody {
  @ListOf(() => GivenBonusBody, { max: maxBonuses })
  bonuses!: GivenBonusBody[];

  @Int({
    min: 0,
    ...absent,
    description:
      'How many partners are paid a new or changed bonus at once: the sum of their `reached`.',
  })
  expectedReached?: number | null;
}

export function presentBonuses(bonuses: readonly ReachedBonus[]): BonusesDto {
  return { bonuses: bonuses.map((bonus) => present(BonusDto, bonus)) };
}
