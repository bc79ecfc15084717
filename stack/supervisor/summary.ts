import { demoCommands } from '../demo/commands';
import type { StackInfo } from './info';

/** What a person needs once everything runs. */
export function summaryOf(info: StackInfo, shopUrl: string | undefined): string {
  return [
    '',
    ...rows([
      ['Dashboard', `${info.apiUrl}/app`],
      // Partners begin in live mode; all that the demo has to show is in test mode.
      ['Partner portal', `${info.apiUrl}/portal${info.demo ? '?mode=test' : ''}`],
      ['API', info.apiUrl],
      ['API docs', info.docsUrl],
      ['Metrics', `${info.adminUrl}/metrics, of the worker ${info.workerAdminUrl}/metrics`],
      ['Temporal Web', info.temporalUiUrl ?? `see ${info.temporalAddress}`],
      ['Mails', info.mailUrl ?? 'see SMTP_URL'],
      ...(shopUrl ? [['Demo shop', shopUrl] as const] : []),
    ]),
    ...(info.demo ? demoLines(info.apiUrl, info.demo) : []),
    '',
    'Ready. Ctrl-C stops everything; the data stays.',
  ].join('\n');
}

function demoLines(apiUrl: string, demo: NonNullable<StackInfo['demo']>): string[] {
  return [
    '',
    ...rows([
      ['Merchant login', `${demo.merchant.email} / ${demo.merchant.password}`],
      ['Partner login', `${demo.partner.email} / ${demo.partner.password}`],
      ['Referral link', demo.referralUrl],
      ['Promo code', demo.promoCode],
    ]),
    '',
    'The demo programme is in test mode (X-Mode: test). To try it, open the referral link and press Buy, or paste:',
    ...demoCommands(apiUrl, demo).flatMap(({ title, command }) => ['', `# ${title}`, command]),
  ];
}

function rows(pairs: readonly (readonly [string, string])[]): string[] {
  return pairs.map(([label, value]) => `  ${label.padEnd(16)}${value}`);
}
