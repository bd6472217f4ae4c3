import type { Route } from './route.js';

/** The records that exist once per page: brand, custom domain, theme. */
export const BrandV1 = /* GraphQL */ `
  fragment BrandV1 on Brand {
    color_state_ok: colorStateOk
    color_state_warning: colorStateWarning
    color_navbar_background: colorNavbarBackground
    color_navbar_links: colorNavbarLinks
    color_navbar_button_background: colorNavbarButtonBackground
    color_header_background: colorHeaderBackground
    color_header_links: colorHeaderLinks
    color_header_text: colorHeaderText
    color_body_background: colorBodyBackground
    color_body_links: colorBodyLinks
    color_body_text: colorBodyText
    created_at: createdAt
    updated_at: updatedAt
  }`;

export const CustomDomainV1 = /* GraphQL */ `
  fragment CustomDomainV1 on CustomDomain {
    type
    from: domain
    to: cnameTarget
    created_at: createdAt
    updated_at: updatedAt
  }`;

export const ThemeV1 = /* GraphQL */ `
  fragment ThemeV1 on Theme {
    created_at: createdAt
    updated_at: updatedAt
  }`;

const RetrieveBrand = /* GraphQL */ `
  query RetrieveBrand($page_id: ID!) {
    response: brand(pageId: $page_id) { ...BrandV1 }
  }
  ${BrandV1}`;

const UpdateBrand = /* GraphQL */ `
  mutation UpdateBrand($page_id: ID!, $if_version: [Int!], $input: UpdateBrandInput!) {
    body: updateBrand(pageId: $page_id, ifVersion: $if_version, input: $input) { response: brand { ...BrandV1 } }
  }
  ${BrandV1}`;

const DeleteBrand = /* GraphQL */ `
  mutation DeleteBrand($page_id: ID!, $if_version: [Int!]) {
    resetBrand(pageId: $page_id, ifVersion: $if_version) { __typename }
  }`;

const RetrieveCustomDomain = /* GraphQL */ `
  query RetrieveCustomDomain($page_id: ID!) {
    response: customDomain(pageId: $page_id) { ...CustomDomainV1 }
  }
  ${CustomDomainV1}`;

const CreateCustomDomain = /* GraphQL */ `
  mutation CreateCustomDomain($page_id: ID!, $input: SetCustomDomainInput!) {
    body: setCustomDomain(pageId: $page_id, input: $input) { response: customDomain { ...CustomDomainV1 } }
  }
  ${CustomDomainV1}`;

const DeleteCustomDomain = /* GraphQL */ `
  mutation DeleteCustomDomain($page_id: ID!, $if_version: [Int!]) {
    deleteCustomDomain(pageId: $page_id, ifVersion: $if_version) { __typename }
  }`;

const RetrieveTheme = /* GraphQL */ `
  query RetrieveTheme($page_id: ID!) {
    response: theme(pageId: $page_id) { ...ThemeV1 }
  }
  ${ThemeV1}`;

const UpdateTheme = /* GraphQL */ `
  mutation UpdateTheme($page_id: ID!, $if_version: [Int!], $input: SetThemeInput!) {
    body: setTheme(pageId: $page_id, ifVersion: $if_version, input: $input) { response: theme { ...ThemeV1 } }
  }
  ${ThemeV1}`;

const DeleteTheme = /* GraphQL */ `
  mutation DeleteTheme($page_id: ID!, $if_version: [Int!]) {
    deleteTheme(pageId: $page_id, ifVersion: $if_version) { __typename }
  }`;

export const pageSettingsRoutes: Route[] = [
  ['GET', '/pages/:page_id/brand', RetrieveBrand],
  ['PATCH', '/pages/:page_id/brand', UpdateBrand],
  ['DELETE', '/pages/:page_id/brand', DeleteBrand],
  ['GET', '/pages/:page_id/custom_domain', RetrieveCustomDomain],
  ['POST', '/pages/:page_id/custom_domain', CreateCustomDomain],
  ['DELETE', '/pages/:page_id/custom_domain', DeleteCustomDomain],
  ['GET', '/pages/:page_id/theme', RetrieveTheme],
  ['PATCH', '/pages/:page_id/theme', UpdateTheme],
  ['DELETE', '/pages/:page_id/theme', DeleteTheme],
];
