import type { Endpoint } from './contract';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** One endpoint as a value: where it is, and what it takes and answers (`contract()`). */
export interface Route extends Endpoint {
  method: Method;
  /** Operation of the OpenAPI document. */
  name: string;
  path: string;
}

function by(method: Method) {
  return (name: string, path: string, endpoint: Endpoint): Route => ({
    method,
    name,
    path,
    ...endpoint,
  });
}

export const route = {
  get: by('get'),
  post: by('post'),
  put: by('put'),
  patch: by('patch'),
  delete: by('delete'),
};
