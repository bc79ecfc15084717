# Written by `npm run openapi` from the OpenAPI document. Do not edit.
