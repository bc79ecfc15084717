/** The operations of a document that a client has, with the group and method that it calls each by. */
export function operationsOf(document) {
  const found = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation['x-client-method'] !== undefined)
      .map(([method, operation]) => describe(document, path, method, operation)),
  );
  const calls = found.map(({ resource, call }) => `${resource}.${call}`);
  const twice = calls.filter((call, i) => calls.indexOf(call) !== i);
  if (twice.length > 0) throw new Error(`two operations are called ${twice.join(', ')}`);
  return found;
}

function describe(document, path, method, operation) {
  const { operationId } = operation;
  const [resource, call] = operation['x-client-method'].split('.');
  const content = operation.responses['200']?.content ?? {};
  const reference = content['application/json']?.schema?.$ref?.split('/').at(-1);
  const isPage = document.components.schemas[reference]?.properties?.data?.type === 'array';
  const takesPage = operation.parameters.some(({ name }) => name === 'page');
  return {
    path,
    method,
    operation,
    resource,
    call,
    name: operationId[0].toUpperCase() + operationId.slice(1),
    isList: method === 'get' && isPage && takesPage,
    isStream: 'text/event-stream' in content,
  };
}
