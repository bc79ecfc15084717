import type { Mode } from '../../session/session';
import { billing as billingWords } from '../../text/en/app/billing';
import { billerEventKinds } from './event-kinds';

export const billers = ['stripe', 'paddle', 'polar'] as const;
export type Biller = (typeof billers)[number];

/** How a biller is connected. */
export interface Way {
  /** The API's name of the key. */
  keyField: 'restrictedKey' | 'apiKey';
  /** Where the biller makes keys. */
  keysAt: (mode: Mode) => string;
  keyLike: (mode: Mode) => string;
  secretLike: string;
  permissions: readonly string[];
  /** Besides, for promo codes that take something off. */
  codePermissions: readonly string[];
  kinds: readonly string[];
}

const { permissions, codePermissions } = billingWords;

export const ways: Readonly<Record<Biller, Way>> = {
  stripe: {
    keyField: 'restrictedKey',
    keysAt: (mode) =>
      `https://dashboard.stripe.com/${mode === 'test' ? 'test/' : ''}apikeys/create`,
    keyLike: (mode) => `rk_${mode}_…`,
    secretLike: 'whsec_…',
    permissions: permissions.stripe,
    codePermissions: codePermissions.stripe,
    kinds: billerEventKinds.stripe,
  },
  paddle: {
    keyField: 'apiKey',
    keysAt: (mode) =>
      `https://${mode === 'test' ? 'sandbox-' : ''}vendors.paddle.com/authentication-v2`,
    keyLike: (mode) => (mode === 'test' ? 'pdl_sdbx_apikey_…' : 'pdl_live_apikey_…'),
    secretLike: 'pdl_ntfset_…',
    permissions: permissions.paddle,
    codePermissions: codePermissions.paddle,
    kinds: billerEventKinds.paddle,
  },
  polar: {
    keyField: 'apiKey',
    keysAt: (mode) => `https://${mode === 'test' ? 'sandbox.' : ''}polar.sh/dashboard`,
    keyLike: () => 'polar_oat_…',
    secretLike: 'polar_whs_…',
    permissions: permissions.polar,
    codePermissions: codePermissions.polar,
    kinds: billerEventKinds.polar,
  },
};
