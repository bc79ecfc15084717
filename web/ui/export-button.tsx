import { useState } from 'react';
import { fieldsOf, type Asks, type Name } from '../session/operations';
import { useMode, useSession } from '../session/use-session';
import { text } from '../text/en';
import { Problem } from './page';

type ExportProps<N extends Name> = Asks<N> & {
  label?: string;
  /** Sees the answer's headers, such as the next part of a file. */
  onFile?: (response: Response) => void;
};

/** Fetches a file with the bearer and hands it to the browser under the name that the API gave it. */
export function ExportButton<N extends Name>({
  label = text.export,
  onFile,
  ...asks
}: ExportProps<N>) {
  const session = useSession();
  const mode = useMode();
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const fetchFile = async (): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      const response = await session.file(asks.call, fieldsOf(asks), mode);
      const url = URL.createObjectURL(await response.blob());
      const anchor = document.createElement('a');
      anchor.href = url;
      anchor.download = nameOf(response) ?? 'export';
      anchor.click();
      URL.revokeObjectURL(url);
      onFile?.(response);
    } catch (caught) {
      setError(caught);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <button type="button" disabled={busy} onClick={() => void fetchFile()}>
        {label}
      </button>
      <Problem error={error} />
    </>
  );
}

function nameOf(response: Response): string | undefined {
  return /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1];
}
