import type { WorkspaceDto } from '../../session/records';
import { useApi, useChange, useMay } from '../../session/use-session';
import { refused } from '../../session/refused';
import { text } from '../../text/en';
import { DialogButton } from '../../ui/dialog';
import { Field, Form } from '../../ui/form';
import { Problem, Section } from '../../ui/page';
import { When } from '../../ui/values';

const words = text.app.closing;
const path = '/api/v1/workspace';

/** Says on top of every page that the workspace will be closed, and takes it back. */
export function ClosingBanner() {
  const workspace = useApi<WorkspaceDto>(path);
  const change = useChange();
  const isOwner = useMay('owner');
  const closesAt = workspace.data?.closesAt;
  if (!closesAt) return null;
  return (
    <div role="status" className="notice-box">
      <p>
        {words.closes} <When at={closesAt} />. {words.untilThen}
      </p>
      <Problem error={change.error} />
      {isOwner && (
        <button
          type="button"
          disabled={change.isPending}
          onClick={() => change.mutate({ path: `${path}/reopen`, method: 'POST' })}
        >
          {words.keep}
        </button>
      )}
    </div>
  );
}

/** Two steps: what goes is said first, then the name and the password are typed. */
export function CloseWorkspace() {
  const workspace = useApi<WorkspaceDto>(path);
  const change = useChange();
  const isOwner = useMay('owner');
  if (!isOwner || !workspace.data || workspace.data.closesAt) return null;
  const { name } = workspace.data;
  return (
    <Section title={words.close}>
      <DialogButton label={words.close} className="danger">
        {(done) => (
          <Form
            submit={words.closeInThirtyDays}
            onSubmit={async ({ typed, password }) => {
              if (typed !== name) throw refused('typed', words.typeName(name));
              const body = { confirmation: 'DELETE', password };
              await change.mutateAsync({ path, method: 'DELETE', body });
              done();
            }}
          >
            {(problem) => (
              <>
                <p>{words.what}</p>
                <Field
                  label={words.typeName(name)}
                  name="typed"
                  autoComplete="off"
                  problem={problem('typed')}
                />
                <Field
                  label={text.password}
                  name="password"
                  type="password"
                  autoComplete="current-password"
                  problem={problem('password')}
                />
              </>
            )}
          </Form>
        )}
      </DialogButton>
    </Section>
  );
}
