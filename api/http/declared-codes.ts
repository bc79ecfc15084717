import type { ErrorCode } from '../../entities/errors';
import type { AnyContractSpec } from './contract';

/** The codes that an operation can answer: its own and those of credential, limits and input. */
export function declaredCodes(method: string, spec: AnyContractSpec): ErrorCode[] {
  const { auth } = spec;
  const open = auth.kind === 'open';
  const limited = !open || auth.addressZone !== undefined;
  const takesBody =
    spec.body !== undefined || spec.raw !== undefined || ['post', 'put', 'patch'].includes(method);
  const codes: ErrorCode[] = [
    ...ownCodes(spec),
    ...(open ? [] : [auth.refused]),
    ...(open || auth.kind === 'publicKey' ? [] : (['FORBIDDEN', auth.forbidden] as const)),
    ...(auth.erased ? [auth.erased] : []),
    ...(limited
      ? [
          auth.addressZone === 'waitlist'
            ? ('RATE_LIMITED' as const)
            : ('RATE_LIMIT_EXCEEDED' as const),
        ]
      : []),
    ...(takesBody ? (['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const) : []),
    ...(takesBody || spec.query || (!open && auth.kind !== 'secretKey')
      ? (['VALIDATION_ERROR'] as const)
      : []),
    ...(method === 'post' && !open && spec.idempotency !== 'none'
      ? (['IDEMPOTENCY_KEY_REUSED', 'IDEMPOTENCY_IN_PROGRESS'] as const)
      : []),
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
