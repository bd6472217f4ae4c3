import { readFlag } from '../../core/read-flag.js';
import { parseTimestamp } from '../../core/timestamp.js';
import { normalizeColumnName } from './list-fields.js';

/** Why somebody on a list is not subscribed: the rest of a sentence that begins with the person. */
export interface Leaving {
  column: string;
  reason: string;
}

/** In characters. Names of columns are shorter. */
const maxName = 100;

type Word = 'subscribed' | 'left' | 'unconfirmed';

const anyOf = (...parts: string[]): string => `(${parts.join(' ').trim().split(/\s+/).join('|')})`;

/** Columns that have a word, by the names that Mailchimp, Brevo, listmonk, SendGrid, Klaviyo and others give them. */
const stateColumns = new RegExp(
  `^(${anyOf('state status statut estado stato subscribertype')}|.*${anyOf(
    'subscri mail member contact global list opt consent deliver newsletter marketing abonn anmelde',
  )}.*${anyOf('status state consent')})$`,
);
/** Columns that are a part of an address in other lists, in which an unknown word says nothing. */
const places = new Set(['state', 'estado', 'stato']);
/** Columns whose yes is a subscription. */
const yesColumns = new RegExp(
  `^${anyOf(
    '(is|has|email|mail)?(subscribed|opt(ed)?in|active|enabled|activated|confirmed|verified|permission|allowed)',
    '(has|email|mail)?consent(ed)? subscribedto.* subscription newsletter optin(email|newsletter|marketing)',
    'accepts.*marketing .*marketing(optin|allowed) canemail receives?.*(mails?|notifications?|updates?)',
    '(gdpr|sms|data|newsletter)consent (e?mail|sms)?notifications? .*einwilligung eingewilligt zustimmung abonniert',
    'angemeldet',
    'abonnee? inscrite? suscrit[oa] inscrit[oa] iscritt[oa] geabonneerd ingeschreven',
  )}$`,
);
/** Columns whose yes, time or reason is the end of one. */
const noColumns = new RegExp(
  `${anyOf(
    'unsub opt(ed)?out blocklist blacklist blocked hardbounce bounced bounce(date|time|reason) complain spam suppress',
    'quarantin donot(e?mail|contact) revoked withdraw excluded(from|$) abgemeldet abmelde abbestell',
    'widerruf(en)?(am|datum)?$ widerrufder kundigung(am|(s?datum))?$ desabonn desinscri disiscri descadastr',
    'uitgeschreven afgemeld wypisan 退订 ^(no|without|keine?|ohne)(consent|einwilligung|permission|optin)$',
  )}|^(is|e?mail|marketing)?${anyOf(
    'clean(ed|time|campaign) deleted archived disabled inactive deactivated removed suspended banned unconfirmed',
    'pending invalid cancel(l?ed|ad[oa]) noemail bounce$ (muted|paused)(at|on)?$ gesperrt dn[ce]$',
    '(fechade)?baja$',
    'left(at|on|date)?$',
  )}`,
);
/** Columns that are about text messages: their no is not one to mails. */
const phoneColumns = /^(has|accepts|receives?|is)?(sms|textmessage|phone|mobile|whatsapp)/;
/** Columns that are about it, and do not say that it happened. */
const asideColumns =
  /^soft|(url|link|token|hash|code|count|rate|score|template|page|key|subject|body|groups?|ids?|method|header)$/;

const words: readonly [pattern: RegExp, word: Word][] = [
  [
    new RegExp(
      `^${anyOf(
        'subscribed subscriber active enabled confirmed verified valid (single|double)?opt(ed)?in regular normal',
        'delivered clean given granted aktiv angemeldet abonniert bestatigt actif abonnee? inscrite? confirmee? activo',
        'suscrito confirmado attivo iscritto confermato ativo inscrito actief ingeschreven aktywny prenumererar',
        'implicit explicit implied express(ed)? marketingcontact',
      )}$`,
    ),
    'subscribed',
  ],
  [
    new RegExp(
      anyOf(
        '(un|not|non)confirm (un|not|non)verif pending awaiting waiting unbestatigt ausstehend enattente pendiente',
      ),
    ),
    'unconfirmed',
  ],
  [
    new RegExp(
      anyOf(
        'unsub (non|not|never)sub opt(ed)?out blocklist blacklist blocked bounce complain spam junk abuse cleaned',
        'inactive notactive disabled deleted removed archived suppress invalid quarantin suspend dropped banned',
        'nonmarketing ^ended$ ^stopped$',
        'cancell?ed declined denied revoked withdrawn transactional undeliver deactivated ^left$ abgemeldet',
        'ausgetragen gesperrt inaktiv desabonn desinscri inacti[fv] bloque ^baja$ disiscri bloccato inattivo inativo',
        'uitgeschreven avregistrer',
      ),
    ),
    'left',
  ],
];

