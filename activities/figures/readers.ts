import { accountFigures } from './accounts';
import { analyticsFigures } from './analytics';
import { commissionFigures } from './commissions';
import { databaseFigures } from './database';
import { longWorkFigures } from './long-work';
import { mailFigures } from './mails';
import { outboxFigures } from './outbox';
import type { FigureReader } from './reader';
import { retentionFigures } from './retention';
import { sendingFigures } from './sending';
import { stripeFigures } from './stripe';
import { upkeepFigures } from './upkeep';
import { webhookFigures } from './webhooks';

/** All figures of the database. */
export const figureReaders: readonly FigureReader[] = [
  outboxFigures,
  commissionFigures,
  mailFigures,
  stripeFigures,
  sendingFigures,
  webhookFigures,
  longWorkFigures,
  upkeepFigures,
  databaseFigures,
  retentionFigures,
  analyticsFigures,
  accountFigures,
];
