import { useChange, useMay } from '../../session/use-session';
import { text } from '../../text/en';
import { ActButton, ReasonButton } from '../../ui/ask';
import type { Participant } from '../../session/records';

const words = text.app.partners;

/** Who applied waits for an answer. */
export function Application({ of: { id, programId } }: { of: Participant }) {
  const change = useChange();
  if (!useMay('member')) return null;
  const path = `/api/v1/programs/${programId}/partners/${id}`;
  return (
    <span className="inline-actions">
      <ActButton
        label={words.approve}
        call={{ path: `${path}/approve`, method: 'PATCH', body: {} }}
      />
      <ReasonButton
        label={words.reject}
        send={(reason) =>
          change.mutateAsync({ path: `${path}/reject`, method: 'PATCH', body: { reason } })
        }
      />
    </span>
  );
}
