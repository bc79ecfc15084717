import type { WorkspaceDto } from '../../session/records';
import { useApi, useChange, useMay } from '../../session/use-session';
import { Password } from '../../account/password';
import { text } from '../../text/en';
import { TypedButton } from '../../ui/ask';
import { Section } from '../../ui/page';

const words = text.app.closing;
const path = '/api/v1/workspace';

/** Two steps: what goes is said first, then the name and the password are typed. */
export function CloseWorkspace() {
  const workspace = useApi<WorkspaceDto>(path);
  const change = useChange();
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
        send={({ password }) =>
          change.mutateAsync({ path, method: 'DELETE', body: { confirmation: 'DELETE', password } })
        }
      >
        <Password />
      </TypedButton>
    </Section>
  );
}
