import type { MigrationInterface, QueryRunner } from 'typeorm';
import { accounts } from './baseline/accounts';
import { analytics } from './baseline/analytics';
import { commissionCounts } from './baseline/commission-counts';
import { commissions } from './baseline/commissions';
import { conversions } from './baseline/conversions';
import { customers } from './baseline/customers';
import { erasures } from './baseline/erasures';
import { journal } from './baseline/journal';
import { mail } from './baseline/mail';
import { notifications } from './baseline/notifications';
import { ownerDeletes } from './baseline/owner-deletes';
import { firstPartitions, partitionFunctions } from './baseline/partitions';
import { programs } from './baseline/programs';
import { search } from './baseline/search';
import { stripe } from './baseline/stripe';
import { upkeep } from './baseline/upkeep';
import { vacuumSettings } from './baseline/vacuum-settings';
import { webhooks } from './baseline/webhooks';

/** The schema that the service begins with. Once a release has it, what changes comes after it. */
export class Baseline1700000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const tables = [accounts, journal, programs, conversions, commissions, webhooks, stripe];
    const others = [customers, mail, notifications, erasures, commissionCounts, analytics, upkeep];
    const rest = [search, partitionFunctions, ownerDeletes, vacuumSettings, firstPartitions];
    for (const part of [...tables, ...others, ...rest]) await runner.query(part);
  }

  /** Before it there was nothing: a database is dropped. */
  down(): Promise<void> {
    return Promise.reject(new Error('The baseline has no way back: drop the database.'));
  }
}
