import type { WorkspaceDto } from '../../session/records';
import { useApi, useChange, useMay } from '../../session/use-session';
import { text } from '../../text/en';
import { Problem } from '../../ui/page';
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
