import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The lock and the number of a feed: a workspace's or a partner's. */
@Entity({ name: 'notification_feeds' })
export class NotificationFeed {
  @PrimaryColumn('uuid') feedId!: string;
  @Column('bigint') version!: number;
}
