/**
 * The one registry of error codes: code -> HTTP status and default message.
 * Codes are stable and part of the API; messages are for people and may change.
 */
export const errorRegistry = {
  // Requests
  VALIDATION_ERROR: { status: 400, message: 'The request is not valid.' },
  NOT_FOUND: { status: 404, message: 'There is nothing here.' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'This path does not support this method.' },
  PAYLOAD_TOO_LARGE: { status: 413, message: 'The request body is too large.' },
  HEADERS_TOO_LARGE: { status: 431, message: 'The request line and headers are too large.' },
  REQUEST_TIMEOUT: { status: 408, message: 'The request did not arrive in time.' },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    message: 'The content type or encoding is not supported.',
  },
  RATE_LIMIT_EXCEEDED: { status: 429, message: 'Too many requests. Try again later.' },
  INTERNAL_ERROR: { status: 500, message: 'Something went wrong on our side.' },
  SERVICE_UNAVAILABLE: {
    status: 503,
    message: 'A part of the service is away. Try again shortly.',
  },
  HTTPS_REQUIRED: { status: 403, message: 'Use HTTPS.' },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    message: 'This Idempotency-Key was used with another request body.',
  },
  IDEMPOTENCY_IN_PROGRESS: {
    status: 409,
    message: 'The first request with this Idempotency-Key is still running.',
  },

  // Credentials
  UNAUTHORIZED: { status: 401, message: 'A valid bearer token is required.' },
  API_KEY_LIMIT: { status: 409, message: 'Twenty live keys of a kind and mode at most.' },
  INVALID_API_KEY: { status: 401, message: 'The secret key is missing or not valid.' },
  INVALID_PUBLIC_KEY: { status: 401, message: 'The public key is missing or not valid.' },
  INVALID_SECRET_KEY: { status: 401, message: 'The secret key is missing or not valid.' },
  INVALID_SIGNATURE: { status: 401, message: 'The signature is missing or not valid.' },
  INVALID_CREDENTIALS: { status: 401, message: 'The e-mail address or password is wrong.' },
  INVALID_REFRESH_TOKEN: { status: 401, message: 'The refresh token is not valid.' },
  REFRESH_TOKEN_REUSED: {
    status: 401,
    message: 'The refresh token was used before; the session is ended.',
  },
  TWO_FACTOR_REQUIRED: { status: 401, message: 'Give the code of your second factor as well.' },
  TWO_FACTOR_INVALID: { status: 401, message: 'The code is wrong or was used before.' },
  TWO_FACTOR_SETUP_REQUIRED: {
    status: 403,
    message: 'Your workspace asks for a second factor: set one up for your account.',
  },
  TWO_FACTOR_NOT_SET_UP: { status: 409, message: 'There is no second factor to do this with.' },
  TWO_FACTOR_ALREADY_ENABLED: { status: 409, message: 'The second factor is enabled already.' },
  ORIGIN_NOT_ALLOWED: { status: 403, message: 'Sessions in cookies are for our own pages only.' },
  FORBIDDEN: { status: 403, message: 'Your credentials do not permit this.' },

  // Accounts and workspaces
  EMAIL_TAKEN: { status: 409, message: 'This e-mail address already has an account.' },
  EMAIL_TOKEN_INVALID: { status: 400, message: 'The verification link is not valid any more.' },
  RESET_TOKEN_INVALID: { status: 400, message: 'The reset link is not valid any more.' },
  PASSWORD_INVALID: { status: 400, message: 'The current password is wrong.' },
  SUPPRESSION_COMPLAINED: {
    status: 409,
    message: 'A complaint is taken back by its person only, who verifies the address anew.',
  },
  WORKSPACE_PAYOUT_PROCESSING: {
    status: 409,
    message: 'A live payout is processing: complete or cancel it first.',
  },
  WORKSPACE_NOT_CLOSING: { status: 409, message: 'The workspace is not being closed.' },
  LAST_OWNER: { status: 409, message: 'A workspace needs at least one owner.' },
  INVITE_EXPIRED: { status: 410, message: 'This invite is not valid any more.' },

  // Programmes and partners
  PROGRAM_NOT_FOUND: { status: 404, message: 'There is no such programme.' },
  PROGRAM_ARCHIVED: { status: 409, message: 'The programme is archived.' },
  PROGRAM_CURRENCY_FIXED: {
    status: 409,
    message: 'The currency is fixed once the programme has commissions.',
  },
  GROUP_NOT_FOUND: { status: 404, message: 'There is no such group.' },
  GROUP_NAME_TAKEN: { status: 409, message: 'A group of the programme has this name already.' },
  GROUP_LIMIT: { status: 409, message: 'A programme has a hundred groups at most.' },
  GROUP_IN_USE: {
    status: 409,
    message: 'Partners, rules, steps, bonuses or open invites still lead into the group.',
  },
  BONUS_REACHED_CHANGED: {
    status: 409,
    message: 'Other partners have reached these bonuses than expectedReached says.',
  },
  PARTICIPANT_NOT_FOUND: { status: 404, message: 'There is no such participant.' },
  PARTICIPANT_INVALID_TRANSITION: {
    status: 409,
    message: 'The participant cannot move there from its present status.',
  },
  PARTICIPANT_ERASED: { status: 409, message: "The partner's data was erased." },
  PARTICIPANT_NOT_APPROVED: { status: 409, message: 'The participant is not approved.' },
  PROMO_CODE_TAKEN: { status: 409, message: 'This promo code is already in use.' },
  REFERRAL_CODE_TAKEN: { status: 409, message: 'This referral code is already in use.' },
  APPLICATION_DUPLICATE: { status: 409, message: 'The partner already applied.' },
  APPLICATIONS_CLOSED: { status: 403, message: 'The programme takes no applications.' },
  LINK_IS_DEFAULT: { status: 409, message: 'The default link stays with the referral code.' },
  LINK_TARGET_NOT_ALLOWED: {
    status: 422,
    message: "The target must be on the programme's website or a subdomain of it.",
  },

  // Conversions and attribution
  CONVERSION_DUPLICATE: { status: 409, message: 'This transaction was already reported.' },
  NO_ATTRIBUTION_SIGNAL: {
    status: 422,
    message:
      'Give a click_id, a promo_code or the customer_id of a customer whom a partner brought.',
  },
  FRAUD_FLAG_NOT_FOUND: { status: 404, message: 'There is no such fraud flag.' },
  FRAUD_FLAG_RESOLVED: { status: 409, message: 'The fraud flag was resolved before.' },
  CUSTOMER_NOT_FOUND: { status: 404, message: 'No customer of that id is bound to a partner.' },
  CUSTOMER_ALIAS_TAKEN: { status: 409, message: 'One of the ids belongs to another customer.' },
  CUSTOMER_ALIAS_LIMIT: { status: 422, message: 'The customer has 50 aliases already.' },
  KEY_MODE_MISMATCH: {
    status: 403,
    as: 'MODE_MISMATCH',
    message: 'X-Mode names the other mode than the key.',
  },
  MODE_MISMATCH: { status: 422, message: 'The signal belongs to the other mode than the key.' },
  REFUND_EXCEEDS_AMOUNT: { status: 422, message: 'The refund is more than what is left.' },

  // Commissions and payouts
  COMMISSION_NOT_FOUND: { status: 404, message: 'There is no such commission.' },
  COMMISSION_NOT_PENDING: { status: 409, message: 'The commission is not pending.' },
  COMMISSION_HOLD_ACTIVE: { status: 409, message: 'The hold of the commission is still active.' },
  COMMISSION_NEEDS_REVIEW: { status: 409, message: 'The commission is flagged for review.' },
  COMMISSION_HOLD_NOT_ACTIVE: { status: 409, message: 'The commission has no active hold.' },
  COMMISSION_TERMINAL: { status: 409, message: 'The commission is in a final status.' },
  COMMISSION_IN_PAYOUT: { status: 409, message: 'The commission is in a payout being processed.' },
  COMMISSION_NOT_PAYABLE: { status: 422, message: 'A named commission cannot be paid.' },
  BULK_ALL_FAILED: { status: 422, message: 'None of the commissions could be changed.' },
  PAYOUT_NOT_FOUND: { status: 404, message: 'There is no such payout.' },
  PAYOUT_EMPTY: { status: 422, message: 'There is nothing to pay.' },
  ADJUSTMENT_EXTERNAL_ID_TAKEN: {
    status: 409,
    message: 'An adjustment of another partner or amount has this externalId.',
  },
  AMOUNT_TOO_LARGE: {
    status: 422,
    message: 'A sum is more than 9,007,199,254,740,991: narrow the filter.',
  },
  PAYOUT_CHANGED: {
    status: 409,
    message: 'It would come to something else by now: preview again.',
  },
  PAYOUT_FILE_EMPTY: { status: 404, message: 'No item that is ready is for this file.' },
  PAYOUT_ITEM_NOT_FOUND: { status: 404, message: 'There is no such item of this payout.' },
  PAYOUT_ITEM_INVALID_TRANSITION: {
    status: 409,
    message: 'The item cannot become that from what it is.',
  },
  PAYOUT_ITEMS_EXPORTED: {
    status: 409,
    message: 'A file held items of this payout: confirm that they were not paid.',
  },
  PROVIDER_KEY_REJECTED: {
    status: 422,
    message: 'The provider does not accept this credential, or it may not pay out.',
  },
  PROVIDER_IN_USE: {
    status: 409,
    message: 'Payouts are on their way by this account: only its secret may be changed.',
  },
  PAYOUT_ITEM_SENDING: {
    status: 409,
    message:
      'The item is on its way, or may be: its provider tells what becomes of it, or somebody who has looked.',
  },
  PAYOUT_ITEM_NOT_UNCLAIMED: {
    status: 409,
    message: 'Only a payment that the partner has not fetched can be taken back.',
  },
  PAYOUT_BATCH_DIFFERS: {
    status: 409,
    message: 'What the provider has by this id is not this batch.',
  },
  PAYOUT_BATCH_INVALID_STATE: {
    status: 409,
    message: 'The batch is not in a state for this.',
  },
  PAYOUT_OVER_LIMIT: {
    status: 409,
    message: 'It is more than the daily limit of the currency leaves.',
  },
  PROVIDER_NOT_CONNECTED: {
    status: 409,
    message: 'The provider is not connected in this mode.',
  },
  SECOND_PERSON_REQUIRED: {
    status: 403,
    message: 'Somebody else than the one who made the payout has to send it.',
  },
  PAYOUT_NOT_PROCESSING: { status: 409, message: 'The payout is not being processed.' },

  // Imports
  IMPORT_NOT_FOUND: { status: 404, message: 'There is no such import.' },
  IMPORT_OPEN: { status: 409, message: 'Another import of the programme is open.' },
  IMPORT_INVALID_STATE: { status: 409, message: 'The import is not in a state for this.' },
  IMPORT_KEY_REJECTED: { status: 422, message: 'The source does not accept the key.' },
  IMPORT_CHOICE: {
    status: 422,
    message: 'Name in `only` what is to be imported: the source has several, or none of that name.',
  },
  IMPORT_EMPTY: { status: 422, message: 'There is no file to read.' },
  IMPORT_CHANGED: {
    status: 409,
    message: 'The sums are others than those of the report, or the check is older than a day.',
  },
  IMPORT_CUTOVER_AHEAD: { status: 409, message: 'The cutover has not come yet.' },
  IMPORT_IN_USE: {
    status: 409,
    message: 'Something of the import is in use by now: it cannot be taken back.',
  },

  // Payment processor
  STRIPE_KEY_REJECTED: { status: 422, message: 'Stripe refused the key.' },
  BILLER_KEY_REJECTED: { status: 422, message: 'The biller refused the key.' },
  BILLER_EVENT_RUNNING: { status: 409, message: 'The event is being processed just now.' },
  STRIPE_EVENT_RUNNING: { status: 409, message: 'The event is being processed just now.' },

  // Outbound webhooks
  WEBHOOK_NOT_FOUND: { status: 404, message: 'There is no such webhook endpoint.' },
  WEBHOOK_ENDPOINT_LIMIT_EXCEEDED: { status: 422, message: 'Ten endpoints per mode at most.' },
  WEBHOOK_URL_NOT_HTTPS: { status: 422, message: 'Live mode needs an https URL.' },
  WEBHOOK_URL_PRIVATE_IP: {
    status: 422,
    message: 'The URL leads to a private or reserved address.',
  },
  WEBHOOK_URL_UNRESOLVABLE: { status: 422, message: 'The host name cannot be resolved.' },
  WEBHOOK_DELIVERY_NOT_FOUND: { status: 404, message: 'There is no such delivery.' },
  WEBHOOK_DELIVERY_NOT_DEAD_LETTER: {
    status: 409,
    message: 'Only a dead-lettered delivery can be retried.',
  },
  WEBHOOK_DEACTIVATED: { status: 409, message: 'The endpoint is deactivated.' },

  // Notifications, test mode, erasure
  PROTECTED_CATEGORY: { status: 409, message: 'This category cannot be switched off.' },
  NOTIFICATION_LOG_NOT_FOUND: { status: 404, message: 'There is no such log entry.' },
  RESET_IN_PROGRESS: { status: 409, message: 'A reset of the test data is already running.' },
  CONFIRMATION_INVALID: { status: 400, message: 'Type DELETE to confirm.' },
  PARTNER_NOT_FOUND: { status: 404, message: 'There is no such partner account.' },
  ACCESS_DENIED: { status: 403, message: 'You may not erase this participant.' },
  ALREADY_ERASED: { status: 409, message: 'The data was already erased.' },
  ERASURE_BLOCKED_PAYOUT: { status: 409, message: 'A payout in progress blocks the erasure.' },
  EXPORT_FORBIDDEN: { status: 403, message: 'You may not export this data.' },
  EXPORT_TOO_LARGE: { status: 422, message: 'The export is too large.' },

  // Waitlist
  INVALID_EMAIL: { status: 400, message: 'The e-mail address is missing or malformed.' },
  ANTI_SPAM_FAILED: { status: 400, message: 'The request looks automated.' },
  RATE_LIMITED: { status: 429, message: 'Too many requests. Try again later.' },
} as const satisfies Record<string, { status: number; message: string; as?: string }>;

