import { useState } from 'react';
import type { Query } from '../session/session';
import { useMode, useSession } from '../session/use-session';
import { text } from '../text/en';
import { Problem } from './page';

interface ExportProps {
  path: string;
  query?: Query;
  label?: string;
  method?: 'GET' | 'POST';
  /** Sees the answer's headers, such as the next part of a file. */
  onFile?: (response: Response) => void;
}

/** Fetches a file with the bearer and hands it to the browser under the name that the API gave it. */
export function ExportButton({
  path,
  query,
  label = text.export,
  method = 'GET',
  onFile,
}: ExportProps) {
  const session = useSession();
  const mode = useMode();
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const fetchFile = async (): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      const response = await session.call<Response>(path, {
        method,
        query,
        mode,
        raw: true,
        ...(method === 'POST' && { body: {} }),
      });
      const url = URL.createObjectURL(await response.blob());
      const anchor = document.createElement('a');
      anchor.href = url;
      anchor.download = nameOf(response) ?? path.split('/').at(-1) ?? 'export';
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
