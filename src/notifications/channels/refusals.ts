/**
 * What a refusal is about:
 *   gone     nobody has the address: final, and several in a row suspend the recipient
 *   message  the message, or the recipient for another reason: final
 *   later    the recipient, for now, such as a full mailbox: tried again
 *   sender   our account, server or configuration: the channel pauses, and the attempt does not count
 *   rate     too many messages at once: the channel slows down, and the attempt does not count
 */
export type RefusalKind = 'gone' | 'message' | 'later' | 'sender' | 'rate';

/** What was refused: `envelope` by the answer to DATA, which asks for the content, and `DATA` is the content. */
export type SmtpStage = 'connection' | 'MAIL FROM' | 'RCPT TO' | 'envelope' | 'DATA';

interface SmtpAnswer {
  stage: SmtpStage;
  /** On one line, in lower case, with the reply code first. */
  text: string;
  code: number;
  /** The enhanced status code (RFC 3463), wherever in the answer it is; empty where there is none. */
  enhanced: string;
}

const anyOf = (...words: RegExp[]) => new RegExp(words.map(({ source }) => source).join('|'));

type Test = RegExp | ((answer: SmtpAnswer) => boolean);

/** Codes that only a missing address has; 5.1.7 and 5.1.8 are about the sender. */
const isGoneCode = ({ enhanced }: SmtpAnswer) =>
  ['5.1.1', '5.1.2', '5.1.3', '5.1.6', '5.1.10', '5.2.1'].includes(enhanced);

/** No code, or one that says only that it is about the address or the mailbox. */
const hasNoDetail = ({ enhanced }: SmtpAnswer) => ['', '5.0.0', '5.1.0', '5.2.0'].includes(enhanced);

