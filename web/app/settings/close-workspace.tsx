import { useAnswer, useChange, useMay } from '../../session/use-session';
import { Password } from '../../account/password';
import { closing as words } from '../../text/en/app/closing';
import { TypedButton } from '../../ui/ask';
import { Section } from '../../ui/page';

/** Two steps: what goes is said first, then the name and the password are typed. */
export function CloseWorkspace() {
  const workspace = useAnswer('workspace.get');
  const close = useChange('workspace.close');
  const isOwner = useMay('owner');
  if (!isOwner || !workspace.data || workspace.data.closesAt) return null;
  const { name } = workspace.data;
  return (
    <Section title={words.close}>
      <TypedButton
        label={words.close}
        submit={words.closeInThirtyDays}
        expected={name}
        ask={words.typeName(name)}
        hint={words.what}
        send={({ password = '' }) => close.mutateAsync({ confirmation: 'DELETE', password })}
      >
        <Password />
      </TypedButton>
    </Section>
  );
}
