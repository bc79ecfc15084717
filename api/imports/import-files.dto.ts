import type { ShownFile } from '../../activities/imports/files';
import {
  importKinds,
  type ImportKind,
  type ImportMapping,
} from '../../entities/rules/imports/kinds';
import type { Suggestion } from '../../entities/rules/imports/suggest';
import { AnyText, Int, Json, ListOf, Nested, OneOf, Texts } from '../http/contract/validators';

export class ImportColumnDto {
  @AnyText()
  name!: string;

  @Texts({
    length: 100,
    description: 'Its cells in the first rows, of the first part of a kind alone.',
  })
  sample!: string[];
}

export class ImportFileDto implements ShownFile {
  @OneOf(importKinds)
  kind!: ImportKind;

  @Int()
  part!: number;

  @Int()
  rows!: number;

  @ListOf(() => ImportColumnDto)
  columns!: ImportColumnDto[];
}

const textsByName = { type: 'object', additionalProperties: { type: 'string' } };

export class ImportSuggestionDto implements Suggestion {
  @AnyText({ description: 'Whose files they look like.' })
  system!: string;

  @Json({
    schema: { type: 'object', additionalProperties: textsByName },
    description: 'As `mapping` takes it: columns of the files that are not named yet, by ours.',
  })
  mapping!: ImportMapping;

  @Json({ schema: textsByName, description: 'As `statuses` takes them: words of that system.' })
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

export const importFilesExample: ImportFilesDto = {
  files: [
    {
      kind: 'links',
      part: 1,
      rows: 57,
      columns: [
        { name: 'Affiliate ID', sample: ['a_1', 'a_2'] },
        { name: 'Token', sample: ['anna', 'bob-smith'] },
      ],
    },
  ],
  suggestion: {
    system: 'Rewardful',
    mapping: { links: { partner_id: 'affiliate_id' } },
    statuses: { due: 'approved', voided: 'void' },
  },
};
