import { useChange, useMode } from '../../session/use-session';
import { text } from '../../text/en';
import { billing as words } from '../../text/en/app/billing';
import { ConfirmButton, FormButton } from '../../ui/ask';
import { Field } from '../../ui/plain-form';
import { Copyable } from '../../ui/values';
import { ways, type Biller } from './ways';

interface ConnectProps {
  biller: Biller;
  /** Where the biller sends its events. */
  url: string;
  isConnected: boolean;
}

/** The two ways to connect: by a key, which makes the webhook itself, or by a webhook made by hand. */
export function Connect({ biller, url, isConnected }: ConnectProps) {
  const isStripe = biller === 'stripe';
  const put = useChange(isStripe ? 'stripe.putConnection' : 'billers.putConnection');
  const name = text.billers[biller];
  return (
    <div className="inline-actions">
      <FormButton
        label={isConnected ? words.change(name) : words.connect(name)}
        submit={text.save}
        isWide
        send={({ key, webhookSecret }) => {
          const byHand = webhookSecret ? { webhookSecret } : {};
          return put.mutateAsync(
            isStripe
              ? { ...(key && { restrictedKey: key }), ...byHand }
              : { biller, ...(key && { apiKey: key }), ...byHand },
          );
        }}
      >
        <ByKey biller={biller} />
        <ByHand biller={biller} url={url} />
      </FormButton>
      {isConnected && (
        <ConfirmButton
          label={words.disconnect(name)}
          className="danger"
          call={isStripe ? 'stripe.deleteConnection' : 'billers.deleteConnection'}
          fields={isStripe ? {} : { biller }}
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
