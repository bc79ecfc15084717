import type {
  AnyContractSpec,
  AnyHandler,
  ContractSpec,
  Handler,
  NoFields,
  ParamSpecs,
} from './contract';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** One endpoint as a value: where it is, what it takes and answers, and its handler. */
export interface Route {
  method: Method;
  /** Operation of the OpenAPI document. */
  name: string;
  /** The group of the operation there. */
  tag: string;
  path: string;
  spec: AnyContractSpec;
  handler: AnyHandler;
}

/**
 * An endpoint by its contract: what it takes, what it may answer, and its handler, which runs after all
 * checks.
 */
function by(method: Method, tag: string) {
  return <P extends ParamSpecs = NoFields, Q = NoFields, B = NoFields, A = undefined, R = void>(
    path: string,
    { name, ...spec }: ContractSpec<P, Q, B, A, R> & Pick<Route, 'name'>,
    handler: Handler<P, Q, B, A, R>,
  ): Route => ({
    method,
    name,
    tag,
    path,
    spec: spec as unknown as AnyContractSpec,
    handler: handler as unknown as AnyHandler,
  });
}

/** Makes endpoints of one group of the OpenAPI document. */
export function routesOf(tag: string) {
  return {
    get: by('get', tag),
    post: by('post', tag),
    put: by('put', tag),
    patch: by('patch', tag),
    delete: by('delete', tag),
  };
}
