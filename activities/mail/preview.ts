import type { Deps } from '../../runtime/process/deps';
import { senderName } from './render';
import { templateOf } from './templates';
import { showable, type MailParams } from './templates/facts';
import { renderLayout, type RenderedMail } from './templates/layout';

/** The mail that tells partners that they are here, as each will get it but for the token of its link. */
export function previewPartnerAdded(
  { config }: Pick<Deps, 'config'>,
  params: MailParams,
): RenderedMail {
  const shown = showable(params, { verified: false });
  const link = `${config.dashboardUrl}/claim`;
  const content = templateOf('partner.added')({ side: 'partner', params: shown, link });
  return renderLayout(content, { sender: senderName(config.mailFrom) });
}
