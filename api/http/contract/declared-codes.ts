import type { ErrorCode } from '../../../entities/errors';
import type { AnyContractSpec } from './contract';

/** The codes that an operation can answer: its own and those of credential, limits and input. */
export function declaredCodes(method: string, spec: AnyContractSpec): ErrorCode[] {
  const codes: ErrorCode[] = [
    ...ownCodes(spec),
    ...credentialCodes(spec),
    ...limitCodes(spec),
    ...inputCodes(method, spec),
    ...idempotencyCodes(method, spec),
    ...(spec.httpAllowed ? [] : (['HTTPS_REQUIRED'] as const)),
    // Answered before there is a request to look at, and so by each operation.
    ...(['REQUEST_TIMEOUT', 'HEADERS_TOO_LARGE'] as const),
    'SERVICE_UNAVAILABLE',
  ];
  return [...new Set(codes)];
}

function ownCodes({ params = {}, errors = [], fieldCodes = [] }: AnyContractSpec): ErrorCode[] {
  const ofParams = Object.values(params).map((param) =>
    typeof param === 'string' ? param : param.text,
  );
  return [...ofParams, ...errors, ...fieldCodes.map(([, code]) => code)];
}

function credentialCodes({ auth }: AnyContractSpec): ErrorCode[] {
  const erased = auth.erased ? [auth.erased] : [];
  if (auth.kind === 'open') return erased;
  if (auth.kind === 'publicKey')
    return [auth.refused, auth.forbidden, 'KEY_MODE_MISMATCH', ...erased];
  const refused = [auth.refused, 'FORBIDDEN', auth.forbidden, ...erased] as const;
  if (auth.kind !== 'merchant' && auth.kind !== 'secretKeyOrMerchant') return [...refused];
  return [
    ...refused,
    ...(auth.ownAccount ? [] : (['TWO_FACTOR_SETUP_REQUIRED'] as const)),
    ...(auth.personOnly ? [] : (['KEY_MODE_MISMATCH'] as const)),
  ];
}

function limitCodes({ auth: { kind, addressZone } }: AnyContractSpec): ErrorCode[] {
  if (kind === 'open' && addressZone === undefined) return [];
  return [addressZone === 'waitlist' ? 'RATE_LIMITED' : 'RATE_LIMIT_EXCEEDED'];
}

const methodsWithBody = ['post', 'put', 'patch'];

function inputCodes(method: string, { auth, body, raw, query }: AnyContractSpec): ErrorCode[] {
  if (body !== undefined || raw !== undefined || methodsWithBody.includes(method)) {
    return ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'VALIDATION_ERROR'];
  }
  const choosesMode = auth.kind !== 'open' && auth.kind !== 'secretKey';
  return query || choosesMode ? ['VALIDATION_ERROR'] : [];
}

function idempotencyCodes(method: string, { auth, idempotency }: AnyContractSpec): ErrorCode[] {
  if (method !== 'post' || auth.kind === 'open' || idempotency === 'none') return [];
  return ['IDEMPOTENCY_KEY_REUSED', 'IDEMPOTENCY_IN_PROGRESS'];
}
