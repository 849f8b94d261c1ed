import {type Static, Type} from 'typebox';

const Name = Type.String({minLength: 1, maxLength: 100, pattern: '^[A-Za-z0-9_-]+$'});
const Url = Type.String({pattern: '^https?://'});

const common = {
  name: Name,
  client_id: Type.String({minLength: 1}),
  client_secret: Type.String({minLength: 1}),
  scopes: Type.Optional(Type.Array(Type.String({minLength: 1}))),
  display_label: Type.Optional(Type.String()),
  icon: Type.Optional(Type.String()),
  userinfo_url: Type.Optional(Url),
};

export const Oauth2Provider = Type.Object(
  {...common, authorization_url: Url, token_url: Url},
  {additionalProperties: false},
);
export type Oauth2Provider = Static<typeof Oauth2Provider>;

export const OidcProvider = Type.Object(
  {...common, discovery_url: Url, authorization_url: Type.Optional(Url), token_url: Type.Optional(Url)},
  {additionalProperties: false},
);
export type OidcProvider = Static<typeof OidcProvider>;
