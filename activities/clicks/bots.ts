import { createIsbotFromList, isbotPatterns, list } from 'isbot';
import { LRUCache } from 'lru-cache';
import { longestUserAgent } from '../../entities/rules/clicks/click';

/**
 * Made-up clients that no list can name. A pattern that matches one of them judges the form of a
 * User-Agent, it recognises no bot.
 */
const madeUpClients = [
  'Zqxv',
  'Zqxv/1',
  'Zqxv/1.2.3',
  'Zqxv Wkjh 7',
  'Zqxv/1.0 (wkjh)',
  'Zqxv/1.0 (Wkjh; Zz/1.0; Qq)',
  'Zqxv/2.0 (+zz@wkjh.example)',
  'Zqxv/1.0 (wkjh.com)',
  'Zqxv|Wkjh',
  '<Zqxv>',
  'Zqxv()',
  '7 zqxv',
  'Zqxv-Wkjh-'.repeat(8),
  'Mozilla/5.0 Zqxv',
  'Mozilla/5.0 (compatible; Zqxv/1.0)',
  'Mozilla/5.0 (Zqxv; Wkjh; zz;',
];

const judgesForm = new Set(madeUpClients.flatMap((client) => isbotPatterns(client)));

const isListed = createIsbotFromList(list.filter((pattern) => !judgesForm.has(pattern)));

/**
 * Whether a maintained list recognises this client as a bot. A missing User-Agent, or an unlisted
 * one that is no browser's, is not: such a click is stored, and the fraud rule `bot_click` looks at
 * it (docs/reference/analytics.md, Fraud rules).
 */
export type BotJudge = (userAgent: string | null) => boolean;

/** Remembers whom it judged: the same few browsers come again and again, and the list is long. */
export function createBotJudge(): BotJudge {
  const judged = new LRUCache<string, boolean>({ max: 1_000 });
  return (userAgent) => {
    if (userAgent === null) return false;
    if (userAgent.length > longestUserAgent) return isListed(userAgent);
    return judged.get(userAgent) ?? remember(judged, userAgent);
  };
}

function remember(judged: LRUCache<string, boolean>, userAgent: string): boolean {
  const isBot = isListed(userAgent);
  judged.set(userAgent, isBot);
  return isBot;
}
