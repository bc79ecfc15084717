import { useAccount, useAnswer, useChange, useMay, useMode } from '../../session/use-session';
import { text } from '../../text/en';
import { developers as words } from '../../text/en/app/developers';
import { TypedButton } from '../../ui/ask';
import { DialogButton } from '../../ui/dialog';
import { inWords } from '../../ui/format';
import { Loaded, Section } from '../../ui/page';
import { List } from '../../ui/list';
import { Badge, Long, When } from '../../ui/values';

/** The mails that test mode kept back. */
export function TestMails() {
  const mode = useMode();
  if (mode === 'live') return null;
  return (
    <Section title={words.testMails}>
      <List
        call="testMode.listNotificationLog"
        name="mailsPage"
        caption={words.testMails}
        columns={[
          { title: text.created, cell: ({ createdAt }) => <When at={createdAt} /> },
          { title: text.email, cell: ({ recipient }) => <Long of={recipient} /> },
          { title: words.subject, cell: ({ subject }) => subject },
          { title: text.status, cell: ({ status }) => <Badge status={status} /> },
          {
            title: text.details,
            cell: ({ id, subject }) => (
              <DialogButton label={words.show} title={subject}>
                {() => <Mail id={id} />}
              </DialogButton>
            ),
          },
        ]}
        empty={words.noMails}
      />
    </Section>
  );
}

/** Its words and links: the page's policy would not show the mail's own looks, in a frame neither. */
function Mail({ id }: { id: string }) {
  const mail = useAnswer('testMode.getNotificationLogEntry', { entryId: id });
  return (
    <Loaded query={mail}>
      {({ html }) => {
        const { lines, links } = plainOf(html);
        return (
          <>
            {lines.map((line, index) => (
              <p key={`${index}${line}`}>{line}</p>
            ))}
            <ul>
              {links.map((href) => (
                <li key={href}>
                  <a href={href} target="_blank" rel="noreferrer">
                    {href}
                  </a>
                </li>
              ))}
            </ul>
          </>
        );
      }}
    </Loaded>
  );
}

function plainOf(html: string): { lines: string[]; links: string[] } {
  const bare = html
    .replace(/<style[\s\S]*?<\/style>/gi, '')
    .replace(/\sstyle="[^"]*"/gi, '')
    .replace(/<(a|br|\/(?:p|div|td|tr|h\d))\b/gi, '\n<$1');
  const { body } = new DOMParser().parseFromString(bare, 'text/html');
  const hrefs = [...body.querySelectorAll('a')].map((link) => link.getAttribute('href') ?? '');
  const lines = (body.textContent ?? '').split('\n').map((line) => line.trim());
  return {
    // The line that lists of mails show stands once more at the beginning of the text.
    lines: [...new Set(lines.filter((line) => line !== ''))],
    links: [...new Set(hrefs)].filter((href) => /^https?:/.test(href)),
  };
}

/** The progress of a reset; asked again while it goes on. */
function ResetProgress() {
  const isOn = (status: string | undefined): boolean => status === 'queued' || status === 'running';
  const reset = useAnswer('testMode.getTestDataReset', {}, (at) =>
    isOn(at?.status) ? 2_000 : false,
  );
  return (
    <Loaded query={reset}>
      {({ status }) => (
        <>
          {isOn(status) && <progress aria-label={words.resetTitle} />}
          {status !== 'none' && (
            <p role="status">
              {words.lastReset}: {inWords(status)}
            </p>
          )}
        </>
      )}
    </Loaded>
  );
}

/** Everything of test mode goes: the workspace's name is typed first. */
export function ResetTestData() {
  const mode = useMode();
  const account = useAccount();
  const reset = useChange('testMode.resetTestData');
  const may = useMay('admin');
  const name = account?.workspaceName ?? '';
  if (mode === 'live' || !may) return null;
  return (
    <Section title={words.resetTitle}>
      <ResetProgress />
      <TypedButton
        label={words.reset}
        expected={name}
        ask={words.typeName(name)}
        hint={words.resetHint}
        send={() => reset.mutateAsync({})}
      />
    </Section>
  );
}
