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

/** Unfurlers and assistants that name themselves, and that the list knows by their form alone. */
const namesThemselves = [
  '\\b[a-z][\\w.]*-user/\\d',
  '\\banthropic-ai\\b',
  '\\bcardyb\\b',
  '\\bclaude-[a-z]',
  '\\bcohere-ai\\b',
  '\\bembedly\\b',
  '\\bgemini-deep-research\\b',
  '\\biframely\\b',
  '\\bkagi-fetcher\\b',
  '\\bline-poker\\b',
  '\\blinkpresentation\\b',
  '\\bmeta-(?:external|webindex)',
  '\\bnovaact\\b',
  '\\bopengraph',
  '\\bunfurl',
  '\\bvkshare\\b',
  '\\bxai-grok\\b',
  '^(?:akkoma|friendica|mastodon|misskey|pleroma|tumblr|viber)[ /]',
];

const isNamed = createIsbotFromList([
  ...list.filter((pattern) => !judgesForm.has(pattern)),
  ...namesThemselves,
]);

/** What a phone or a television is called: its maker may call it Discovery, or Google TV. */
const devices =
  /(?<=^Mozilla\/5\.0 \((?:Linux; )?(?:U; )?Andr[o0]id [\d.]{1,9}; )[^()]+|(?<=HbbTV\/[\d.]{1,9} )\([^()]*/gi;
/** A bot that writes its name where a device's stands. */
const botsName = /(?<!cu)bots?\b|crawler|spider|compatible|https?:/i;

function isListed(userAgent: string): boolean {
  return isNamed(userAgent.replace(devices, (name) => (botsName.test(name) ? name : 'K')));
}

/**
 * Whether a maintained list, or one of ours, recognises this client as a bot. A missing User-Agent,
 * or an unlisted one that is no browser's, is not: such a click is stored, and the fraud rule `bot_click` looks at
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
