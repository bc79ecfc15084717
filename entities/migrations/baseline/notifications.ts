/** Feeds of workspaces and partners, what was read and dismissed of them, tickets of streams. */
export const notifications = `
  -- A feed is a workspace's or a partner's: its id is theirs. Whoever changes a feed locks its row first,
  -- so numbers are committed in the order in which they are given out: a reader who has seen number n
  -- misses nothing below it. "version" is the last number; changes without a new notification take one, too.
  CREATE TABLE notification_feeds (
    feed_id uuid PRIMARY KEY,
    version bigint NOT NULL
  );

  -- mode "both": security notices, which belong to no mode. "cause_id" is the event, or whatever
  -- else may lead to a notification once only. Dismissed rows stay, for streams that go on from them.
  CREATE TABLE notifications (
    id uuid PRIMARY KEY,
    feed_id uuid NOT NULL,
    seq bigint NOT NULL,
    side text NOT NULL CONSTRAINT ck_notifications_side CHECK (side IN ('merchant', 'partner')),
    workspace_id uuid,
    mode text NOT NULL CONSTRAINT ck_notifications_mode CHECK (mode IN ('test', 'live', 'both')),
    category text NOT NULL,
    type text NOT NULL,
    audience text NOT NULL
      CONSTRAINT ck_notifications_audience CHECK (audience IN ('everyone', 'admins', 'member')),
    member_id uuid,
    participant_id uuid,
    cause_id uuid NOT NULL,
    title text NOT NULL,
    body text NOT NULL,
    data jsonb NOT NULL,
    created_at timestamptz NOT NULL,
    dismissed_at timestamptz
  );
  CREATE UNIQUE INDEX uq_notification_cause ON notifications (cause_id, feed_id, type);
  CREATE UNIQUE INDEX uq_notification_seq ON notifications (feed_id, seq);
  CREATE INDEX ix_notifications_feed ON notifications (feed_id, mode, category, seq)
    WHERE dismissed_at IS NULL;
  CREATE INDEX ix_notifications_created ON notifications USING brin (created_at);

  -- Counters spare counting a million rows; security notices are few, differ from member to member,
  -- and are counted. An account without a row in notification_unread has read nothing of that
  -- category: all of the feed's total is unread. A mark stands for everything up to its number.
  CREATE TABLE notification_totals (
    feed_id uuid NOT NULL,
    mode text NOT NULL,
    category text NOT NULL,
    total int NOT NULL,
    PRIMARY KEY (feed_id, mode, category)
  );

  CREATE TABLE notification_unread (
    feed_id uuid NOT NULL,
    account_id uuid NOT NULL,
    mode text NOT NULL,
    category text NOT NULL,
    unread int NOT NULL,
    PRIMARY KEY (feed_id, account_id, mode, category)
  );

  CREATE TABLE notification_reads (
    notification_id uuid NOT NULL,
    account_id uuid NOT NULL,
    read_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, notification_id)
  );
  CREATE INDEX ix_notification_reads_notification ON notification_reads (notification_id);

  CREATE TABLE notification_read_marks (
    account_id uuid NOT NULL,
    mode text NOT NULL,
    category text NOT NULL,
    through_seq bigint NOT NULL,
    read_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, mode, category, through_seq)
  );

  -- One-time credentials of a stream, for clients that cannot send a header; hashes only.
  CREATE TABLE stream_tickets (
    ticket_hash text PRIMARY KEY,
    side text NOT NULL CONSTRAINT ck_stream_tickets_side CHECK (side IN ('merchant', 'partner')),
    mode text NOT NULL CONSTRAINT ck_stream_tickets_mode CHECK (mode IN ('test', 'live')),
    account_id uuid NOT NULL,
    session_id uuid NOT NULL,
    -- The end of the access token that the ticket was made with: the stream ends with it.
    token_expires_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL
  );
  CREATE INDEX ix_stream_tickets_expires ON stream_tickets (expires_at);
`;
