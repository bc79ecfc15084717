import { maxUrlLength, parseWebUrl, referralUrl } from '../../entities/rules/partners/link-target';
import type { FieldProblem } from '../../entities/errors';
import { present } from '../http/contract/present';
import { absent, AnyText, HttpUrl, Int, Name, Uuid } from '../http/contract/validators';

export class CreateLinkBody {
  @Name({ ...absent, example: 'Newsletter' })
  name?: string | null;

  @HttpUrl({
    max: maxUrlLength,
    description: "On the programme's website or a subdomain of it.",
    example: 'https://shop.example/sale?colour=red',
  })
  targetUrl!: string;
}

export function createLinkProblems({ targetUrl }: CreateLinkBody): FieldProblem[] {
  return parseWebUrl(targetUrl)
    ? []
    : [{ field: 'targetUrl', message: 'must be an absolute http or https URL' }];
}

export class TrackingLinkDto {
  @Uuid()
  id!: string;

  @AnyText({ example: 'k7m2p9q4xz' })
  token!: string;

  @AnyText({
    description: 'What visitors are given: the target with ?ref=<token>.',
    example: 'https://shop.example/sale?colour=red&ref=k7m2p9q4xz',
  })
  url!: string;

  @AnyText({ nullable: true, description: 'Null for the default link.', example: 'Newsletter' })
  name!: string | null;

  @AnyText({ example: 'https://shop.example/sale?colour=red' })
  targetUrl!: string;

  @Int({ min: 0, example: 42 })
  clicks!: number;

  @Int({ min: 0, description: 'Attributed ones.', example: 3 })
  conversions!: number;
}

export type TrackingLinkRow = Omit<TrackingLinkDto, 'url'>;

export function presentLink(row: TrackingLinkRow): TrackingLinkDto {
  return present(TrackingLinkDto, { ...row, url: referralUrl(row.targetUrl, row.token) });
}
