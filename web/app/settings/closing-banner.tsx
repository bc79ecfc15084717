import { useAnswer, useChange, useMay } from '../../session/use-session';
import { closing as words } from '../../text/en/app/closing';
import { Problem } from '../../ui/page';
import { When } from '../../ui/values';

/** Says on top of every page that the workspace will be closed, and takes it back. */
export function ClosingBanner() {
  const workspace = useAnswer('workspace.get');
  const reopen = useChange('workspace.reopen');
  const isOwner = useMay('owner');
  const closesAt = workspace.data?.closesAt;
  if (!closesAt) return null;
  return (
    <div role="status" className="notice-box">
      <p>
        {words.closes} <When at={closesAt} />. {words.untilThen}
      </p>
      <Problem error={reopen.error} />
      {isOwner && (
        <button type="button" disabled={reopen.isPending} onClick={() => reopen.mutate({})}>
          {words.keep}
        </button>
      )}
    </div>
  );
}
