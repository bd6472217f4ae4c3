import { z } from 'zod';
import { splitList } from './setting-parsers.js';

const rolePattern = /^(.+)=(viewer|drafter|publisher|owner)(?:@([0-9a-f]{8}))?$/;

const isSafeIssuer = (value: string): boolean => {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname } = new URL(value);
  const isLocal = hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]';
  return protocol === 'https:' || (protocol === 'http:' && isLocal);
};

export const openIdConnectSettings = {
  oidcIssuer: {
    variable: 'OIDC_ISSUER',
    parse: z
      .string()
      .refine(value => value === '' || isSafeIssuer(value), 'must be https://..., or http on this machine'),
    meaning:
      'The issuer of an OpenID Connect provider, by which people sign in: https://accounts.google.com. Its redirect ' +
      'URI is <PUBLIC_URL>/sign-in/openid-connect/callback, with CONSOLE_URL in its place where that is set. Empty: ' +
      'not offered.',
  },
  oidcClientId: {
    variable: 'OIDC_CLIENT_ID',
    parse: z.string(),
    meaning: 'The client id at the provider.',
  },
  oidcClientSecret: {
    variable: 'OIDC_CLIENT_SECRET',
    isSecret: true,
    parse: z.string(),
    meaning: 'The client secret at the provider. Empty for a public client.',
  },
  oidcName: {
    variable: 'OIDC_NAME',
    fallback: 'OpenID Connect',
    parse: z.string().max(60, 'must have at most 60 characters'),
    meaning: 'What the button to sign in calls the provider.',
  },
  oidcScopes: {
    variable: 'OIDC_SCOPES',
    fallback: 'openid email',
    parse: z
      .string()
      .regex(/^(?=.*\bopenid\b)[\x21-\x7e]+( [\x21-\x7e]+)*$/, 'must be scopes with spaces between, openid among them'),
    meaning: 'The scopes to ask for: openid, email, and what the provider needs for OIDC_ROLES_CLAIM.',
  },
  oidcRolesClaim: {
    variable: 'OIDC_ROLES_CLAIM',
    parse: z.string(),
    meaning:
      'The claim with the groups of a person, such as groups. Empty: people have the roles that they are invited to.',
  },
  oidcRoles: {
    variable: 'OIDC_ROLES',
    parse: z
      .string()
      .transform(splitList)
      .refine(
        list => list.every(item => rolePattern.test(item)),
        'must be <group>=<role> or <group>=<role>@<page id>, separated by commas',
      )
      .transform(list =>
        list.map(item => {
          const [, group, role, pageId] = rolePattern.exec(item)!;
          return { group: group!, role: role as 'viewer' | 'drafter' | 'publisher' | 'owner', pageId: pageId ?? null };
        }),
      ),
    meaning:
      'The roles of groups, separated by commas: status-admins=owner, support=publisher@2017f84a. They are given to ' +
      'members when they sign in, also to people whom nobody has invited, and lost at the next sign-in after leaving.',
  },
} as const;
