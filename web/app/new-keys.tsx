import { useState } from 'react';
import { text } from '../text/en';
import { Copyable } from '../ui/values';

const place = 'new-keys';

interface NewKey {
  kind: string;
  mode: string;
  key: string;
}

function readKeys(): NewKey[] {
  return JSON.parse(sessionStorage.getItem(place) ?? '[]') as NewKey[];
}

/** The keys of a new workspace, until their owner has kept them: the API shows them once. */
export function NewKeys() {
  const [keys, setKeys] = useState(readKeys);
  if (keys.length === 0) return null;
  const forget = (): void => {
    sessionStorage.removeItem(place);
    setKeys([]);
  };
  return (
    <section className="notice-box" aria-label={text.app.developers.keys}>
      <p>{text.keys.shownOnce}</p>
      <ul className="plain">
        {keys.map(({ kind, mode, key }) => (
          <li key={key}>
            {kind} {mode}: <Copyable value={key} />
          </li>
        ))}
      </ul>
      <button type="button" onClick={forget}>
        {text.keys.seen}
      </button>
    </section>
  );
}
