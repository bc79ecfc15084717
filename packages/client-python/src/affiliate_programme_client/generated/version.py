# Written by `npm run openapi` from the OpenAPI document. Do not edit.

VERSION = "0.2.0"
