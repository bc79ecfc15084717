import { open } from '../http/contract/credential';
import { routesOf, type Route } from '../http/contract/route';
import { AnyText, ListOf, OneOf } from '../http/contract/validators';

const route = routesOf('Sign-in');

class JwkDto {
  @OneOf(['OKP'])
  kty!: string;

  @OneOf(['Ed25519'])
  crv!: string;

  @AnyText({ description: 'The public key, base64url.' })
  x!: string;

  @AnyText()
  kid!: string;

  @OneOf(['EdDSA'])
  alg!: string;

  @OneOf(['sig'])
  use!: string;
}

class JwksDto {
  @ListOf(() => JwkDto)
  keys!: JwkDto[];
}

const jwksExample: JwksDto = {
  keys: [
    {
      kty: 'OKP',
      crv: 'Ed25519',
      x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
      kid: '2026-01',
      alg: 'EdDSA',
      use: 'sig',
    },
  ],
};

/** The public keys that verify access tokens. */
export const jwksRoutes: Route[] = [
  route.get(
    '/.well-known/jwks.json',
    {
      name: 'getJwks',
      summary: 'Public keys of access tokens',
      description: 'A token names its key by `kid`. More than one key is listed while keys rotate.',
      auth: open(null),
      responses: { 200: { type: JwksDto, example: jwksExample } },
    },
    async (ctx) => {
      ctx.set('Cache-Control', 'public, max-age=300');
      ctx.body = await ctx.deps.accessTokens.publicKeys();
    },
  ),
];
