import type { ShownFile } from '../../activities/imports/files';
import { importKinds, type ImportKind } from '../../entities/rules/imports/kinds';
import { AnyText, Int, ListOf, OneOf, Texts } from '../http/contract/validators';

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

export class ImportFilesDto {
  @ListOf(() => ImportFileDto)
  files!: ImportFileDto[];
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
};
