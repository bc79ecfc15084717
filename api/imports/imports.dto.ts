import { groupings, type Grouping } from '../../entities/rules/imports/groups';
import {
  importNamePattern,
  importSources,
  importKinds,
  type ImportKind,
  type ImportMapping,
  type ImportSource,
} from '../../entities/rules/imports/kinds';
import type {
  ImportMoney,
  ImportReport,
  KindCounts,
  SampleRow,
  TheirTerms,
} from '../../entities/rules/imports/report';
import { importStatuses, type ImportStatus } from '../../entities/rules/imports/status';
import type { Import } from '../../entities/tables/imports/import.entity';
import type { ImportCredentials, ImportDraft, ImportPatch } from '../../activities/imports/imports';
import { present } from '../http/contract/present';
import {
  absent,
  AnyText,
  CurrencyCode,
  Instant,
  Int,
  Json,
  ListOf,
  Nested,
  nullable,
  OneOf,
  Text,
  Texts,
  Uuid,
} from '../http/contract/validators';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const mappingField = {
  optional: true,
  description:
    'Columns of the files by ours: `{"partners": {"partner_id": "Affiliate ID"}}`. What it names is looked for under that name alone.',
  schema: {
    type: 'object',
    additionalProperties: { type: 'object', additionalProperties: { type: 'string' } },
  },
  valid: isObject,
  message: 'must be an object',
  example: { partners: { partner_id: 'Affiliate ID' } },
};

const statusesField = {
  optional: true,
  description:
    'Words of theirs by ours: pending, approved, paid, void of commissions, active, pending, rejected, suspended of partners.',
  schema: { type: 'object', additionalProperties: { type: 'string' } },
  valid: isObject,
  message: 'must be an object',
  example: { due: 'approved' },
};

const cutoverField = {
  description: 'Sales up to it are the old system’s, later ones are made here.',
};

const onlyField = {
  optional: true,
  min: 1,
  max: 50,
  length: 200,
  description:
    'Campaigns of the source, by id or name; of Tolt one programme. All where it is absent or null.',
};

const groupByField = {
  description:
    'The campaigns of the source become groups: found by name, or made, closed to applications. With campaign_and_commission a new one offers what its campaign promised, where the source tells that. Absent: nobody is put into a group.',
};

/** What an import takes, as it can be changed later. */
export class ChangeImportBody {
  @Instant({ ...cutoverField, optional: true })
  cutover?: string;

  @CurrencyCode({ optional: true, description: 'Stands in where the source tells none.' })
  currency?: string;

  @Texts({ ...onlyField, nullable: true })
  only?: string[] | null;

  @OneOf(groupings, { ...absent, ...groupByField })
  groupBy?: Grouping | null;

  @Json(mappingField)
  mapping?: ImportMapping;

  @Json(statusesField)
  statuses?: Record<string, string>;
}

const credentialsField = {
  optional: true,
  description:
    'Of every source but csv: `{"apiKey": "..."}`, of firstpromoter with `accountId`. Tried at once, kept encrypted until the import ends, never answered.',
  schema: {
    type: 'object',
    properties: { apiKey: { type: 'string' }, accountId: { type: 'string' } },
    required: ['apiKey'],
  },
  valid: isObject,
  message: 'must be an object',
};

export class CreateImportBody {
  @OneOf(importSources, { example: 'csv' })
  source!: ImportSource;

  @Json(credentialsField)
  credentials?: ImportCredentials;

  @Text({
    max: 40,
    pattern: importNamePattern,
    optional: true,
    description: 'Whose ids the ids are: 1 to 40 of a-z 0-9 -. The source’s name unless given.',
    example: 'csv',
  })
  name?: string;

  @Instant({ ...cutoverField, example: '2026-12-01T00:00:00.000Z' })
  cutover!: string;

  @CurrencyCode({ optional: true, description: 'Stands in where the source tells none.' })
  currency?: string;

  @Texts({ ...onlyField, nullable: true })
  only?: string[] | null;

  @OneOf(groupings, { ...absent, ...groupByField })
  groupBy?: Grouping | null;

  @Json(mappingField)
  mapping?: ImportMapping;

  @Json(statusesField)
  statuses?: Record<string, string>;
}

/** The body as the command takes it. */
export function draftOf({ cutover, credentials, ...body }: CreateImportBody): ImportDraft {
  const draft = { ...body, cutover: new Date(cutover) };
  if (!credentials) return draft;
  const { apiKey, accountId } = credentials;
  return { ...draft, credentials: { apiKey, accountId } };
}

export function patchOf({ cutover, ...body }: ChangeImportBody): ImportPatch {
  return { ...body, ...(cutover === undefined ? {} : { cutover: new Date(cutover) }) };
}

export class ImportKindDto implements KindCounts {
  @OneOf(importKinds)
  kind!: ImportKind;

  @Int({ example: 42 })
  read!: number;

  @Int({ example: 40 })
  new!: number;

  @Int({ example: 2 })
  known!: number;

