import { guidePath } from '../docs/pages';
import { present } from '../http/contract/present';
import { billers, type Biller } from '../../entities/rules/billing/biller';
import { AnyText, Instant, Int, ListOf, Nested, OneOf } from '../http/contract/validators';
import type { Snippet } from '../snippet/build';
import type { BillerArrival, LastArrivals, OriginRow } from './tracking.queries';

export class TrackingScriptDto {
  @AnyText({
    description: 'Address of exactly these bytes, for a page that writes down `integrity`.',
    example: 'https://api.example.com/v1/selgeo.0123456789abcdef.js',
  })
  url!: string;

  @AnyText({
    description: 'For the attribute `integrity`, beside `crossorigin="anonymous"`.',
    example: 'sha384-OLBgp1GsljhM2TJ+sbHjaiH9txEUvgdDTAzHv2P24donTt6/529l+9Ua0vFImLlb',
  })
  integrity!: string;
}

export class UnknownRefDto {
  @AnyText({ description: 'As it was sent, cut to 255 characters.', example: 'amce' })
  ref!: string;

  @Instant()
  at!: string;
}

export class TrackedOriginDto {
  @AnyText({ example: 'https://www.shop.example' })
  origin!: string;

  @Int({ description: 'Recorded in the last 7 UTC days.', example: 42 })
  clicks!: number;

  @Instant({ description: 'The last click from there, repeats too.' })
  lastSeenAt!: string;
}

class TrackedBillerDto {
  @OneOf(billers, { example: 'paddle' })
  biller!: Biller;

  @Instant({ nullable: true })
  lastEventAt!: string | null;
}

export class TrackingDto {
  @Nested(() => TrackingScriptDto)
  script!: TrackingScriptDto;

  @AnyText({
    description: 'The guide, from the script to the first attributed sale.',
    example: 'https://api.example.com/api/docs/integrate',
  })
  guideUrl!: string;

  @Instant({ nullable: true, example: '2026-01-31T09:30:00.000Z' })
  lastClickAt!: string | null;

  @Nested(() => UnknownRefDto, {
    nullable: true,
    description: 'The last `ref` that led nowhere: a typing error, or a key of the other mode.',
  })
  lastUnknownRef!: UnknownRefDto | null;

  @Instant({ nullable: true, example: '2026-01-31T10:00:00.000Z' })
  lastConversionAt!: string | null;

  @Instant({ nullable: true })
  lastStripeEventAt!: string | null;

  @ListOf(() => TrackedBillerDto, {
    max: 3,
    description: 'Connected billers, and when each told something last.',
  })
  billers!: TrackedBillerDto[];

  @ListOf(() => TrackedOriginDto, { max: 20, description: 'Those with most clicks first.' })
  origins!: TrackedOriginDto[];
}

/** What the endpoint answers. */
export function presentTracking(
  { pinnedPath, integrity }: Snippet,
  publicBaseUrl: string,
  {
    last,
    billers,
    origins,
  }: { last: LastArrivals; billers: BillerArrival[]; origins: OriginRow[] },
): TrackingDto {
  const { unknownRef: ref, unknownRefAt: at } = last;
  return present(TrackingDto, {
    ...last,
    script: { url: publicBaseUrl + pinnedPath, integrity },
    guideUrl: publicBaseUrl + guidePath,
    lastUnknownRef: ref !== null && at !== null ? { ref, at: at.toISOString() } : null,
    billers: billers.map((biller) => present(TrackedBillerDto, biller)),
    origins: origins.map((origin) => present(TrackedOriginDto, origin)),
  });
}
