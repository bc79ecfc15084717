import { mailSpec, type MailType } from './mail';

/** Mails of one type to one person go one by one up to `most` in a window; then they are collected. */
export const digesting = { max: 10, windowMs: 15 * 60_000 } as const;

/** Mails that preferences govern can be collected; what concerns the account itself cannot wait. */
export function isDigestible(type: MailType): boolean {
  const { category } = mailSpec(type);
  return category !== null && category !== 'security';
}

/** How many mails stand one by one in a digest; the rest are a number. */
export const digestLines = 20;
