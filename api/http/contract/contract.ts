import type { ErrorCode, FieldProblem } from '../../../entities/errors';
import type { Scope } from '../../../entities/rules/values/mode';
import type { Auth } from './credential';
import type { RequestContext } from './request';

export interface ResponseSpec {
  /** DTO class of the JSON body; absent for an empty body. */
  type?: new () => object;
  /** Content type when it is no JSON, such as text/csv. */
  contentType?: string;
  description?: string;
  /** The example, where it differs from the one that the fields of `type` make. */
  example?: unknown;
  /** The same as CSV, where the request may ask for it. */
  csvExample?: string;
}

/** A path parameter that is no UUID: free text, refused with this code when it cannot be stored. */
interface TextParam {
  text: ErrorCode;
}

export type ParamSpecs = Record<string, ErrorCode | TextParam>;
export type NoFields = Record<never, never>;

export interface ContractSpec<P extends ParamSpecs, Q, B, A, R = unknown> {
  summary: string;
  description?: string;
  auth: Auth<A>;
  /** Path parameters: the code of the 404 for a malformed UUID, or `{ text: code }`. */
  params?: P;
  query?: new () => Q & object;
  body?: new () => B & object;
  /** Problems of the body as a whole, looked for once each field is right by itself. */
  check?: (body: NoInfer<B>) => FieldProblem[];
  /** The body may be absent, which is read as `{}`: of fields that are required, their refusal. */
  bodyOptional?: boolean;
  /** Accepted content types; JSON unless given. */
  contentTypes?: readonly string[];
  /**
   * Fields with a code of their own in place of VALIDATION_ERROR, in the order in which they are
   * looked at: the first that is wrong is answered.
   */
  fieldCodes?: readonly (readonly [field: string, code: ErrorCode])[];
  /** Fields that may hold text that cannot be stored as it is. */
  looseFields?: readonly string[];
  /** The handler wants the bytes (signatures): `ctx.rawBody`, up to this many, of any content type. */
  raw?: number;
  /** The bytes are JSON that must be there; for the document. */
  rawJson?: boolean;
  /** The bytes are text of this type; any other is 415. */
  rawType?: string;
  responses: Record<number, ResponseSpec>;
  /** The endpoint's own codes; those of the credential, limits and validation are added. */
  errors?: readonly ErrorCode[];
  /**
   * How Idempotency-Key works on this POST. `transaction` (default): the handler's work and the
   * stored answer commit together. `claimed`: for handlers that talk to the network. `none`: the
   * answer is too large to be stored.
   */
  idempotency?: 'transaction' | 'claimed' | 'none';
  /**
   * The programme of what the path names by its own id, for keys that are bound to one; null when
   * there is none. Without it they reach only what names its programme.
   */
  programOf?: (ctx: EndpointContext<P, Q, B, A>) => Promise<string | null>;
  /**
   * What must happen outside the transaction and before the handler, which is given its result:
   * checks over the network, passwords that are hashed.
   */
  prepare?: (ctx: EndpointContext<P, Q, B, A>) => Promise<R>;
  /** Request headers of the endpoint's own, by name; for the document. */
  headers?: Record<string, { description: string; schema: Record<string, unknown> }>;
  /** The answer carries a token, key or secret. */
  noStore?: boolean;
  /** Answered over plain http even where HTTPS is required. */
  httpAllowed?: boolean;
  deprecated?: boolean;
  /** The handler runs the checks by itself. */
  checksItself?: boolean;
}

/** What a handler works with: a request that its contract has checked. */
export interface EndpointContext<P extends ParamSpecs, Q, B, A> extends RequestContext {
  input: { params: Record<keyof P, string>; query: Q; body: B };
  principal: A;
  /** Workspace and mode of the credential; undefined for partners and open endpoints. */
  scope: A extends { workspaceId: string } ? Scope : undefined;
}

export type AnyContractSpec = ContractSpec<ParamSpecs, object, object, unknown>;

/** `prepared` is what the contract's `prepare` gave. */
export type Handler<P extends ParamSpecs, Q, B, A, R> = (
  ctx: EndpointContext<P, Q, B, A>,
  prepared: R,
) => Promise<void> | void;

export type AnyHandler = Handler<ParamSpecs, object, object, unknown, unknown>;
