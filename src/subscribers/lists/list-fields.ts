import { normalizeUnicode } from '../../core/text/normalize-unicode.js';

/** The columns of a list in the order of the export: the fields of /v1, and the choices of the public page. */
export const columns = [
  'email',
  'phone_number',
  'first_name',
  'last_name',
  'nickname',
  'company',
  'tag_list',
  'component_ids',
  'kinds',
  'consent_source',
] as const;
export type Column = (typeof columns)[number];

/** What a column of a list is read as. */
export type ListField = Column | 'consented_at' | 'phone' | 'country';

/** A name of a column without case, accents, blanks and marks: `E-Mail-Adresse` is `emailadresse`. */
export const normalizeColumnName = (name: string): string =>
  normalizeUnicode(name, 'NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

/** How other products name the columns, the best first. Columns of our own have their own names as well. */
const otherNames: Partial<Record<ListField, string>> = {
  email:
    'e-mail address, email addr, email id, e-mail 1, mail, mail address, primary email, primary email address, ' +
    'contact email, subscriber email, user email, work email, e-mail 1 - value, E-Mail-Adresse, Mailadresse, ' +
    'Adresse e-mail, Adresse mail, Courriel, Adresse courriel, Adresse électronique, Adresse de messagerie, ' +
    'Correo electrónico, Correo, Dirección de correo, Dirección de correo electrónico, Dirección email, ' +
    'Indirizzo e-mail, Posta elettronica, Indirizzo di posta elettronica, Endereço de e-mail, Endereço email, ' +
    'Correio eletrônico, Endereço de correio eletrónico, E-mailadres, E-postadress, E-post, E-postadresse, ' +
    'Sähköposti, Sähköpostiosoite, Adres e-mail, E-posta, E-posta adresi, Электронная почта, Эл. почта, ' +
    'Адрес электронной почты, メールアドレス, 电子邮件, 邮箱, 이메일',
  first_name: 'fname, given name, Vorname, Prénom, Nombre, Voornaam, Förnamn, Fornavn, Etunimi, Imię, Nome',
  last_name:
    'lname, surname, family name, Nachname, Nom, Nom de famille, Apellido, Apellidos, Cognome, Sobrenome, ' +
    'Achternaam, Efternamn, Etternavn, Sukunimi, Nazwisko',
  company: 'company name, organization, organisation, Firma, Unternehmen, Société, Entreprise, Empresa, Azienda',
  tag_list: 'tags',
  consented_at:
    'confirmed at, confirm time, confirmation time, verified at, optin time, opt-in date, opted in at, ' +
    'consent date, consent time, subscribed at, subscribed on, subscription date, signup date, created at',
  country: 'phone country',
};

/** The columns, by their index, of each field that a list has, the best first. */
export function findFields(names: readonly string[], wanted: readonly ListField[]): Map<ListField, number[]> {
  const keys = names.map(normalizeColumnName);
  const entries = wanted.map(field => {
    const found = [field, ...(otherNames[field]?.split(', ') ?? [])]
      .map(normalizeColumnName)
      .flatMap(one => keys.flatMap((key, index) => (key === one ? index : [])));
    // The first time that a row has; of all others a second column is another thing.
    return [field, field === 'consented_at' ? found : found.slice(0, 1)] as const;
  });
  return new Map(entries.filter(([, indexes]) => indexes.length));
}
