import { open } from '../http/contract/credential';
import { routesOf, type Route } from '../http/contract/route';
import { AnyText, ListOf, OneOf } from '../http/contract/validators';

const route = routesOf('Sign-in');

class JwkDto {
  @OneOf(['OKP'])
  kty!: string;

  @OneOf(['Ed25519'])
  crv!: string;

  @AnyText({
    description: 'The public key, base64url.',
    example: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
  })
  x!: string;

  @AnyText({ example: '2026-01' })
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

/** The public keys that verify access tokens. */
export const jwksRoutes: Route[] = [
  route.get(
    '/.well-known/jwks.json',
    {
      name: 'getJwks',
      summary: 'Public keys of access tokens',
      description: 'A token names its key by `kid`. More than one key is listed while keys rotate.',
      auth: open(null),
      responses: { 200: { type: JwksDto } },
    },
    async (ctx) => {
      ctx.set('Cache-Control', 'public, max-age=300');
      ctx.body = await ctx.deps.accessTokens.publicKeys();
    },
  ),
];
