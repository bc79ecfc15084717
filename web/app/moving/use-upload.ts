import { useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { refused } from '../../session/refused';
import type { Fields } from '../../session/operations';
import { useMode, useSession } from '../../session/use-session';
import type { ImportFileDto } from '../../session/records';
import { text } from '../../text/en';
import { moving as words } from '../../text/en/app/moving';
import { textOf } from '../../ui/file-text';
import { splitCsv, type Piece } from './split-csv';

const mostParts = 20;

/** One kind of files of an import. */
type Kind = Omit<Fields<'imports.removeFile'>, 'part'>;

/** What is larger than an upload takes goes in pieces. */
async function piecesOf(file: File): Promise<Piece[]> {
  const body = await textOf(file);
  if (body === undefined) throw refused('body', text.notUtf8);
  return splitCsv(body);
}

/**
 * Gives a kind its files, each a part, in the place of those that it has. A part that is left of before is
 * taken away last, so that what fails on the way leaves no gap that nobody sees.
 */
export function useUpload(of: Kind, files: readonly Pick<ImportFileDto, 'part'>[]) {
  const session = useSession();
  const mode = useMode();
  const queries = useQueryClient();
  const [progress, setProgress] = useState<string>();
  const [error, setError] = useState<unknown>();

  const send = async (chosen: readonly File[]): Promise<void> => {
    setProgress(words.reading);
    const parts = (await Promise.all(chosen.map(piecesOf))).flat();
    if (parts.length > mostParts) throw refused('body', words.tooManyParts);
    for (const [at, { text: body, linesBefore }] of parts.entries()) {
      const part = at + 1;
      setProgress(words.sending(part, parts.length));
      const given = { ...of, part, body, ...(linesBefore > 0 && { linesBefore }) };
      await session.ask('imports.putFile', given, mode);
    }
    await takeAway(parts.length);
  };

  const takeAway = async (kept: number): Promise<void> => {
    for (const { part } of files.filter((file) => file.part > kept)) {
      await session.ask('imports.removeFile', { ...of, part }, mode);
    }
  };

  const during = async (work: () => Promise<void>): Promise<void> => {
    setError(undefined);
    await work().catch(setError);
    setProgress(undefined);
    await queries.invalidateQueries();
  };

  return {
    upload: (chosen: readonly File[]) => void during(() => send(chosen)),
    remove: () => void during(() => takeAway(0)),
    isBusy: progress !== undefined,
    progress,
    error,
  };
}
