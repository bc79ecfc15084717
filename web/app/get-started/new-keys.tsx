import { useState } from 'react';
import { useSession } from '../../session/use-session';
import { text } from '../../text/en';
import { developers as developersWords } from '../../text/en/app/developers';
import { Copyable } from '../../ui/values';

/** The keys of a new workspace, until their owner has kept them: the API shows them once. */
export function NewKeys() {
  const session = useSession();
  const [keys, setKeys] = useState(session.newKeys.filter(({ kind }) => kind === 'secret'));
  if (keys.length === 0) return null;
  const forget = (): void => {
    session.newKeys = [];
    setKeys([]);
  };
  return (
    <section className="notice-box" aria-label={developersWords.keys}>
      <p>{text.keys.shownOnce}</p>
      <ul className="plain">
        {keys.map(({ mode, key }) => (
          <li key={key}>
            {text.keys.of[mode]}: <Copyable value={key} />
          </li>
        ))}
      </ul>
      <button type="button" onClick={forget}>
        {text.keys.seen}
      </button>
    </section>
  );
}