  @Int({
    description: 'Rows with a problem, sales after the cutover, and what there is no need to book.',
  })
  skipped!: number;
}

export class ImportMoneyDto implements ImportMoney {
  @AnyText()
  currency!: string;

  @Int({ description: 'Pending and approved.', example: 184_250 })
  openCents!: number;

  @Int({ example: 2_310_400 })
  paidCents!: number;

  @Int({ example: 12_000 })
  voidCents!: number;

  @Int({ description: 'Those below nothing alone; the sums before have them too.', example: -4900 })
  negativeCents!: number;

  @Int({
    description: 'Of sales after the cutover: they are made here, by the sales themselves.',
    example: 5800,
  })
  afterCutoverCents!: number;

  @Int({ description: 'Of sales that have their commission here already.' })
  knownHereCents!: number;
}

export class ImportSampleDto implements SampleRow {
  @AnyText({ example: 'commissions-1' })
  file!: string;

  @Int({ example: 17 })
  line!: number;

  @AnyText({ description: 'Their id; empty where that is an address.', example: 'c_9' })
  id!: string;

  @AnyText({ example: 'PARTNER_UNKNOWN' })
  code!: string;

  @AnyText({ example: 'No partner of that id is imported.' })
  message!: string;
}

export class ImportSamplesDto {
  @Int({ example: 1 })
  count!: number;

  @ListOf(() => ImportSampleDto, { description: 'The first 20.' })
  sample!: ImportSampleDto[];
}

export class TheirTermsDto implements TheirTerms {
  @AnyText()
  name!: string;

  @AnyText(nullable)
  commission!: string | null;

  @AnyText(nullable)
  recurring!: string | null;

  @Int(nullable)
  cookieDays!: number | null;
}

export class ImportReportDto implements ImportReport {
  @ListOf(() => ImportKindDto)
  kinds!: ImportKindDto[];

  @ListOf(() => ImportMoneyDto, {
    description: 'By currency, of all that was read without a problem, as the old system shows it.',
  })
  money!: ImportMoneyDto[];

  @Nested(() => ImportSamplesDto, { description: 'Rows that are left out, each with its reason.' })
  problems!: ImportSamplesDto;

  @Nested(() => ImportSamplesDto, { description: 'Fields that are left empty.' })
  warnings!: ImportSamplesDto;

  @Int({
    description: 'Partners of theirs with the address of another: they are one here.',
    example: 1,
  })
  merged!: number;

  @Texts({
    description: 'Parameters of old links, for the snippet’s data-params.',
    example: ['via'],
  })
  params!: string[];

  @ListOf(() => TheirTermsDto, {
    nullable: true,
    description: 'Terms as the source tells them.',
    example: null,
  })
  terms!: TheirTermsDto[] | null;
}

export class ImportErrorDto {
  @AnyText()
  code!: string;

  @AnyText()
  message!: string;
}

export class ImportProgressDto {
  @AnyText()
  step!: string;

  @Int()
  done!: number;

  @Int(nullable)
  total!: number | null;
}

export class ImportAnnouncedDto {
  @Int({ description: 'Partners who are mailed.' })
  count!: number;

  @Instant()
  at!: string;
}

export class ImportDto {
  @Uuid()
  id!: string;

  @OneOf(importSources, { example: 'csv' })
  source!: ImportSource;

  @AnyText({ example: 'csv' })
  name!: string;

  @OneOf(importStatuses, { example: 'checked' })
  status!: ImportStatus;

  @Instant()
  cutover!: string;

  @AnyText()
  currency!: string;

  @Texts({ nullable: true })
  only!: string[] | null;

  @OneOf(groupings, { nullable: true })
  groupBy!: Grouping | null;

  @Json({
    description: 'Columns of the files by ours.',
    valid: isObject,
    example: { partners: { partner_id: 'Affiliate ID' } },
  })
  mapping!: ImportMapping;

  @Json({ description: 'Words of theirs by ours.', valid: isObject, example: { due: 'approved' } })
  statuses!: Record<string, string>;

  @Nested(() => ImportReportDto, { nullable: true })
  report!: ImportReportDto | null;

  @Nested(() => ImportErrorDto, { nullable: true, example: null })
  error!: ImportErrorDto | null;

  @Nested(() => ImportProgressDto, { nullable: true, example: null })
  progress!: ImportProgressDto | null;

  @Nested(() => ImportAnnouncedDto, { nullable: true, example: null })
  announced!: ImportAnnouncedDto | null;

  @Instant()
  createdAt!: string;

  @Instant(nullable)
  appliedAt!: string | null;
}

export function presentImport(row: Import): ImportDto {
  const { report, onlyCampaigns: only } = row;
  return present(ImportDto, { ...row, only, report: report && presentReport(report) });
}

/** The report for the API; the merchant's old terms are shown with what they mean in ours. */
function presentReport({ terms, ...report }: ImportReport): ImportReportDto {
  return { ...report, terms: terms && terms.map((told) => present(TheirTermsDto, told)) };
}