const missingAddress = anyOf(
  /no such (user|mailbox|recipient|account|address|person)|not our (user|customer)|badrcptto|no mailbox (here|by)/,
  /(user|recipient|mailbox|addressee|account|address|host)( is)? (unknown|not found|not present|invalid)/,
  /(unknown|invalid|inactive|unrouteable) (user|recipient|mailbox|addressee|account|address|local part)/,
  /(user|recipient|mailbox|account|address)( [^ ]+)? (does not|doesn'?t|not) exist|doesn't have an? .* account/,
  /(account|mailbox|user) (is |has been )?(disabled|deactivated|inactive|discontinued)/,
  /(account|mailbox|user) (is |has been )?(deleted|closed|removed|terminated)/,
  /not an? (valid|known) (user|recipient|mailbox|address|e-?mail address)|no longer (valid|here|on server)/,
  /not (present|listed) in (the )?directory|can't accept user|unbekannt|inconnu|no existe/,
);
const isPermanent = ({ code }: SmtpAnswer) => code >= 500;
const startsWith =
  (...prefixes: string[]) =>
  ({ enhanced }: SmtpAnswer) =>
    prefixes.some(prefix => enhanced === prefix || enhanced.startsWith(`${prefix}.`));
const hasCode =
  (...codes: number[]) =>
  ({ code }: SmtpAnswer) =>
    codes.includes(code);

/**
 * How an answer of a mail server is read: the first row whose tests all hold. Words come before codes, since servers
 * choose codes loosely, and those about us before those about the recipient: an answer may quote another one.
 */
const smtpRefusals: [kind: RefusalKind, ...tests: Test[]][] = [
  ['message', /(message|mail|size).* (too (long|large|big)|exceeds)/, isPermanent],
  ['message', startsWith('5.3.4', '5.2.3')],
  [
    'message',
    /virus|malware|spam (content|message|detected)|mail score|\brfc ?\d+ compliant|duplicate header/,
    isPermanent,
  ],
  ['message', /blocked by (the )?recipient|not accept delivery of this message/, isPermanent],
  // Whom a recipient accepts messages from, and where it forwards them. Exchange names it a restriction (RST).
  ['message', /resolver\.rst|send(ing)? to (the|this) (recipient|group|list)|external forwarding/, isPermanent],
  ['message', /recipient( [^ ]+)? (does not|doesn'?t) (want|accept)/, isPermanent],
  ['message', /too many hops|hop count|mail loop/],
  ['sender', startsWith('5.4.5', '4.4.5', '5.1.90')],
  ['sender', /(sending|submission|outgoing|outbound|messaging) (limit|quota)/],
  // Limits of one mailbox, which others do not have.
  ['later', startsWith('5.2.2', '4.2.2', '5.2.122')],
  ['later', /mailbox.*(full|quota|storage|temporarily)|quota.*mailbox|over ?quota|full mailbox|boite.*pleine/],
  ['later', /(disk|enough|'s|storage) space|space left|speichervolumen/],
  ['later', /extended quota|queue quota|user quota|exceeding receiving limits/],
  ['later', /(user|recipient|contact|account) (is|has|was) .*(too quickly|exceeded|quota)|is receiving mail|mail data/],
  ['later', /recipient thread limit|mailbox received too (much|many)|user has too many|gr[ea]y-?list/],
  ['later', /(user|mailbox|recipient|account).* temporar(il)?y (locked|unavailable|disabled)/],
  ['later', /unverified address|address verification/, ({ code }) => code < 500],
  ['later', /quota|storage/, hasCode(452, 552)],
  // What authentication lacks, which some servers answer by a rate limit.
  ['sender', /\bspf\b|\bdkim\b|dmarc|unauthenticated|over a tls/],
  // What our account may send in an hour or a day, or at all.
  ['sender', /\bsending\b.* (disabled|suspended|paused)|outboundspam|not (yet )?activated|testing e-?mails/],
  ['sender', /blocked (for|from) sending|your account (is|was|has been) (blocked|disabled|locked|suspended)/],
  ['sender', /quota|daily|hour(ly)?\b|per day|\bday limit|sending limit|credit|balance|\btrial\b|unusual sending/],
  ['rate', /\brate\b|too many|too (fast|quickly)|concurren|throttl|slow down|slow(er|ly)|frequen(cy|t)|volume/],
  ['rate', hasCode(421, 432)],
  ['later', /temporary ([^ ]+ )?(failure|error|problem)/, ({ code }) => code < 500],
  // What our configuration or reputation is. Postfix names its table of recipients by the word relay.
  ['sender', /relay(?! recipient|_recipient|=)|rcpthosts?\b|spoof|from address/],
  [
    'sender',
    /sender (address|verif|domain|id|reject|denied|not)|verification failed|(not|isn't) verified|verified sender/,
  ],
  [
    'sender',
    anyOf(
      /authenti|authoriz|credential|signed? in|log ?in|\bptr\b|\bhelo\b|\behlo\b|find your host/,
      /(reverse|forward) dns|dns (check|record|entry|lookup)/,
    ),
  ],
  [
    'sender',
    /spamhaus|spamcop|black ?list|block ?list|\brbl\b|dnsbl|reputation|spam sender|bad outbound|invalid ip|your ip/,
  ],
  ['sender', /try again later|failure sending|service (is )?(currently |temporarily )?unavailable/, isPermanent],
  // The server does not know the recipient yet: a user whom it does not know is the sender.
  ['sender', ({ stage }) => stage === 'connection' || stage === 'MAIL FROM', isPermanent],
  ['gone', isGoneCode, isPermanent],
  ['gone', missingAddress, hasCode(550, 551, 552, 553, 554), hasNoDetail],
  // The code is about something else: not gone, for want of a clear answer.
  ['message', missingAddress, isPermanent],
  ['sender', /polic(y|ies)|prohibit/],
  ['message', /recipient (address )?rejected|mailbox unavailable/, isPermanent],
  ['message', /spam|content|attachment/, isPermanent],
  ['sender', /\bblocked\b|denied|\bip\b|client host rejected|not (allowed|permitted|accepted)/],
  ['sender', startsWith('5.1.7', '5.1.8', '5.3', '5.4', '5.5', '5.7')],
  ['sender', hasCode(500, 502, 503, 504, 530, 534, 535, 538)],
  ['sender', ({ stage }) => stage === 'envelope', isPermanent],
  ['message', isPermanent],
];

export function classifySmtpAnswer(stage: SmtpStage, answer: string): RefusalKind {
  // The words of a link are not the server's.
  const text = maskAddresses(answer.toLowerCase().replace(/https?:\/\/\S+/g, ''));
  const code = Number(text.slice(0, 3));
  const [, enhanced = ''] = /(?<![\d.])([45]\.\d{1,3}\.\d{1,3})(?![\d.]*\d)/.exec(text) ?? [];
  const parsed = { stage, text, code, enhanced };
  const row = smtpRefusals.find(([, ...tests]) =>
    tests.every(test => (typeof test === 'function' ? test(parsed) : test.test(text))),
  );
  return row?.[0] ?? 'later';
}

/** Responses of web servers that are about our credentials or account, in each channel. */
const senderStatuses = [401, 402, 403, 407];
/** The webhook was deleted, or the server has no such address. */
const goneStatuses = [404, 410];
/** Too early, a timeout or a server error: another attempt may succeed. */
const isTemporaryStatus = (status: number) => [408, 425].includes(status) || status >= 500;

/** How a response other than 2xx is read. A redirect is final: the target has moved. */
export function classifyHttpStatus(status: number): RefusalKind {
  if (status === 429) return 'rate';
  if (senderStatuses.includes(status)) return 'sender';
  if (isTemporaryStatus(status)) return 'later';
  return goneStatuses.includes(status) ? 'gone' : 'message';
}

/** Error codes of Twilio and of gateways with its API. A range has its first and last code. */
const smsRefusals: [kind: RefusalKind, ...codes: (number | [first: number, last: number])[]][] = [
  // Queue overflow, too many requests, too many messages to a number or from one.
  ['rate', 14_107, 20_429, 21_611, 30_001, 30_022, 63_018],
  // Credentials, accounts that are suspended, closed, on trial or out of balance, and daily limits.
  ['sender', [20_001, 20_428], 21_212, 21_408, [21_602, 21_603], [21_606, 21_608], 21_659, 21_661, [21_703, 21_712]],
  ['sender', 30_002, 30_018, [30_023, 30_035], 30_037, 30_038, 30_039, 30_044, 30_454, 30_485, 63_038, 90_010],
];

const senderWords = /balance|trial|quota|credit|suspended|daily|limit|unauthori[sz]ed|not enabled|blocked account/i;

/** A path that the gateway does not have says nothing about the recipient. */
export function classifySmsResponse(status: number, code: number, message: string): RefusalKind {
  const row = smsRefusals.find(([, ...codes]) =>
    codes.some(one => (typeof one === 'number' ? code === one : code >= one[0] && code <= one[1])),
  );
  if (row) return row[0];
  const kind = classifyHttpStatus(status);
  if (kind === 'gone') return status === 404 ? 'sender' : 'message';
  return kind === 'message' && !code && senderWords.test(message) ? 'sender' : kind;
}

/** An e-mail address or a phone number, as JavaScript and PostgreSQL both read it. */
export const addressPattern = String.raw`[^\s<>"'(),;:]+@[^\s<>"'(),;:]+|\+\d{6,}`;

/** Servers repeat the address of the recipient, which is never logged. */
export const maskAddresses = (text: string): string => text.replace(new RegExp(addressPattern, 'g'), '[…]');
