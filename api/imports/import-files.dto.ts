import type { ShownFile } from '../../activities/imports/files';
import {
  importKinds,
  type ImportKind,
  type ImportMapping,
} from '../../entities/rules/imports/kinds';
import type { Suggestion } from '../../entities/rules/imports/suggest';
import { AnyText, Int, Json, ListOf, Nested, OneOf, Texts } from '../http/contract/validators';

export class ImportColumnDto {
  @AnyText({ example: 'Affiliate ID' })
  name!: string;

  @Texts({
    length: 100,
    description: 'Its cells in the first rows, of the first part of a kind alone.',
    example: ['a_1', 'a_2'],
  })
  sample!: string[];
}

export class ImportFileDto implements ShownFile {
  @OneOf(importKinds, { example: 'links' })
  kind!: ImportKind;

  @Int({ example: 1 })
  part!: number;

  @Int({ example: 57 })
  rows!: number;

  @ListOf(() => ImportColumnDto)
  columns!: ImportColumnDto[];
}

const textsByName = { type: 'object', additionalProperties: { type: 'string' } };

export class ImportSuggestionDto implements Suggestion {
  @AnyText({ description: 'Whose files they look like.', example: 'Rewardful' })
  system!: string;

  @Json({
    schema: { type: 'object', additionalProperties: textsByName },
    description: 'As `mapping` takes it: columns of the files that are not named yet, by ours.',
    example: { links: { partner_id: 'affiliate_id' } },
  })
  mapping!: ImportMapping;

  @Json({
    schema: textsByName,
    description: 'As `statuses` takes them: words of that system.',
    example: { due: 'approved', voided: 'void' },
  })
  statuses!: Record<string, string>;
}

export class ImportFilesDto {
  @ListOf(() => ImportFileDto)
  files!: ImportFileDto[];

  @Nested(() => ImportSuggestionDto, {
    nullable: true,
    description:
      'Null where no known system fits. Nothing of it holds before it is given to the import.',
  })
  suggestion!: ImportSuggestionDto | null;
}
