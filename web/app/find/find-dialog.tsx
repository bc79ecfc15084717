import { useId, useState, type KeyboardEvent } from 'react';
import { useNavigate } from '@tanstack/react-router';
import { text } from '../../text/en';
import { find as words } from '../../text/en/app/find';
import { Dialog } from '../../ui/dialog';
import { Problem } from '../../ui/page';
import { useFound } from './found';

/** What is typed, and what it finds: arrows lead through it, Enter opens. */
export default function FindDialog({ close }: { close: () => void }) {
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const id = useId();
  const navigate = useNavigate();
  const { found, error, isBusy } = useFound(typed);
  const chosen = Math.min(at, found.length - 1);
  const open = (to: string | undefined): void => {
    if (to === undefined) return;
    close();
    void navigate({ to });
  };
  const onKey = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setAt((chosen + step + found.length) % Math.max(found.length, 1));
    }
    if (event.key === 'Enter') {
      event.preventDefault();
      open(found[chosen]?.to);
    }
  };
  return (
    <Dialog title={words.title} onClose={close}>
      <input
        type="search"
        className="find-input"
        role="combobox"
        aria-label={words.title}
        aria-expanded={found.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={found.length > 0 ? `${id}-${chosen}` : undefined}
        placeholder={words.hint}
        autoFocus
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value);
          setAt(0);
        }}
        onKeyDown={onKey}
      />
      <ul id={`${id}-list`} role="listbox" aria-label={words.found} className="find-list">
        {found.map(({ to, name, kind }, place) => (
          <li
            key={to}
            id={`${id}-${place}`}
            role="option"
            aria-selected={place === chosen}
            className="option"
            data-highlighted={place === chosen ? '' : undefined}
            onMouseMove={() => setAt(place)}
            onClick={() => open(to)}
          >
            <span>{name}</span>
            <span className="fine">{kind}</span>
          </li>
        ))}
      </ul>
      <p role="status" className="fine">
        {isBusy ? text.loading : found.length === 0 ? text.noneFits : ''}
      </p>
      <Problem error={error} />
    </Dialog>
  );
}
