import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The lock and the number of a feed: a workspace's or a partner's. */
@Entity({ name: 'notification_feeds' })
export class NotificationFeed {
  @PrimaryColumn({ name: 'feed_id', type: 'uuid' })
  feedId!: string;

  @Column({ type: 'bigint' })
  version!: number;
}
