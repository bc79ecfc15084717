import { useChange, useMode } from '../../session/use-session';
import { text } from '../../text/en';
import { ConfirmButton, FormButton } from '../../ui/ask';
import { Field } from '../../ui/plain-form';
import { Copyable } from '../../ui/values';
import { ways, type Biller } from './ways';

const words = text.app.billing;

interface ConnectProps {
  biller: Biller;
  /** Where the biller sends its events. */
  url: string;
  isConnected: boolean;
}

/** The two ways to connect: by a key, which makes the webhook itself, or by a webhook made by hand. */
export function Connect({ biller, url, isConnected }: ConnectProps) {
  const change = useChange();
  const { path, keyField } = ways[biller];
  const name = text.billers[biller];
  return (
    <div className="inline-actions">
      <FormButton
        label={words.connect(name)}
        submit={text.save}
        isWide
        send={({ key, webhookSecret }) =>
          change.mutateAsync({
            path,
            method: 'PUT',
            body: { ...(key && { [keyField]: key }), ...(webhookSecret && { webhookSecret }) },
          })
        }
      >
        <ByKey biller={biller} />
        <ByHand biller={biller} url={url} />
      </FormButton>
      {isConnected && (
        <ConfirmButton
          label={words.disconnect(name)}
          className="danger"
          call={{ path, method: 'DELETE' }}
        >
          <p>{words.disconnectHint(name)}</p>
        </ConfirmButton>
      )}
    </div>
  );
}

function ByKey({ biller }: { biller: Biller }) {
  const mode = useMode();
  const { keyField, keysAt, keyLike, permissions, codePermissions } = ways[biller];
  const name = text.billers[biller];
  return (
    <>
      <ol className="story">
        <li>
          {words.makeKey[biller]}{' '}
          <a href={keysAt(mode)} target="_blank" rel="noreferrer">
            {text.open(name)}
          </a>
        </li>
        <li>
          {words.givePermissions}
          <Chips of={permissions} />
          {words.forCodes}
          <Chips of={codePermissions} />
        </li>
        <li>{words.pasteKey(name)}</li>
      </ol>
      <Field
        label={words.keyNames[biller]}
        name="key"
        field={keyField}
        autoComplete="off"
        placeholder={keyLike(mode)}
        hint={words.keyHint}
      />
    </>
  );
}

function Chips({ of }: { of: readonly string[] }) {
  return (
    <ul className="chips">
      {of.map((one) => (
        <li key={one}>{one}</li>
      ))}
    </ul>
  );
}

function ByHand({ biller, url }: { biller: Biller; url: string }) {
  const { kinds, secretLike } = ways[biller];
  return (
    <details>
      <summary>{words.byHand}</summary>
      <p>{words.byHandHint(text.billers[biller])}</p>
      <p>
        {words.endpoint}: <Copyable value={url} />
      </p>
      <p>
        {words.events}: <Copyable value={kinds.join(', ')} />
      </p>
      <Field
        label={words.webhookSecret}
        name="webhookSecret"
        autoComplete="off"
        placeholder={secretLike}
      />
    </details>
  );
}