export type ErrorCode = keyof typeof errorRegistry;

/** The code that clients are told: a code with two statuses stands in the registry twice. */
export function toldCode(code: ErrorCode): string {
  const entry = errorRegistry[code];
  return 'as' in entry ? entry.as : code;
}

export interface FieldProblem {
  /** Dotted path of the field, `body` for the whole body, or a header's name. */
  field: string;
  message: string;
}

export interface AppErrorOptions {
  message?: string;
  details?: FieldProblem[];
  headers?: Record<string, string>;
  /** Further members of the error body, beside the envelope's own. */
  extra?: Record<string, unknown>;
  /** What led to it, for the log. */
  cause?: unknown;
}

/** A refusal that a client can act on; everything else that is thrown is a bug or an outage. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly details: FieldProblem[] | undefined;
  readonly headers: Record<string, string>;
  readonly extra: Record<string, unknown>;

  constructor(
    readonly code: ErrorCode,
    options: AppErrorOptions = {},
  ) {
    super(options.message ?? errorRegistry[code].message, { cause: options.cause });
    this.details = options.details;
    this.headers = options.headers ?? {};
    this.extra = options.extra ?? {};
  }

  get status(): number {
    return errorRegistry[this.code].status;
  }
}

/** A VALIDATION_ERROR about one field. */
export function validationError(field: string, message: string): AppError {
  return new AppError('VALIDATION_ERROR', { details: [{ field, message }] });
}
