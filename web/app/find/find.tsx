import { useEffect, useState, type FunctionComponent } from 'react';
import { Search } from 'lucide-react';
import { find as findWords } from '../../text/en/app/find';

type Dialog = FunctionComponent<{ close: () => void }>;

const keys = /mac|iphone|ipad/i.test(navigator.userAgent) ? '⌘ K' : 'Ctrl K';

/** One search for pages, partners and sales, by the button or by Ctrl K. */
export function Find() {
  const [shown, show] = useState<{ Dialog: Dialog }>();
  const open = async (): Promise<void> => {
    // Without a network there is nothing to find either, which the page says on top.
    const loaded = await import('./find-dialog').catch(() => undefined);
    if (loaded) show({ Dialog: loaded.default });
  };
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      void open();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return (
    <>
      <button
        type="button"
        className="find"
        aria-label={`${findWords.title} ${keys}`}
        onClick={() => void open()}
      >
        <Search size={16} aria-hidden="true" />
        <span>{findWords.title}</span> <kbd>{keys}</kbd>
      </button>
      {shown && <shown.Dialog close={() => show(undefined)} />}
    </>
  );
}
