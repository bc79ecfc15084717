import { useEffect } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Bell as BellIcon } from 'lucide-react';
import { recordPath } from '../../entities/rules/notifications/record-path';
import type { NotificationDto } from '../session/records';
import { addressOf } from '../session/operations';
import { useAnswer, useChange, useMay, useMode, useSession } from '../session/use-session';
import { Renewal, type Topic } from '../session/renewal';
import type { Session } from '../session/session';
import { text } from '../text/en';
import { MenuButton } from '../ui/menu';
import { When } from '../ui/values';

/** The operations of each side's notifications. */
const feeds = {
  merchant: {
    ticket: 'notifications.createStreamTicket',
    stream: 'notifications.stream',
    count: 'notifications.countUnread',
    list: 'notifications.list',
    read: 'notifications.read',
    readAll: 'notifications.readAll',
    dismissRead: 'notifications.dismissRead',
  },
  partner: {
    ticket: 'partnerPortal.createStreamTicket',
    stream: 'partnerPortal.streamNotifications',
    count: 'partnerPortal.countUnreadNotifications',
    list: 'partnerPortal.listNotifications',
    read: 'partnerPortal.readNotification',
    readAll: 'partnerPortal.readAllNotifications',
    dismissRead: 'partnerPortal.dismissReadNotifications',
  },
} as const;

/** Where the browser cannot tell tabs apart each has a stream of its own. */
async function asOnlyTab(name: string, signal: AbortSignal, work: () => Promise<void>) {
  const locks = (navigator as { locks?: LockManager }).locks;
  if (!locks) return work();
  return locks.request(name, { signal }, work).catch(() => undefined);
}

/**
 * One stream a browser: the tab that has it tells the others what an event is about. What is shown is
 * asked for anew; the stream only says when.
 */
function useLive(): void {
  const session = useSession();
  const mode = useMode();
  const queries = useQueryClient();
  useEffect(() => {
    const ends = new AbortController();
    const renewal = new Renewal(queries);
    const channel = new BroadcastChannel(`aps-feed-${session.side}-${mode}`);
    channel.onmessage = ({ data }: MessageEvent<string>) => renewal.tell(data);
    const listen = (): Promise<void> =>
      listenUntil(ends.signal, { session, mode, lastId: undefined }, (topic) => {
        renewal.tell(topic);
        channel.postMessage(topic);
      });
    void asOnlyTab(`aps-stream-${session.side}-${mode}`, ends.signal, listen);
    return () => {
      ends.abort();
      renewal.stop();
      channel.close();
    };
  }, [session, mode, queries]);
}

interface Feed {
  session: Session;
  mode: 'test' | 'live';
  /** The last notification that came: the next stream goes on after it. */
  lastId: string | undefined;
}

const againMs = 3_000;
/** The time for which the service asks a client to stay away whose place ten newer streams have taken. */
const asOneTooManyMs = 10 * 60_000;

type Tell = (topic: Topic) => void;

async function listenUntil(signal: AbortSignal, feed: Feed, onNews: Tell): Promise<void> {
  while (!signal.aborted) {
    const end = await listenOnce(signal, feed, onNews).catch(() => 'lost' as const);
    await new Promise((resolve) => {
      setTimeout(resolve, end === 'one too many' ? asOneTooManyMs : againMs);
    });
  }
}

/** A ticket serves one stream: the address of a stream holds no token. */
async function listenOnce(
  signal: AbortSignal,
  feed: Feed,
  onNews: Tell,
): Promise<'lost' | 'one too many'> {
  const { session, mode, lastId } = feed;
  const calls = feeds[session.side];
  const { ticket } = await session.ask(calls.ticket, {}, mode);
  if (signal.aborted) return 'lost';
  const source = new EventSource(addressOf(calls.stream, { ticket, lastEventId: lastId }));
  const remember = ({ lastEventId }: MessageEvent): void => {
    if (lastEventId !== '') feed.lastId = lastEventId;
  };
  source.addEventListener('notification', (event) => {
    remember(event);
    onNews((JSON.parse(String(event.data)) as NotificationDto).category);
  });
  // What was read in another tab or on another machine counts here, too; it comes first of all.
  source.addEventListener('unread-count', () => onNews('unread'));
  source.addEventListener('message', remember);
  const end = await new Promise<'lost' | 'one too many'>((resolve) => {
    source.addEventListener('end', () => resolve('one too many'));
    source.onerror = () => resolve('lost');
    signal.addEventListener('abort', () => resolve('lost'));
  });
  source.close();
  return end;
}

export function Bell() {
  const session = useSession();
  const unread = useAnswer(feeds[session.side].count);
  useLive();
  const count = unread.data?.count ?? 0;
  const face = (
    <span className="bell-face" aria-hidden="true">
      <BellIcon size={18} />
      {count > 0 && <b className="count">{count}</b>}
    </span>
  );
  return (
    <MenuButton label={text.unread(count)} face={face} className="quiet icon-button">
      {(close) => <Feed close={close} />}
    </MenuButton>
  );
}

function Feed({ close }: { close: () => void }) {
  const { side } = useSession();
  const calls = feeds[side];
  const notices = useAnswer(calls.list, { limit: 20 });
  const read = useChange(calls.read);
  const readAll = useChange(calls.readAll);
  const dismissRead = useChange(calls.dismissRead);
  // Dismissed is dismissed for every member.
  const may = useMay('member');
  const rows = notices.data?.data ?? [];
  return (
    <section aria-label={text.notifications} className="feed">
      {rows.length === 0 && <p className="empty">{text.noNotifications}</p>}
      <ul>
        {rows.map(({ id, type, data, title, body, readAt, createdAt }) => (
          <li key={id} className={readAt ? 'read' : undefined}>
            <Link
              to={pageOf(side, type, data)}
              className="notice"
              onClick={() => {
                if (!readAt) read.mutate({ notificationId: id });
                close();
              }}
            >
              <b>{title}</b>
              <span>{body}</span>
              <span className="fine">
                <When at={createdAt} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
      <div className="form-end">
        {may && (
          <button type="button" onClick={() => dismissRead.mutate({})}>
            {text.dismissRead}
          </button>
        )}
        <button type="button" onClick={() => readAll.mutate({})}>
          {text.readAll}
        </button>
      </div>
    </section>
  );
}

/** The record that a notice is about, below the site's address; the mode is the page's. */
function pageOf(side: Session['side'], type: string, ids: NotificationDto['data']): string {
  return recordPath({ side, type, mode: null }, ids).replace(/^\/(app|portal)/, '');
}
