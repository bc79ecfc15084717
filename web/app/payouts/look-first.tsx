import { Problem } from '../../ui/page';

interface LookFirstProps {
  hint: string;
  /** What may be chosen before one looks. */
  choice: string;
  isChosen: boolean;
  choose: (isChosen: boolean) => void;
  label: string;
  look: { isPending: boolean; error: unknown };
  onLook: () => void;
}

/** The first of two steps: nothing is done before it was seen what would be. */
export function LookFirst({ hint, choice, isChosen, choose, label, look, onLook }: LookFirstProps) {
  return (
    <>
      <p>{hint}</p>
      <label className="check">
        <input
          type="checkbox"
          checked={isChosen}
          onChange={({ target }) => choose(target.checked)}
        />
        {choice}
      </label>
      <Problem error={look.error} />
      <div className="form-end">
        <button type="button" className="primary" disabled={look.isPending} onClick={onLook}>
          {label}
        </button>
      </div>
    </>
  );
}