/** Columns with the time of a confirmation. Where some have one, the others never confirmed. */
const confirmationTimes = /^(e?mail)?(confirmed|verified)(at|on|date)$/;

/** What a cell says: a word, yes (true), no (false), nothing (null), or something else (undefined). */
function readCell(cell: unknown): Word | boolean | null | undefined {
  const flag = readFlag(cell);
  if (flag !== undefined) return flag;
  // An answer of a mail server, such as 5.1.1.
  if (/^[45](\d\d\b|\.\d)/.test(String(cell).trim())) return 'left';
  return words.find(([pattern]) => pattern.test(normalizeColumnName(String(cell))))?.[1];
}

type Judge = (cell: unknown) => Word | 'unknown' | null;

const classifyState =
  (allowsUnknown: boolean): Judge =>
  cell => {
    const said = readCell(cell);
    if (said === undefined) return allowsUnknown ? null : 'unknown';
    return said === true ? 'subscribed' : said === false ? 'left' : said;
  };

const classifyYes =
  (negative: Word): Judge =>
  cell => {
    const said = readCell(cell);
    if (said === undefined) return parseTimestamp(String(cell).trim()) ? 'subscribed' : null;
    return said === true ? 'subscribed' : said === false ? negative : said;
  };

const classifyNo =
  (positive: Word): Judge =>
  cell => {
    const said = readCell(cell);
    return said === null ? null : said === false || said === 'subscribed' ? 'subscribed' : positive;
  };

const isTime = (cell: unknown): boolean => parseTimestamp(String(cell ?? '').trim()) !== null;

const classifyConfirmation: Judge = cell => {
  if (isTime(cell)) return 'subscribed';
  const flag = readFlag(cell);
  return flag === null || flag === false ? 'unconfirmed' : null;
};

function findClassifier(key: string, hasTimes: () => boolean): Judge | null {
  if (confirmationTimes.test(key)) return hasTimes() ? classifyConfirmation : null;
  if (stateColumns.test(key)) return classifyState(places.has(key));
  // Before the others: a withdrawal of the consent is no consent.
  if (noColumns.test(key))
    return asideColumns.test(key) ? null : classifyNo(/unconfirmed|pending/.test(key) ? 'unconfirmed' : 'left');
  return yesColumns.test(key) ? classifyYes(/confirm|verif/.test(key) ? 'unconfirmed' : 'left') : null;
}

const shorten = (cell: unknown) => JSON.stringify(String(cell).trim().slice(0, 40));

type FindLeaving = (row: readonly unknown[]) => Leaving | null;

/**
 * Finds those on a list who left it, or never confirmed: all of it, or text messages alone. `columns` are the indexes
 * of the columns that say so.
 */
export function findLeaving(
  names: readonly string[],
  rows: readonly (readonly unknown[])[],
): { columns: ReadonlySet<number>; find: FindLeaving; findOfPhone: FindLeaving } {
  const classifiers = names.flatMap((name, index) => {
    const hasTimes = () => rows.some(row => isTime(row[index]));
    const key = normalizeColumnName(name.slice(0, maxName));
    const classify = findClassifier(key, hasTimes);
    const says = (row: readonly unknown[]) => !['unknown', null].includes(classify!(row[index]));
    if (!classify || !rows.some(says)) return [];
    return [{ name: name.trim(), index, classify, isOfPhone: phoneColumns.test(key) }];
  });
  const findIn =
    (isOfPhone: boolean): FindLeaving =>
    row => {
      for (const { name, index, classify, ...column } of classifiers) {
        const word = column.isOfPhone === isOfPhone ? classify(row[index]) : null;
        const reason = word && explain(word, name, row[index]);
        if (reason) return { column: name, reason };
      }
      return null;
    };
  return {
    columns: new Set(classifiers.map(({ index }) => index)),
    find: findIn(false),
    findOfPhone: findIn(true),
  };
}

function explain(word: Word | 'unknown', name: string, cell: unknown): string | null {
  if (word === 'subscribed') return null;
  if (word === 'unconfirmed') return 'has not confirmed the subscription';
  if (/quarantin/i.test(name)) return 'is in quarantine: messages to the address failed';
  const said = isTime(cell) ? `\`${name}\` has a time` : `\`${name}\` is ${shorten(cell)}`;
  return word === 'left' ? `has left the list: ${said}` : `may have left the list: ${said}, which is not known`;
}
