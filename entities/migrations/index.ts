import { Baseline1700000000001 } from './0001-baseline';

/** In the order in which they run: by the number at the end of the class name. */
export const migrations = [Baseline1700000000001];
import { Core1700000000001 } from './0001-core';
import { Accounts1700000000002 } from './0002-accounts';
import { Programs1700000000003 } from './0003-programs';
import { Clicks1700000000004 } from './0004-clicks';
import { Conversions1700000000005 } from './0005-conversions';
import { Commissions1700000000006 } from './0006-commissions';
import { Fraud1700000000007 } from './0007-fraud';
import { Webhooks1700000000008 } from './0008-webhooks';
import { Stripe1700000000009 } from './0009-stripe';
import { Mail1700000000010 } from './0010-mail';
import { FewerIndexes1700000000011 } from './0011-fewer-indexes';
import { Notifications1700000000012 } from './0012-notifications';
import { MailBounds1700000000013 } from './0013-mail-bounds';
import { WaitlistAndResets1700000000015 } from './0015-waitlist-and-resets';
import { SteadyQueues1700000000019 } from './0019-steady-queues';
import { Analytics1700000000016 } from './0016-analytics';
import { ExactMoney1700000000017 } from './0017-exact-money';
import { Partitions1700000000020 } from './0020-partitions';
import { FleetSchema1700000000021 } from './0021-fleet-schema';
import { DeletedEndpoints1700000000022 } from './0022-deleted-endpoints';
import { ServingRole1700000000023 } from './0023-serving-role';
import { OwnedRows1700000000024 } from './0024-owned-rows';
import { StoredAnswers1700000000028 } from './0028-stored-answers';
import { FullDefaults1700000000029 } from './0029-full-defaults';
import { SearchOfConversions1700000000026 } from './0026-search-of-conversions';
import { DeliveryLines1700000000025 } from './0025-delivery-lines';
import { Erasures1700000000014 } from './0014-erasures';
import { RepeatedWork1700000000030 } from './0030-repeated-work';
import { DelayedWork1700000000033 } from './0033-delayed-work';
import { SuppressedByHash1700000000034 } from './0034-suppressed-by-hash';
import { ClicksOfParticipants1700000000035 } from './0035-clicks-of-participants';
import { ClicksByLink1700000000036 } from './0036-clicks-by-link';
import { SalesFrom1700000000041 } from './0041-sales-from';
import { OneClaim1700000000043 } from './0043-one-claim';
import { SuspendedCommissions1700000000032 } from './0032-suspended-commissions';

/** In the order in which they run: by the number at the end of the class name. */
export const migrations = [
  Core1700000000001,
  Accounts1700000000002,
  Programs1700000000003,
  Clicks1700000000004,
  Conversions1700000000005,
  Commissions1700000000006,
  Fraud1700000000007,
  Webhooks1700000000008,
  Stripe1700000000009,
  Mail1700000000010,
  FewerIndexes1700000000011,
  Notifications1700000000012,
  MailBounds1700000000013,
  WaitlistAndResets1700000000015,
  SteadyQueues1700000000019,
  Analytics1700000000016,
  ExactMoney1700000000017,
  Partitions1700000000020,
  FleetSchema1700000000021,
  DeletedEndpoints1700000000022,
  ServingRole1700000000023,
  OwnedRows1700000000024,
  SearchOfConversions1700000000026,
  DeliveryLines1700000000025,
  Erasures1700000000014,
  StoredAnswers1700000000028,
  RepeatedWork1700000000030,
  FullDefaults1700000000029,
  SuspendedCommissions1700000000032,
  DelayedWork1700000000033,
  SuppressedByHash1700000000034,
  ClicksOfParticipants1700000000035,
  ClicksByLink1700000000036,
  SalesFrom1700000000041,
  OneClaim1700000000043,
];
