import type {
  KeyPrincipal,
  ManagementKeyPrincipal,
  MerchantPrincipal,
  PartnerPrincipal,
} from '../../../activities/credentials/principals';
import type { ErrorCode } from '../../../entities/errors';
import type { Role } from '../../../entities/rules/values/roles';
import type { Zone } from './limiter';

export type AuthKind =
  | 'merchant'
  | 'partner'
  | 'secretKey'
  | 'secretKeyOrMerchant'
  | 'publicKey'
  | 'open';

/** Which credential an endpoint takes, and the limits that go with it. `P` is what it resolves to. */
export interface Auth<P> {
  kind: AuthKind;
  /** Least role of a merchant. */
  role?: Role;
  /** Code of the 403 for too low a role or the wrong side. */
  forbidden: ErrorCode;
  /** Code of the 401. */
  refused: ErrorCode;
  /** The zone that is counted per address before the credential is checked. */
  addressZone?: Zone;
  /** The same for a page whose session is in a cookie. */
  cookieZone?: Zone;
  /** Zones counted per account or key. */
  zones: Zone[];
  /** The X-Mode header does not matter here. */
  ignoreMode?: boolean;
  /** Code for the token of a partner whose account is erased; without it, it is just a bad one. */
  erased?: ErrorCode;
  /** A stream ticket in the query does as well. */
  ticket?: boolean;
  /** Takes persons only: a management key is refused whatever its role. */
  personOnly?: boolean;
  /** It is about one's own account: a member whom the workspace asks for a second factor may still use it. */
  ownAccount?: boolean;
  /** The principal as a type alone: never set. */
  principal?: P;
}

export interface AccountAuthOptions {
  forbidden?: ErrorCode;
  addressZone?: Zone;
  /** The zones that are counted besides the general one, or in its place when they are not per minute. */
  zones?: Zone[];
  ignoreMode?: boolean;
  erased?: ErrorCode;
  ticket?: boolean;
  personOnly?: boolean;
  ownAccount?: boolean;
}

function account<P>(kind: AuthKind, options: AccountAuthOptions, role?: Role): Auth<P> {
  return {
    kind,
    ...(role === undefined ? {} : { role }),
    forbidden: options.forbidden ?? 'FORBIDDEN',
    refused: 'UNAUTHORIZED',
    zones: options.zones ?? ['general'],
    ...(options.addressZone === undefined ? {} : { addressZone: options.addressZone }),
    ...(options.ignoreMode === undefined ? {} : { ignoreMode: options.ignoreMode }),
    ...(options.erased === undefined ? {} : { erased: options.erased }),
    ...(options.ticket === undefined ? {} : { ticket: options.ticket }),
    ...(options.personOnly === undefined ? {} : { personOnly: options.personOnly }),
    ...(options.ownAccount === undefined ? {} : { ownAccount: options.ownAccount }),
  };
}

/** Who manages a workspace: a member, or a key in their place. */
export type Manager = MerchantPrincipal | ManagementKeyPrincipal;

/** A member's access token or a management key, of at least this role. */
export function merchant(role: Role, options: AccountAuthOptions = {}): Auth<Manager> {
  return account('merchant', options, role);
}

/** A member's access token, of at least this role, and never a key. */
export function member(role: Role, options: AccountAuthOptions = {}): Auth<MerchantPrincipal> {
  return account('merchant', { ...options, personOnly: true }, role);
}

/** A partner's access token. */
export function partner(options: AccountAuthOptions = {}): Auth<PartnerPrincipal> {
  return account('partner', options);
}

/** A secret key. Conversions have a zone of their own; all else counts in the general one. */
export function secretKey(
  refused: 'INVALID_API_KEY' | 'INVALID_SECRET_KEY',
  zone: Zone = 'general',
): Auth<KeyPrincipal> {
  return { kind: 'secretKey', forbidden: 'FORBIDDEN', refused, zones: [zone] };
}

/** A public key, as bearer or in the body, or a server's: the endpoint looks for it by itself. */
export function publicOrServerKey(role: Role): Auth<KeyPrincipal> {
  return {
    kind: 'publicKey',
    role,
    forbidden: 'FORBIDDEN',
    refused: 'INVALID_PUBLIC_KEY',
    zones: ['tracking'],
  };
}

/** A secret key of its mode, or whom `merchant` takes. */
export function secretKeyOrMerchant(
  role: Role,
  refused: 'INVALID_API_KEY' | 'INVALID_SECRET_KEY' = 'INVALID_API_KEY',
  zone: Zone = 'general',
): Auth<KeyPrincipal | Manager> {
  return { kind: 'secretKeyOrMerchant', role, forbidden: 'FORBIDDEN', refused, zones: [zone] };
}

/** No credential. `zone` is counted per address; null is unlimited. */
export function open(zone: Zone | null = 'general'): Auth<undefined> {
  return {
    kind: 'open',
    forbidden: 'FORBIDDEN',
    refused: 'UNAUTHORIZED',
    zones: [],
    ...(zone === null ? {} : { addressZone: zone }),
  };
}
