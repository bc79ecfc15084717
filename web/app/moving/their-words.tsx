import { useChange } from '../../session/use-session';
import { text } from '../../text/en';
import { moving as words } from '../../text/en/app/moving';
import { FormButton } from '../../ui/ask';
import { Choice, Field } from '../../ui/form';
import { Problem, Section } from '../../ui/page';
import { Table } from '../../ui/table';
import { takesChanges, type OfImport } from './use-import';

const meaningOf = (status: string): string =>
  (words.meanings as Record<string, string>)[status] ?? status;

/** What statuses of theirs mean here. */
export function TheirWords({ at, of }: OfImport) {
  const change = useChange('imports.change');
  const may = takesChanges(of);
  const statuses = of.statuses as Record<string, string>;
  const set = (next: Record<string, string>): Promise<unknown> =>
    change.mutateAsync({ ...at, statuses: next });
  const without = (word: string): Record<string, string> =>
    Object.fromEntries(Object.entries(statuses).filter(([theirs]) => theirs !== word));
  return (
    <Section
      title={words.words}
      actions={
        may && (
          <FormButton
            label={words.addWord}
            submit={text.save}
            send={({ word = '', means = '' }) => set({ ...statuses, [word.trim()]: means })}
          >
            <Field label={words.theirWord} name="word" field="statuses" />
            <Choice label={words.means} name="means" options={Object.entries(words.meanings)} />
          </FormButton>
        )
      }
    >
      <p>{words.wordsHint}</p>
      <Problem error={change.error} />
      {Object.keys(statuses).length > 0 && (
        <Table
          caption={words.words}
          columns={[
            { title: words.theirWord, cell: ([word]) => word },
            { title: words.means, cell: ([, status]) => meaningOf(status) },
            {
              title: text.actions,
              cell: ([word]) =>
                may && (
                  <button
                    type="button"
                    className="quiet"
                    aria-label={words.removeWord(word)}
                    onClick={() => void set(without(word)).catch(() => undefined)}
                  >
                    {words.remove}
                  </button>
                ),
            },
          ]}
          rows={Object.entries(statuses)}
          rowKey={([word]) => word}
          empty={text.nothing}
        />
      )}
    </Section>
  );
}
