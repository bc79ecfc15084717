import { useAccount, useAnswer, useMode } from '../../session/use-session';
import type { Program } from '../../session/records';

/** The address of a partner whom nobody is: `.example` is nobody's domain, so that no mail reaches anybody. */
export const practiceEmail = (workspaceId: string): string =>
  `practice-${workspaceId}@partner.example`;

/**
 * The partner with whom the first steps are tried: the newest partner who is real, else the one for
 * practice. Asked for again and again, since partners join while one looks.
 */
export function usePractice(program: Program | undefined, lookMs: number) {
  const workspaceId = useAccount()?.workspaceId ?? '';
  const asked = program && ({ programId: program.id, status: 'approved', limit: 2 } as const);
  const partners = useAnswer('partners.list', asked ?? false, lookMs);
  const all = partners.data?.data ?? [];
  const real = all.find(({ partnerEmail }) => partnerEmail !== practiceEmail(workspaceId));
  return { partners, partner: real ?? all[0], real };
}

/** The shop that `npm start` brings along; undefined where there is none, as in production. */
export function useDemoShop(): string | undefined {
  const mode = useMode();
  const meta = document.querySelector<HTMLMetaElement>('meta[name="demo-shop"]');
  return mode === 'test' ? meta?.content : undefined;
}

/** Whether the website of the programme is the demo shop. */
export const sellsAt = (program: Program | undefined, shop: string | undefined): boolean =>
  shop !== undefined && program?.websiteUrl.startsWith(shop) === true;
