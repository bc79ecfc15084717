import { useEffect, useState } from 'react';
import { lazy, Suspense } from 'react';
import { Search } from 'lucide-react';
import { text } from '../../text/en';

const FindDialog = lazy(() => import('./find-dialog'));

const isMac = /mac|iphone|ipad/i.test(navigator.userAgent);

/** One search for pages, partners and sales, by the button or by Ctrl K. */
export function Find() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      setOpen(true);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return (
    <>
      <button
        type="button"
        className="find"
        aria-label={text.app.find.title}
        onClick={() => setOpen(true)}
      >
        <Search size={16} aria-hidden="true" />
        <span>{text.app.find.title}</span>
        <kbd>{isMac ? '⌘ K' : 'Ctrl K'}</kbd>
      </button>
      {isOpen && (
        <Suspense>
          <FindDialog close={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
