import { useParams } from '@tanstack/react-router';
import type { Fields } from '../../session/operations';
import { useAnswer } from '../../session/use-session';
import type { ImportDto, Program } from '../../session/records';

/** Which import of which programme. */
export type At = Fields<'imports.get'>;

/** What a part of the page is given. */
export interface OfImport {
  at: At;
  of: ImportDto;
}

export interface OfImportAndProgram extends OfImport {
  program: Program;
}

const busy: readonly string[] = ['reading', 'applying', 'undoing'];
const lookMs = 2_000;

export const isBusy = ({ status }: Pick<ImportDto, 'status'>): boolean => busy.includes(status);

/** Whether it takes files and settings. */
export const takesChanges = ({ status }: Pick<ImportDto, 'status'>): boolean =>
  ['draft', 'checked', 'failed'].includes(status);

/** Whether another of the programme has to wait for it. */
export const isOpen = ({ status }: Pick<ImportDto, 'status'>): boolean =>
  !['applied', 'undone', 'cancelled'].includes(status);

/**
 * The import that the address names, read again while it is at work, and its programme. Whoever may not
 * see it asks for nothing.
 */
export function useImport(may: boolean) {
  const { programId = '', importId = '' } = useParams({ strict: false }) as Record<string, string>;
  const at = { programId, importId };
  const found = useAnswer('imports.get', may && at, (one) => (one && isBusy(one) ? lookMs : false));
  const program = useAnswer('programmes.get', may && { programId });
  return { at, found, program };
}
