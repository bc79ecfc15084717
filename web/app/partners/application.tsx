import { useChange, useMay } from '../../session/use-session';
import { text } from '../../text/en';
import { partners as words } from '../../text/en/app/partners';
import { ActButton, ReasonButton } from '../../ui/ask';
import type { Participant } from '../../session/records';

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
  const reject = useChange('partners.reject');
  if (!useMay('member')) return null;
  const partner = { programId, participantId: id };
  return (
    <span className="inline-actions">
      <ActButton label={words.approve} call="partners.approve" fields={partner} />
      <ReasonButton
        label={words.reject}
        title={text.doTo(words.reject, of.partnerName)}
        className="danger"
        send={(reason) => reject.mutateAsync({ ...partner, reason })}
      />
      <SimilarCodes of={of} />
    </span>
  );
}
