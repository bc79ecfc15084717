// Written by `npm run openapi` from the OpenAPI document. Do not edit.

export const version = "0.2.0";
