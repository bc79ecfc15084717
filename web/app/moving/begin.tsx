import { useState } from 'react';
import { useNavigate } from '@tanstack/react-router';
import type { CreateImportBody, ImportDto, Program } from '../../session/records';
import { useChange } from '../../session/use-session';
import { moving as words } from '../../text/en/app/moving';
import { chosenOf, optionsOf, ownZone } from '../../ui/format';
import { Choice, Field, Form } from '../../ui/form';
import { Section } from '../../ui/page';
import { cutoverOf, namesOf } from './moment';

const sources = ['csv', 'ours', 'rewardful', 'tolt', 'firstpromoter'] as const;
type Source = (typeof sources)[number];

const hasFiles = (source: Source): boolean => source === 'csv' || source === 'ours';

/** The first step: where from, and where the cut is. */
export function Begin({ program }: { program: Program }) {
  const [source, setSource] = useState<Source>('csv');
  const change = useChange('imports.create');
  const navigate = useNavigate();
  const begin = async (typed: Record<string, string>): Promise<void> => {
    const made = await change.mutateAsync({ programId: program.id, ...bodyOf(source, typed) });
    await navigate({ to: `/move-in/${program.id}/${made.id}` });
  };
  return (
    <Section title={words.begin}>
      <p>{words.hint}</p>
      <Form submit={words.beginButton} onSubmit={begin}>
        <Choice
          label={words.from}
          name="source"
          value={source}
          hint={words.sourceHints[source]}
          onChange={({ target }) => setSource(target.value)}
          options={optionsOf(sources, words.sources)}
        />
        {hasFiles(source) ? (
          <Field
            key={source}
            label={words.name}
            name="name"
            defaultValue={source}
            hint={words.nameHint}
          />
        ) : (
          <Credentials source={source} />
        )}
        <Grouping />
        <Cutover />
        <Field
          label={words.currency}
          name="currency"
          maxLength={3}
          defaultValue={program.currency.toUpperCase()}
          hint={words.currencyHint}
        />
      </Form>
    </Section>
  );
}

function Credentials({ source }: { source: Source }) {
  return (
    <>
      <Field
        label={words.apiKey}
        name="apiKey"
        field="credentials.apiKey"
        type="password"
        autoComplete="off"
        hint={words.apiKeyHint}
      />
      {source === 'firstpromoter' && (
        <Field
          label={words.accountId}
          name="accountId"
          field="credentials.accountId"
          autoComplete="off"
        />
      )}
      <Field label={words.only} name="only" hint={words.onlyHint} />
    </>
  );
}

const groupings = ['none', 'campaign', 'campaign_and_commission'] as const;

/** Whether campaigns of theirs become groups here. */
export function Grouping({ defaultValue }: { defaultValue?: ImportDto['groupBy'] }) {
  return (
    <Choice
      label={words.groupBy}
      name="groupBy"
      defaultValue={defaultValue ?? 'none'}
      hint={words.groupHint}
      options={optionsOf(groupings, words.groupings)}
    />
  );
}

/** What was chosen of it, as the API takes it. */
export function groupByOf(chosen: string | undefined): ImportDto['groupBy'] {
  const grouping = chosenOf(groupings, chosen);
  return grouping === 'none' ? null : grouping;
}

/** The moment that decides whose a sale is. */
export function Cutover({ defaultValue }: { defaultValue?: string }) {
  return (
    <Field
      label={words.cutover}
      name="cutover"
      type="datetime-local"
      defaultValue={defaultValue}
      hint={words.cutoverHint(ownZone())}
    />
  );
}

function bodyOf(source: Source, typed: Record<string, string>): CreateImportBody {
  const { name = '', apiKey = '', accountId, only, groupBy, cutover, currency = '' } = typed;
  const common = {
    ...{ cutover: cutoverOf(cutover), currency: currency.toLowerCase() },
    groupBy: groupByOf(groupBy),
  };
  if (source === 'csv' || source === 'ours') return { ...common, source: 'csv', name };
  const credentials = { apiKey, ...(accountId && { accountId }) };
  const names = namesOf(only);
  return { ...common, source, credentials, ...(names && { only: names }) };
}
