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

  @AnyText()
  token!: string;

  @AnyText({ description: 'What visitors are given: the target with ?ref=<token>.' })
  url!: string;

  @AnyText({ nullable: true, description: 'Null for the default link.' })
  name!: string | null;

  @AnyText()
  targetUrl!: string;

  @Int({ min: 0 })
  clicks!: number;

  @Int({ min: 0, description: 'Attributed ones.' })
  conversions!: number;
}

export type TrackingLinkRow = Omit<TrackingLinkDto, 'url'>;

export function presentLink(row: TrackingLinkRow): TrackingLinkDto {
  return present(TrackingLinkDto, { ...row, url: referralUrl(row.targetUrl, row.token) });
}

export const linkExample: TrackingLinkDto = {
  id: '0198c0de-4000-7000-8000-000000000004',
  token: 'k7m2p9q4xz',
  url: 'https://shop.example/sale?colour=red&ref=k7m2p9q4xz',
  name: 'Newsletter',
  targetUrl: 'https://shop.example/sale?colour=red',
  clicks: 42,
  conversions: 3,
};
