import { useChange, useMay } from '../../session/use-session';
import { text } from '../../text/en';
import { ActButton, ReasonButton } from '../../ui/ask';
import type { Participant } from '../../session/records';

const words = text.app.partners;

/** A buyer who misreads a code pays another partner. */
export function SimilarCodes({ of: { similarCodes } }: { of: Participant }) {
  return similarCodes.map(({ code, like, partnerName }) => (
    <p key={`${code} ${like}`} role="note" className="hint">
      {words.similarCode(code, like, partnerName)}
    </p>
  ));
}

/** Who applied waits for an answer. */
export function Application({ of }: { of: Participant }) {
  const { id, programId } = of;
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
      <SimilarCodes of={of} />
    </span>
  );
}
